#include "core/io/export/prepare/Influences.h"

#include "core/base/Counted.h"

#include <algorithm>

namespace tendon {

std::vector<Influence> influencesOf(const Skin& skin, std::size_t vertex, std::size_t cap)
{
    std::vector<Influence> influences;
    for (std::uint32_t i = skin.influenceBegin[vertex]; i < skin.influenceBegin[vertex + 1]; ++i) {
        const auto same = std::find_if(influences.begin(), influences.end(),
                                       [&](const Influence& known) { return known.joint == skin.influenceJoint[i]; });
        if (same != influences.end())
            same->weight += static_cast<double>(skin.influenceWeight[i]);
        else if (skin.influenceWeight[i] > 0)
            influences.push_back({skin.influenceJoint[i], skin.influenceWeight[i]});
    }
    std::sort(influences.begin(), influences.end(), [](const Influence& a, const Influence& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
    });
    if (influences.size() > cap) influences.resize(cap);
    double sum = 0;
    for (const Influence& influence : influences) sum += influence.weight;
    if (!(sum > 0)) return {{0, 1.0}};
    for (Influence& influence : influences) influence.weight /= sum;
    return influences;
}

namespace {

std::size_t verticesAbove(const Skin& skin, std::size_t cap)
{
    std::size_t count = 0;
    for (std::size_t v = 0; v + 1 < skin.influenceBegin.size(); ++v)
        if (skin.influenceBegin[v + 1] - skin.influenceBegin[v] > cap) ++count;
    return count;
}

void capInfluences(Skin& skin, std::size_t cap)
{
    Skin result{skin.joints, skin.jointFromMesh, {0}, {}, {}, skin.worldFromMesh};
    for (std::size_t v = 0; v + 1 < skin.influenceBegin.size(); ++v) {
        if (skin.influenceBegin[v + 1] - skin.influenceBegin[v] <= cap) {
            const auto copy = [&](const auto& from, auto& to) {
                to.insert(to.end(), from.begin() + skin.influenceBegin[v], from.begin() + skin.influenceBegin[v + 1]);
            };
            copy(skin.influenceJoint, result.influenceJoint);
            copy(skin.influenceWeight, result.influenceWeight);
        } else {
            for (const Influence& influence : influencesOf(skin, v, cap)) {
                result.influenceJoint.push_back(influence.joint);
                result.influenceWeight.push_back(static_cast<float>(influence.weight));
            }
        }
        result.influenceBegin.push_back(static_cast<std::uint32_t>(result.influenceJoint.size()));
    }
    skin = std::move(result);
}

} // namespace

Scene withCappedInfluences(Scene scene, std::size_t cap, Issues& issues)
{
    if (!scene.model) return scene;
    std::shared_ptr<ModelAsset> capped; // a copy, once it is known that one is needed: models are large
    for (std::size_t m = 0; m < scene.model->meshes.size(); ++m) {
        const Mesh& mesh = scene.model->meshes[m];
        const std::size_t count = verticesAbove(mesh.skin, cap);
        if (count == 0) continue;
        if (!capped) capped = std::make_shared<ModelAsset>(*scene.model);
        capInfluences(capped->meshes[m].skin, cap);
        issues.push_back({Severity::Info,
                          counted(count, "vertex has", "vertices have") + " more than " + std::to_string(cap) +
                              " influences; the heaviest " + std::to_string(cap) + " are kept",
                          "mesh " + mesh.name});
    }
    if (capped) scene.model = std::move(capped);
    return scene;
}

} // namespace tendon
