#include "app/viewport/view/PreparedParts.h"

#include <algorithm>
#include <mutex>

namespace tendon::viewport {
namespace {

struct Entry
{
    std::weak_ptr<const ModelAsset> model;
    std::once_flag made; ///< one thread prepares them, others wait
    ModelParts parts;
};

std::shared_ptr<Entry> entryOf(const std::shared_ptr<const ModelAsset>& model)
{
    static std::mutex mutex;
    static std::vector<std::shared_ptr<Entry>> entries;
    const std::lock_guard lock(mutex);
    std::erase_if(entries, [](const auto& entry) { return entry->model.expired(); });
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry->model.lock() == model; });
    if (found != entries.end()) return *found;
    const auto& added = entries.emplace_back(std::make_shared<Entry>());
    added->model = model;
    return added;
}

} // namespace

std::shared_ptr<const ModelParts> preparedParts(const std::shared_ptr<const ModelAsset>& model)
{
    const auto entry = entryOf(model);
    std::call_once(entry->made, [&] {
        for (const Mesh& mesh : model->meshes) entry->parts.push_back(meshParts(mesh));
    });
    return {entry, &entry->parts};
}

} // namespace tendon::viewport
