// A vertex of the model: linear blend skinning by a palette of 3 x 4 matrices, world from mesh, row by row.
in vec3 vertexPosition;
in vec3 vertexNormal;
#ifdef TEXTURE_COORDINATES
in vec2 vertexTexCoord;
out vec2 textureCoordinates;
#endif
#ifdef COLOURS
in vec4 vertexColor;
out vec4 colour;
#endif
#if INFLUENCES > 0
in vec4 vertexJoints;
in vec4 vertexWeights;
#endif
#if INFLUENCES > 4
in vec4 vertexJoints2;
in vec4 vertexWeights2;
#endif

layout(std140) uniform Palette
{
    vec4 paletteRows[3 * PALETTE_JOINTS];
};
uniform mat4 clipFromWorld;

out vec3 worldPosition;
out vec3 worldNormal;

vec4 rowX, rowY, rowZ;

void addJoint(float place, float weight)
{
    int first = 3 * int(place + 0.5);
    rowX += weight * paletteRows[first];
    rowY += weight * paletteRows[first + 1];
    rowZ += weight * paletteRows[first + 2];
}

void main()
{
    rowX = rowY = rowZ = vec4(0.0);
#if INFLUENCES == 0
    addJoint(0.0, 1.0);
#else
    for (int i = 0; i < 4; ++i) addJoint(vertexJoints[i], vertexWeights[i]);
#if INFLUENCES > 4
    for (int i = 0; i < 4; ++i) addJoint(vertexJoints2[i], vertexWeights2[i]);
#endif
#endif
    vec4 meshPosition = vec4(vertexPosition, 1.0);
    worldPosition = vec3(dot(rowX, meshPosition), dot(rowY, meshPosition), dot(rowZ, meshPosition));
    // Normals go by the cofactors: the inverse transpose, but for a factor, and sound where the matrix is not invertible.
    vec3 x = rowX.xyz, y = rowY.xyz, z = rowZ.xyz;
    worldNormal = vec3(dot(cross(y, z), vertexNormal), dot(cross(z, x), vertexNormal), dot(cross(x, y), vertexNormal));
#ifdef TEXTURE_COORDINATES
    textureCoordinates = vertexTexCoord;
#endif
#ifdef COLOURS
    colour = vertexColor;
#endif
    gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
}
