#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QTreeWidget>

namespace tendon::editor {

/// The curves by object and channel, with their values at the current frame. The box in front of a row shows and hides
/// its curves; a selected row makes them active.
class GraphList : public QTreeWidget
{
    Q_OBJECT
public:
    explicit GraphList(GraphState& state, QWidget* parent = nullptr);

private:
    void refresh();
    void rebuild();
    void showValues();
    [[nodiscard]] std::vector<CurveId> curvesOf(const QTreeWidgetItem* item) const;
    QTreeWidgetItem* addRow(QTreeWidgetItem* parent, const QString& text, const CurveId* curve);
    void take(QTreeWidgetItem* item); ///< its check box
    void takeSelection();

    GraphState& m_state;
    std::vector<CurveId> m_ids;                               ///< that there are rows for
    std::vector<std::pair<QTreeWidgetItem*, CurveId>> m_rows; ///< of single curves
    bool m_isRefreshing = false;
};

} // namespace tendon::editor
