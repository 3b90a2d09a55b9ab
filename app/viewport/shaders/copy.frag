// A picture of the same size, as it is.
uniform sampler2D picture;

out vec4 fragment;

void main()
{
    fragment = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
}
