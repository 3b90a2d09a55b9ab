// The model at another frame: a tint that is strongest where the surface turns away.
in vec3 worldPosition;
in vec3 worldNormal;

uniform vec3 eye;
uniform vec3 towardEye;   // unit, where there is no perspective; (0, 0, 0) where there is
uniform vec4 ghostColour; // sRGB, and how strong it is at most

out vec4 fragment;

void main()
{
    vec3 v = dot(towardEye, towardEye) > 0.5 ? towardEye : normalize(eye - worldPosition);
    vec3 n = dot(worldNormal, worldNormal) > 1e-20 ? normalize(worldNormal) : v;
    float away = 1.0 - abs(dot(n, v));
    float strength = ghostColour.a * (0.22 + 0.78 * away * away);
    fragment = vec4(ghostColour.rgb * strength, strength);
}
