#pragma once

#include "app/editor/Job.h"
#include "app/widgets/task/ChoiceHistory.h"
#include "app/widgets/task/RigChoices.h"
#include "app/widgets/task/RigMarks.h"
#include "app/widgets/task/TaskBody.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QFrame;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tendon::editor {

class LimbRow;
class LimitRow;
class MainWindow;
class Section;
class TaskRow;
class UnknownRow;

/// The task Rig it: shows the limbs that were found with reasons, lets them be ticked and corrected, and makes handles,
/// limits and preferred angles of them as one step. Guesses are made in another thread; ticks only choose from them.
class RigTask : public TaskBody
{
    Q_OBJECT
public:
    /// `window` outlives the task.
    explicit RigTask(MainWindow& window);
    ~RigTask() override;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subject() const override;
    [[nodiscard]] QString note() const override;
    [[nodiscard]] QString picture() const override { return QStringLiteral("guess-rig"); }
    [[nodiscard]] QString helpPage() const override { return QStringLiteral("rig-it"); }
    [[nodiscard]] QString hint() const override;
    [[nodiscard]] QString outcome() const override;
    [[nodiscard]] QString mainText() const override;
    [[nodiscard]] UserText whyNot() const override;
    void run() override;
    [[nodiscard]] bool canUndo() const override { return m_choices.canUndo(); }
    [[nodiscard]] bool canRedo() const override { return m_choices.canRedo(); }
    void undo() override;
    void redo() override;
    [[nodiscard]] QList<QWidget*> rows() const override;
    void setCompact(bool isCompact) override;
    void begin() override;
    void end() override;

    /// Null until the first guess is there.
    [[nodiscard]] const RigGuess* guess() const { return m_guess.get(); }
    [[nodiscard]] bool isWorking() const override { return m_job != nullptr; }

signals:
    void guessed(); ///< a guess is there, and shown

private:
    struct Line : RigLine
    {
        TaskRow* row = nullptr;
    };

    void buildHead(QVBoxLayout& column);
    void buildSections(QVBoxLayout& column);
    void choose(RigChoices next);
    void follow(const RigChoices& before); ///< the choices have changed: guesses again, or shows the ticks
    void lookAgain();                      ///< guesses, now or when the running guess is over
    void takeGuess(std::shared_ptr<const RigGuess> guess, const RigChoices& of);
    void noteDocument();
    void rebuild();
    void addLimbs();
    void addLimits();
    void addUnknown();
    void fillClips();
    void refresh();
    void tick(const Limb& limb, bool isTicked, bool alsoOther);
    void swapSides();
    void pickLimb();
    void say(JointId joint, const QPoint& at);
    void point(const TaskRow* row, bool isIn);
    void pointFromView();
    void showMarks();
    void frame(const Line& line);
    void goToFirstToCheck();
    [[nodiscard]] const Line* lineOf(const TaskRow* row) const;
    [[nodiscard]] const Line* lineWith(JointId joint) const;
    [[nodiscard]] std::size_t toCheck() const;
    [[nodiscard]] JointUse useOf(const UnknownJoints& unknown) const;

    MainWindow& m_window;
    ChoiceHistory<RigChoices> m_choices;
    std::shared_ptr<const RigGuess> m_guess;
    std::unique_ptr<Job> m_job;
    bool m_isStale = false;   ///< guess again when m_job is over
    bool m_isChanged = false; ///< the skeleton has changed since the guess
    bool m_isRunning = false; ///< the main button was pressed
    bool m_isCompact = false;
    bool m_hasEnded = false;
    std::shared_ptr<const Scene> m_seen; ///< that the guess was made from
    RigOutcome m_outcome;
    std::vector<Line> m_lines;
    const TaskRow* m_pointed = nullptr; ///< by the mouse or the focus
    JointId m_pointedJoint;             ///< in the view

    QLabel *m_found = nullptr, *m_message = nullptr;
    QPushButton *m_toCheck = nullptr, *m_swap = nullptr, *m_remedy = nullptr;
    QFrame* m_state = nullptr;
    QLabel *m_stateTitle = nullptr, *m_stateIcon = nullptr;
    QComboBox *m_by = nullptr, *m_learnFrom = nullptr;
    QGridLayout* m_limbs = nullptr;
    QWidget* m_limbArea = nullptr;
    Section *m_limits = nullptr, *m_unknown = nullptr;
    QCheckBox* m_setLimits = nullptr;
    std::map<std::string, LimbRow*> m_limbRows;
    std::map<std::string, LimitRow*> m_limitRows;
    std::vector<std::pair<JointId, UnknownRow*>> m_unknownRows;
};

} // namespace tendon::editor
