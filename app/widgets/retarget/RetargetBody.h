#pragma once

#include "app/editor/RetargetTask.h"
#include "app/widgets/task/ChoiceHistory.h"
#include "app/widgets/task/TaskBody.h"

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tendon::editor {

class NumberField;
class PairTable;
class Section;
class SegmentBar;

/// The task Retarget: a motion beside the character, which joint follows which, from which rest pose, and where the
/// travel goes. Apply is one operation `retarget`.
class RetargetBody : public TaskBody
{
    Q_OBJECT
public:
    /// `frameAll`: brings both figures into view when they are there first.
    RetargetBody(Editor& editor, RetargetSource source, std::function<void()> frameAll, QWidget* parent = nullptr);

    [[nodiscard]] RetargetTask& task() { return m_task; }
    [[nodiscard]] bool isWorking() const override { return m_task.isWorking(); }
    [[nodiscard]] static QString mapsFolder(); ///< where maps are saved, unless another folder is chosen

    void end() override { m_task.stop(); } // what it shows in the view goes at once
    [[nodiscard]] QString title() const override { return tr("Retarget"); }
    [[nodiscard]] QString subject() const override;
    [[nodiscard]] QString picture() const override { return QStringLiteral("retarget"); }
    [[nodiscard]] QString helpPage() const override { return QStringLiteral("retarget"); }
    [[nodiscard]] QString hint() const override;
    [[nodiscard]] QString outcome() const override;
    [[nodiscard]] QString mainText() const override { return tr("Apply"); }
    [[nodiscard]] UserText whyNot() const override;
    void run() override;
    [[nodiscard]] bool canUndo() const override { return m_history.canUndo(); }
    [[nodiscard]] bool canRedo() const override { return m_history.canRedo(); }
    void undo() override;
    void redo() override;
    [[nodiscard]] QList<QWidget*> rows() const override;
    void setCompact(bool isCompact) override;

    void showSource(bool isSource); ///< the motion alone instead of the character
    [[nodiscard]] bool showsSource() const { return m_task.look().isSource; }

private:
    void addTop(QVBoxLayout& column);
    void addTable(QVBoxLayout& column);
    void addRestPose(QVBoxLayout& column);
    void addRoot(QVBoxLayout& column);
    void addKeys(QVBoxLayout* body);
    void choose(const RetargetChoices& choices); ///< a step
    /// choose() with one thing changed.
    template <typename Change>
    void edit(Change&& change)
    {
        RetargetChoices next = m_task.choices();
        std::forward<Change>(change)(next);
        choose(next);
    }
    void refresh();
    void showChoices();
    void showMaps();
    void showRootBones();
    void showMessages();
    void showOneSided();
    void showToCheck();
    void frameBoth();
    void useMap(int index);
    void loadMap();
    void saveMap();
    void useFingers(bool on);

    Editor& m_editor;
    RetargetTask m_task;
    ChoiceHistory<RetargetChoices> m_history;
    std::function<void()> m_frameAll;
    bool m_isKnown = false; ///< the first preview is there
    QMetaObject::Connection m_framing;

    QComboBox *m_clip, *m_map, *m_rootBone;
    QPushButton *m_saveMap, *m_toCheck;
    QLabel *m_matched, *m_isSure, *m_oneSided, *m_same, *m_size;
    SegmentBar *m_filter, *m_pose, *m_place, *m_align, *m_root;
    QVBoxLayout* m_messages;
    PairTable* m_table;
    Section *m_restSection, *m_rootSection;
    NumberField *m_spread, *m_scale;
    QCheckBox *m_turns, *m_auto, *m_handReach, *m_fingers, *m_keepLimits, *m_onFrames;
    QWidget* m_rootRow;
    QString m_shownMessages; ///< what showMessages() has shown last
};

} // namespace tendon::editor
