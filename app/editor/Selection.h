#pragma once

#include "core/scene/Scene.h"

#include <QObject>

#include <optional>
#include <vector>

namespace tendon::editor {

/// What can be selected. A handle stands for its goal: moving it moves the goal. One whose chain follows a curve is
/// moved by the points of the curve. Its effector is the point of its end joint that is to meet the goal.
struct SelectionItem
{
    enum class Kind { None, Joint, Handle, Pole, Effector, CurvePoint };

    Kind kind = Kind::None;
    ObjectId object = 0; ///< the joint, or the handle that the goal, pole, effector or point is of
    int index = 0;       ///< of a CurvePoint

    [[nodiscard]] bool isValid() const { return kind != Kind::None; }
    [[nodiscard]] JointId joint() const { return {kind == Kind::Joint ? object : 0}; }
    [[nodiscard]] HandleId handle() const { return {isValid() && kind != Kind::Joint ? object : 0}; }

    static SelectionItem of(JointId joint) { return {Kind::Joint, joint.value}; }
    static SelectionItem of(HandleId handle) { return {Kind::Handle, handle.value}; }
    static SelectionItem poleOf(HandleId handle) { return {Kind::Pole, handle.value}; }
    static SelectionItem curvePointOf(HandleId handle, int index) { return {Kind::CurvePoint, handle.value, index}; }
    static SelectionItem effectorOf(HandleId handle) { return {Kind::Effector, handle.value}; }

    bool operator==(const SelectionItem&) const = default;
};

/// What is selected, in the order in which it was, and what the mouse is over. The last one is the active one: panels
/// show it, the gizmo stands on it. Not part of the document, so no undo step.
class Selection : public QObject
{
    Q_OBJECT
public:
    enum class How { Replace, Add, Toggle };

    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const std::vector<SelectionItem>& items() const { return m_items; }
    [[nodiscard]] SelectionItem active() const { return m_items.empty() ? SelectionItem{} : m_items.back(); }
    [[nodiscard]] bool isEmpty() const { return m_items.empty(); }
    [[nodiscard]] bool contains(SelectionItem item) const;
    [[nodiscard]] bool containsObject(ObjectId object) const; ///< as a joint, or as a control of a handle

    void select(SelectionItem item, How how = How::Replace); ///< an invalid item with Replace clears
    void select(std::vector<SelectionItem> items, How how = How::Replace);
    void clear() { select(std::vector<SelectionItem>{}); }

    [[nodiscard]] SelectionItem hovered() const { return m_hovered; }
    void setHovered(SelectionItem item);

    /// A place on a curve that the mouse is over; none = it is over no curve. Not selected, but what a new point of the
    /// curve is made at.
    struct CurvePlace
    {
        HandleId handle;
        Vector3 place = Vector3::Zero(); ///< [m] in the world
    };
    [[nodiscard]] const std::optional<CurvePlace>& curvePlace() const { return m_curvePlace; }
    void setCurvePlace(const std::optional<CurvePlace>& place) { m_curvePlace = place; }

    /// Drops what is no longer in the scene.
    void prune(const Scene& scene);

signals:
    void changed();
    void hoverChanged();

private:
    std::vector<SelectionItem> m_items;
    SelectionItem m_hovered;
    std::optional<CurvePlace> m_curvePlace;
};

} // namespace tendon::editor
