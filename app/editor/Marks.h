#pragma once

#include "core/roles/RoleNames.h"
#include "core/runtime/CompiledRig.h"
#include "core/scene/Scene.h"

#include <QObject>
#include <QPoint>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace tendon::editor {

/// How something about a joint is coloured: by the side of its role, or as not known (dashed).
enum class RoleColour { Left, Right, Centre, Unknown };

[[nodiscard]] RoleColour roleColourOf(Side side);
/// The token of the theme: "role.left".
[[nodiscard]] const char* tokenOf(RoleColour colour);

/// What an open task draws over the figure.
struct ViewMarks
{
    struct Word
    {
        JointId at;
        QString text = {};
        RoleColour colour = RoleColour::Centre;
        bool isLit = false;

        bool operator==(const Word&) const = default;
    };
    /// A handle that would be made.
    struct Goal
    {
        JointId start, end;
        Vector3 offset = Vector3::Zero(); ///< [m] of the goal, in the space of the joint at the end
        QString name = {};

        bool operator==(const Goal&) const = default;
    };

    std::map<JointId, RoleColour> colours; ///< joints that are not named are drawn as usual
    std::set<JointId> lit;                 ///< what is pointed at
    std::vector<Word> words;
    std::vector<Goal> goals;                     ///< the one that is pointed at has a name
    std::vector<JointId> limited;                ///< joints whose limits are drawn as `rig` has them
    std::shared_ptr<const CompiledRig> rig = {}; ///< of the same joints in the same order as the document's

    bool operator==(const ViewMarks&) const = default;
};

/// The marks of the open task, and the clicks on joints that it takes. Without a task there are none. GUI thread.
class Marks : public QObject
{
    Q_OBJECT
public:
    explicit Marks(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const ViewMarks& marks() const { return m_marks; }
    void set(ViewMarks marks);

    /// While a task asks for it, a click on a joint in the view is told as jointClicked().
    [[nodiscard]] bool takesClicks() const { return m_takesClicks; }
    void setTakesClicks(bool takes) { m_takesClicks = takes; }
    void click(JointId joint, const QPoint& at) { emit jointClicked(joint, at); } ///< `at`: on the screen
    void clear();

signals:
    void changed();
    void jointClicked(tendon::JointId joint, const QPoint& at);

private:
    ViewMarks m_marks;
    bool m_takesClicks = false;
};

} // namespace tendon::editor
