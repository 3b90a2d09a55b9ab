// Lines, dots, rings and fills of the overlay, placed in pixels from the top left corner.
in vec2 position;
in vec4 shape;   // along and across from the segment's beginning, its length, half its width; all in pixels
in vec2 ring;    // inner radius of a ring (below 0: none), 1: a fill without shape
in float depth;  // of the depth buffer; below 0: over everything
in vec4 colour;

uniform vec2 size;

out vec4 shape_;
out vec2 ring_;
out vec4 colour_;
out float depth_;

void main()
{
    shape_ = shape;
    ring_ = ring;
    colour_ = colour;
    depth_ = depth;
    gl_Position = vec4(2.0 * position.x / size.x - 1.0, 1.0 - 2.0 * position.y / size.y, 0.0, 1.0);
}
