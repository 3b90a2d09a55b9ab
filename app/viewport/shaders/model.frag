// Metallic-roughness as glTF 2.0 defines it (appendix B: GGX, Smith, Schlick), lit by a key light and a sky that is bright
// above and dim below. Every term of the sky is more than 0: nothing is ever black for want of light.
in vec3 worldPosition;
in vec3 worldNormal;
#ifdef TEXTURE_COORDINATES
in vec2 textureCoordinates;
#endif
#ifdef COLOURS
in vec4 colour;
#endif

uniform vec3 eye;
uniform vec3 towardEye;      // unit, where there is no perspective; (0, 0, 0) where there is
uniform vec3 keyDirection;   // unit, toward the light
uniform vec4 baseColour;     // linear
uniform vec3 emissive;
uniform vec2 metallicRoughness;
uniform float alphaCutoff;   // below 0: alpha is not cut
uniform vec4 wireColour;     // alpha above 0: this colour and nothing else
#ifdef BASE_COLOUR_TEXTURE
uniform sampler2D baseColourTexture;
#endif
#ifdef NORMAL_TEXTURE
uniform sampler2D normalTexture;
uniform float normalScale;
#endif
#ifdef METALLIC_ROUGHNESS_TEXTURE
uniform sampler2D metallicRoughnessTexture;
#endif
#ifdef OCCLUSION_TEXTURE
uniform sampler2D occlusionTexture;
uniform float occlusionStrength;
#endif
#ifdef EMISSIVE_TEXTURE
uniform sampler2D emissiveTexture;
#endif

out vec4 fragment;

const float PI = 3.14159265;
const vec3 SKY_ABOVE = vec3(0.56, 0.58, 0.62);
const vec3 SKY_LEVEL = vec3(0.30, 0.315, 0.34);
const vec3 SKY_BELOW = vec3(0.105, 0.103, 0.102);
const vec3 KEY = vec3(1.10, 1.07, 1.02);

vec3 sky(float up, float blur)
{
    // Smooth from below through level to above; a rough surface sees it blurred.
    float t = up / (1.0 + blur);
    vec3 half_ = t > 0.0 ? mix(SKY_LEVEL, SKY_ABOVE, t * (2.0 - t)) : mix(SKY_LEVEL, SKY_BELOW, -t * (2.0 + t));
    return half_;
}

// Toward the side that is seen, whichever way the triangle is wound or mirrored. A normal that points away but a little is a
// smooth surface's silhouette: it is only bent until it does not.
vec3 seenSide(vec3 normal, vec3 toEye)
{
    float facing = dot(normal, toEye);
    if (facing < -0.25) return -normal;
    return facing < 0.0 ? normalize(normal - facing * toEye) : normal;
}

#ifdef NORMAL_TEXTURE
// The tangent frame from screen-space derivatives: Schueler, "Normal mapping without precomputed tangents" (2013).
vec3 bumped(vec3 normal)
{
    vec3 across = dFdx(worldPosition), down = dFdy(worldPosition);
    vec2 uvAcross = dFdx(textureCoordinates), uvDown = dFdy(textureCoordinates);
    vec3 a = cross(down, normal), b = cross(normal, across);
    vec3 tangent = a * uvAcross.x + b * uvDown.x, bitangent = a * uvAcross.y + b * uvDown.y;
    float size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (size < 1e-30) return normal;
    vec3 sampled = texture(normalTexture, textureCoordinates).xyz * 2.0 - 1.0;
    sampled.xy *= normalScale;
    // v grows downward in the picture and the green channel points up: the bitangent is turned round.
    vec3 result = (tangent * sampled.x - bitangent * sampled.y) * inversesqrt(size) + normal * sampled.z;
    return normalize(result);
}
#endif

vec3 encode(vec3 linear)
{
    // A soft shoulder above 0.8, so that highlights keep their shape; then the sRGB curve by square roots, within 0.4 % of it
    // (Hill, "Approximations for sRGB translation", 2012): powers are dear where there is no graphics card.
    vec3 over = max(linear - 0.8, vec3(0.0));
    linear = min(linear, vec3(0.8)) + 0.2 * over / (0.2 + over);
    vec3 half_ = sqrt(linear), quarter = sqrt(half_), eighth = sqrt(quarter);
    return clamp(0.662002687 * half_ + 0.684122060 * quarter - 0.323583601 * eighth - 0.0225411470 * linear, 0.0, 1.0);
}

void main()
{
    if (wireColour.a > 0.0) {
        fragment = vec4(wireColour.rgb * wireColour.a, wireColour.a);
        return;
    }
    vec4 base = baseColour;
#ifdef COLOURS
    base *= colour;
#endif
#ifdef BASE_COLOUR_TEXTURE
    base *= texture(baseColourTexture, textureCoordinates);
#endif
    if (base.a < alphaCutoff) discard;
    if (alphaCutoff >= 0.0) base.a = 1.0;

    vec2 metalRough = metallicRoughness;
#ifdef METALLIC_ROUGHNESS_TEXTURE
    metalRough *= texture(metallicRoughnessTexture, textureCoordinates).bg;
#endif
    float metallic = clamp(metalRough.x, 0.0, 1.0), roughness = clamp(metalRough.y, 0.06, 1.0);
    float occlusion = 1.0;
#ifdef OCCLUSION_TEXTURE
    occlusion = mix(1.0, texture(occlusionTexture, textureCoordinates).r, occlusionStrength);
#endif

    vec3 v = dot(towardEye, towardEye) > 0.5 ? towardEye : normalize(eye - worldPosition);
    vec3 n = dot(worldNormal, worldNormal) > 1e-20 ? seenSide(normalize(worldNormal), v) : v;
#ifdef NORMAL_TEXTURE
    n = bumped(n);
#endif
    float nv = max(dot(n, v), 1e-3);

    vec3 diffuse = base.rgb * (1.0 - metallic);
    vec3 f0 = mix(vec3(0.04), base.rgb, metallic);
    float a = roughness * roughness;

    // Key light
    vec3 h = normalize(v + keyDirection);
    float nl = max(dot(n, keyDirection), 0.0), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
    float spread = nh * nh * (a * a - 1.0) + 1.0;
    float distribution = a * a / (PI * spread * spread);
    // Hammon, "PBR diffuse lighting for GGX+Smith microsurfaces" (2017): Smith's term without its roots.
    float visibility = 0.5 / max(mix(2.0 * nl * nv, nl + nv, a), 1e-4);
    float away = 1.0 - vh, away2 = away * away;
    vec3 fresnel = f0 + (1.0 - f0) * (away2 * away2 * away);
    vec3 lit = nl * KEY * (diffuse * (1.0 - fresnel) / PI * 1.9 + min(distribution * visibility, 8.0) * fresnel);

    // Sky; how much of it a rough surface mirrors: Karis, "Physically based shading on mobile" (2014).
    vec3 ambient = sky(n.y, 0.35) * diffuse;
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 scaleBias = vec2(-1.04, 1.04) * a004 + r.zw;
    vec3 mirrored = sky(reflect(-v, n).y, roughness) * (f0 * scaleBias.x + scaleBias.y) * mix(1.0, 1.6, metallic);
    // A little light from behind at grazing angles sets the figure off from the background.
    float edge = (1.0 - nv) * (1.0 - nv), rim = edge * edge * 0.16 * (0.6 + 0.4 * n.y);
    lit += (ambient + mirrored + rim * diffuse) * occlusion;

    vec3 glow = emissive;
#ifdef EMISSIVE_TEXTURE
    glow *= texture(emissiveTexture, textureCoordinates).rgb;
#endif
    fragment = vec4(encode(lit + glow) * base.a, base.a);
}
