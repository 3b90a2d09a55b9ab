// Plays FBX files with ufbx (https://github.com/ufbx/ufbx, one C file; tools.py compiles this beside it) and writes down where
// everything is. usage: play_ufbx JOB OUT
//   JOB: lines: the file; byIndex or byName; how often vertices; then for each clip its name, the count of moments, the moments [s].
//   A clip "" is the model as it stands. OUT: what recording.py calls OUT.bin. Standard output: lines of what the file holds, read
//   by tools.py. Positions: metres, +Y up.
#include "ufbx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *job, *out;

static const char *line(void)
{
    static char text[65536];
    if (!fgets(text, sizeof text, job)) exit(2);
    text[strcspn(text, "\n")] = 0;
    return text;
}

static bool isBone(const ufbx_scene *scene, const ufbx_node *node)
{
    if (node->bone) return true;
    for (size_t i = 0; i < scene->skin_clusters.count; ++i)
        if (scene->skin_clusters.data[i]->bone_node == node) return true;
    return false;
}

static void describe(const ufbx_scene *scene)
{
    for (size_t n = 0; n < scene->nodes.count; ++n) {
        const ufbx_node *node = scene->nodes.data[n];
        printf("object\t%d\t%d\t%s\n", node->parent ? (int)node->parent->typed_id : -1, isBone(scene, node), node->name.data);
    }
    for (size_t n = 0; n < scene->nodes.count; ++n) {
        const ufbx_mesh *mesh = scene->nodes.data[n]->mesh;
        size_t morphs = 0;
        for (size_t b = 0; mesh && b < mesh->blend_deformers.count; ++b)
            for (size_t c = 0; c < mesh->blend_deformers.data[b]->channels.count; ++c)
                morphs += mesh->blend_deformers.data[b]->channels.data[c]->keyframes.count;
        if (mesh)
            printf("mesh\t%zu\t%d\t%zu\t%s\n", mesh->num_vertices, mesh->skin_deformers.count > 0, morphs, scene->nodes.data[n]->name.data);
    }
    for (size_t m = 0; m < scene->materials.count; ++m) {
        const ufbx_material *material = scene->materials.data[m];
        printf("material\t%d\t%s\n", material->fbx.diffuse_color.texture != NULL, material->name.data);
    }
}

/// The last key of a take that stands within it [s].
static double lastKey(const ufbx_anim_stack *stack)
{
    double last = stack->time_begin;
    for (size_t l = 0; l < stack->layers.count; ++l)
        for (size_t v = 0; v < stack->layers.data[l]->anim_values.count; ++v)
            for (int axis = 0; axis < 3; ++axis) {
                const ufbx_anim_curve *curve = stack->layers.data[l]->anim_values.data[v]->curves[axis];
                if (curve && curve->keyframes.count) last = fmax(last, curve->keyframes.data[curve->keyframes.count - 1].time);
            }
    return stack->time_end > stack->time_begin ? fmin(last, stack->time_end) : last;
}

static void writePose(const ufbx_scene *scene)
{
    for (size_t n = 0; n < scene->nodes.count; ++n) {
        const ufbx_transform world = ufbx_matrix_to_transform(&scene->nodes.data[n]->node_to_world);
        const double numbers[7] = {world.translation.x, world.translation.y, world.translation.z, world.rotation.x,
                                   world.rotation.y,    world.rotation.z,    world.rotation.w};
        fwrite(numbers, sizeof numbers, 1, out);
    }
}

static size_t writeVertices(const ufbx_scene *scene, bool onlyCount)
{
    size_t count = 0;
    for (size_t n = 0; n < scene->nodes.count; ++n) {
        const ufbx_node *node = scene->nodes.data[n];
        const ufbx_mesh *mesh = node->mesh;
        for (size_t v = 0; mesh && v < mesh->num_vertices; ++v, ++count) {
            if (onlyCount) continue;
            ufbx_vec3 p = mesh->skinned_position.values.data[v];
            if (mesh->skinned_is_local) p = ufbx_transform_position(&node->geometry_to_world, p);
            const float numbers[3] = {(float)p.x, (float)p.y, (float)p.z};
            fwrite(numbers, sizeof numbers, 1, out);
        }
    }
    return count;
}

static const ufbx_anim_stack *find(const ufbx_scene *scene, const char *name, size_t index, bool byIndex)
{
    for (size_t s = 0; s < scene->anim_stacks.count; ++s)
        if (strcmp(scene->anim_stacks.data[s]->name.data, name) == 0) return scene->anim_stacks.data[s];
    return byIndex && index < scene->anim_stacks.count ? scene->anim_stacks.data[index] : NULL;
}

/// The file at a moment of a take; NULL: as it stands. Ends the program when that cannot be had.
static void playMoment(const ufbx_scene *scene, const ufbx_anim *anim, double seconds, bool withVertices)
{
    ufbx_evaluate_opts options = {0};
    options.evaluate_skinning = withVertices;
    ufbx_error error;
    ufbx_scene *now = ufbx_evaluate_scene(scene, anim, seconds, &options, &error);
    if (!now) exit(3);
    writePose(now);
    if (withVertices) writeVertices(now, false);
    ufbx_free_scene(now);
}

int main(int count, char **arguments)
{
    if (count != 3 || !(job = fopen(arguments[1], "r")) || !(out = fopen(arguments[2], "wb"))) return 2;
    ufbx_load_opts options = {0};
    options.target_unit_meters = 1;
    options.target_axes = ufbx_axes_right_handed_y_up;
    options.evaluate_skinning = true;
    ufbx_error error;
    ufbx_scene *scene = ufbx_load_file(line(), &options, &error);
    if (!scene) {
        printf("error\t%s\n", error.description.data);
        return 0;
    }
    // Dual quaternions are known to no other reader here, and to neither format that is written: linear for all.
    for (size_t s = 0; s < scene->skin_deformers.count; ++s)
        for (size_t v = 0; v < scene->skin_deformers.data[s]->vertices.count; ++v) scene->skin_deformers.data[s]->vertices.data[v].dq_weight = 0;
    const bool byIndex = strcmp(line(), "byIndex") == 0;
    const size_t every = strtoul(line(), NULL, 10), clips = strtoul(line(), NULL, 10);
    describe(scene);
    printf("vertices\t%zu\nstacks\t%zu\n", writeVertices(scene, true), scene->anim_stacks.count);
    for (size_t c = 0; c < clips; ++c) {
        char *name = strdup(line());
        const size_t moments = strtoul(line(), NULL, 10);
        const ufbx_anim_stack *stack = *name ? find(scene, name, c, byIndex) : NULL;
        if (*name && !stack) printf("missing\n");
        else if (stack) printf("recorded\t%.9f\t%s\n", lastKey(stack), stack->name.data);
        else printf("recorded\t0\t\n");
        for (size_t k = 0; k < moments; ++k) {
            const double seconds = strtod(line(), NULL);
            if (*name && !stack) continue;
            if (stack) {
                playMoment(scene, stack->anim, seconds, k % every == 0);
            } else {
                writePose(scene);
                if (k % every == 0) writeVertices(scene, false);
            }
        }
        free(name);
    }
    fclose(out);
    return 0;
}
