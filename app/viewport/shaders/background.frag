// The backdrop's gradient, and the grid on the ground (or on the plane that a flat view faces), found by where the eye's ray
// meets the plane: sharp at any distance, without an edge.
in vec2 place;

uniform vec4 topColour;       // as shown
uniform vec4 bottomColour;
uniform vec4 minorColour;
uniform vec4 majorColour;
uniform vec4 axisColour0;     // of the line along the plane's first axis
uniform vec4 axisColour1;
uniform mat4 worldFromClip;
uniform vec3 gridAxis0;       // the plane goes through the origin
uniform vec3 gridAxis1;
uniform vec3 gridFade;        // [m] cell; distance at which lines begin to fade, and end; 0: no grid
uniform vec3 gridCentre;      // [m] fading counts from here

out vec4 fragment;

vec2 lines(vec2 at, float cell, vec2 width)
{
    vec2 coordinate = at / cell;
    vec2 distance_ = abs(fract(coordinate - 0.5) - 0.5) * cell;
    return clamp(0.5 + 0.5 - distance_ / width, 0.0, 1.0) * clamp(cell / (6.0 * width) - 0.6, 0.0, 1.0);
}

void blend(inout vec3 under, vec4 over, float amount)
{
    under = mix(under, over.rgb, over.a * amount);
}

void main()
{
    vec3 shown = mix(bottomColour.rgb, topColour.rgb, 0.5 + 0.5 * place.y);

    vec4 nearPoint = worldFromClip * vec4(place, -1.0, 1.0), farPoint = worldFromClip * vec4(place, 1.0, 1.0);
    vec3 from = nearPoint.xyz / nearPoint.w, to = farPoint.xyz / farPoint.w;
    vec3 normal = cross(gridAxis0, gridAxis1);
    float height = dot(normal, from), fall = dot(normal, from - to);
    float t = abs(fall) > 1e-12 ? height / fall : -1.0;
    vec3 world = from + clamp(t, 0.0, 1.0) * (to - from);
    vec2 at = vec2(dot(gridAxis0, world), dot(gridAxis1, world));
    vec2 width = max(fwidth(at), vec2(1e-9));
    if (t > 0.0 && t < 1.0 && gridFade.z > 0.0) {
        float fade = 1.0 - smoothstep(gridFade.y, gridFade.z, distance(world, gridCentre));
        // Seen at a grazing angle lines would run together: they fade with the angle too.
        float grazing = clamp(4.0 * abs(dot(normal, normalize(to - from))), 0.0, 1.0);
        fade *= grazing;
        vec2 minor = lines(at, gridFade.x, width), major = lines(at, 10.0 * gridFade.x, width);
        vec2 axis = clamp(1.1 - abs(at) / width, 0.0, 1.0);
        blend(shown, minorColour, max(minor.x, minor.y) * fade);
        blend(shown, majorColour, max(major.x, major.y) * fade);
        blend(shown, axisColour0, axis.y * fade);
        blend(shown, axisColour1, axis.x * fade);
    }
    fragment = vec4(shown, 1.0);
}
