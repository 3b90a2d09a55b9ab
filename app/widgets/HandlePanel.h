#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/KeyDiamond.h"
#include "app/widgets/ObjectFields.h"
#include "app/widgets/Section.h"
#include "app/widgets/SettingFields.h"

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;

namespace tendon::editor {

/// The settings of a handle: the joints of its chain, solver, weights, effector, pole, followed joint, tolerances. An
/// edit changes every selected handle.
class HandlePanel : public Section
{
    Q_OBJECT
public:
    explicit HandlePanel(Editor& editor, QWidget* parent = nullptr);
    void show(const InspectorTarget& target);
    void refresh();

signals:
    void walked(JointId joint); ///< one of the chain's joints was chosen

private:
    NumberField* addNumber(const QString& label, const char* field, NumberField::Format format, double factor,
                           std::function<double(const Handle&)> value);
    /// A choice of one of the scene's joints, or none, that only handles with a curve have.
    struct Up
    {
        QLabel* label = nullptr;
        QComboBox* choice = nullptr;
    };
    [[nodiscard]] Up addUp(const QString& label, const char* field);
    /// What the goal, or the pole, follows at the frame that is shown, and whether that is keyed.
    struct Follow
    {
        QLabel* label = nullptr;
        QComboBox* choice = nullptr;
        KeyDiamond* key = nullptr;
    };
    [[nodiscard]] Follow addFollow(const QString& label, Property place);
    [[nodiscard]] QString followed(const Handle& handle, Property place) const; ///< its name; kNone = the world
    [[nodiscard]] QJsonObject follow(Property place, const QString& name) const;
    [[nodiscard]] QJsonObject keyOrUnkey(Property place) const;
    [[nodiscard]] QJsonObject changeFromHere(Property place, const QJsonValue& space) const;
    void showFollowMenu(Property place, const QPoint& globalPosition);
    void showFollow(const Follow& row, Property place);
    /// Greys the fields of a setting, named as the operation setHandle names it, while the solver does not use it.
    void greyIfUnused(const char* field, const QString& title, QWidget* widget);
    void fillFollowed(QComboBox& choice) const;
    void fillChoices();
    void showIfSolverIsLoaded(const Handle& shown);
    void fillChain(const Handle& handle);
    void showBadge(const HandleView* view); ///< IK, FK or the blend in percent; of a constraint always in percent
    [[nodiscard]] QJsonObject forHandles(const std::function<QJsonObject(const Handle&)>& fields) const;
    /// An edit of one field of all handles that are edited.
    [[nodiscard]] QJsonObject with(const char* field, const QJsonValue& value) const;
    [[nodiscard]] QString jointChoice(JointId joint) const; ///< what a list of joints shows for a joint or for none
    [[nodiscard]] const Handle* handle() const;

    Editor& m_editor;
    InspectorTarget m_target;
    ObjectFields<Handle> m_values;
    QComboBox *m_solver, *m_aim, *m_pole, *m_unreachable;
    QList<QWidget*> m_ofSolves; ///< rows that no constraint has
    Follow m_follow, m_poleFollow;
    Up m_startUp, m_endUp;
    QCheckBox *m_pinned, *m_sticky;
    QLabel *m_badge, *m_empty, *m_chain, *m_poleLabel, *m_aimLabel;
    QListWidget* m_joints;
    std::array<NumberField*, 3> m_offset{};
    QWidget* m_fields;
    SettingFields m_settings;
    Shared<ObjectList<Joint>> m_listed; ///< that the lists of joints were filled from
    Shared<ObjectList<Handle>> m_listedHandles;
    bool m_hasChoices = false;
};

} // namespace tendon::editor
