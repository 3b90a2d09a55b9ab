#pragma once

#include "app/editor/Selection.h"
#include "app/editor/SolvedRange.h"

#include <QJsonObject>

#include <vector>

namespace tendon::editor {

/// The path of a joint, a goal, a pole or an effector through the solved frames, in their order.
struct Trail
{
    struct Point
    {
        int frame = 1;
        Vector3 place = Vector3::Zero(); ///< [m] in the world
        bool isAged = false;             ///< as it was before the last edits
        bool isKey = false;              ///< the object has a key at this frame
        bool isMovable = false;          ///< and the key says where the object is: moveTrailKey() moves it
    };
    SelectionItem item;
    std::vector<Point> points;
};

/// The trails of what is selected, kept from picture to picture.
class Trails
{
public:
    static constexpr int kMaxReach = 300; ///< [frames] on each side of the playhead

    /// Makes them anew if anything that they depend on has changed, or `isChanged`.
    void update(const Selection& selection, const SolvedRange& range, const Scene& scene, const Clip* clip, int frame,
                bool isChanged);
    void clear() { *this = {}; }
    [[nodiscard]] const std::vector<Trail>& all() const { return m_trails; }

private:
    std::vector<Trail> m_trails;
    std::vector<SelectionItem> m_items;
    int m_first = 0, m_last = -1; ///< frames
};

/// The operation that moves the key of a trail's point by a way in the world [m]: of the goal or pole of a handle, or
/// of the translation of a joint, in the layer that is edited. Error: the path comes from other channels, or there is
/// no key of the layer.
[[nodiscard]] Result<QJsonObject> moveTrailKey(const Scene& scene, const Clip* clip, const SolvedRange& range,
                                               const SelectionItem& item, int frame, const Vector3& way, Layer layer);

} // namespace tendon::editor
