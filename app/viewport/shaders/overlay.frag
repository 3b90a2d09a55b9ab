// How much of the pixel is covered follows from its distance to the segment: smooth edges and round ends, whatever the
// multisampling.
in vec4 shape_;
in vec2 ring_;
in vec4 colour_;
in float depth_;

uniform float pixel; // size of a device pixel in the units of the shapes
#ifdef MULTISAMPLED
uniform sampler2DMS sceneDepth;
#else
uniform sampler2D sceneDepth;
#endif

out vec4 fragment;

void main()
{
    if (depth_ >= 0.0 && texelFetch(sceneDepth, ivec2(gl_FragCoord.xy), 0).r < depth_) discard;
    float covered = 1.0;
    if (ring_.y < 0.5) {
        float past = max(max(-shape_.x, shape_.x - shape_.z), 0.0);
        float off = length(vec2(past, shape_.y));
        covered = clamp((shape_.w - off) / pixel + 0.5, 0.0, 1.0);
        if (ring_.x >= 0.0) covered *= clamp((off - ring_.x) / pixel + 0.5, 0.0, 1.0);
    }
    float alpha = colour_.a * covered;
    fragment = vec4(colour_.rgb * alpha, alpha);
}
