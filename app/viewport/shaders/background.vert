// One triangle over the whole picture.
in vec3 vertexPosition;
out vec2 place; // -1 ... 1, y up

void main()
{
    place = vertexPosition.xy;
    gl_Position = vec4(vertexPosition.xy, 0.0, 1.0);
}
