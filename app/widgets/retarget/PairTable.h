#pragma once

#include "app/editor/RetargetTask.h"

#include <QWidget>

class QVBoxLayout;

namespace tendon::editor {

/// The table of a retarget: role, joint in the motion, joint on the character, a mark. A row that is to be checked says
/// why on a second line, and its joint is a choice; a click on any other makes one of it. Pointing at a row lights its
/// joints in the view.
class PairTable : public QWidget
{
    Q_OBJECT
public:
    enum class Filter { All, ToCheck, Fingers };

    /// `task` outlives the table.
    explicit PairTable(RetargetTask& task, QWidget* parent = nullptr);

    void setFilter(Filter filter);
    [[nodiscard]] QList<QWidget*> rows() const; ///< in their order, those that the filter hides, too
    /// Lights the row of a role; "" = none. Its line in the view is drawn by who points.
    void light(const QString& role);

signals:
    void playWanted();                                               ///< Space on a row
    void roleChosen(const std::string& role, tendon::JointId joint); ///< no joint: none has it

private:
    class Row;
    void refresh();

    RetargetTask& m_task;
    QVBoxLayout* m_column;
    QWidget* m_head;
    std::vector<Row*> m_rows;
    Filter m_filter = Filter::All;
};

} // namespace tendon::editor
