#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <string>

class QPainter;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon::editor {

/// Paints the mark of compared solver `look`, filled, centred at a point.
void paintCompareMark(QPainter& painter, std::size_t look, const QPointF& at, double radius);

/// Paints a line with the mark in its middle, as the solver's curve and chain are drawn.
void paintCompareSample(QPainter& painter, std::size_t look, const QPointF& left, double width);

/// Sets up a table with a row for each compared solver: the first column names it, the last one says how it ended,
/// those between are numbers.
void makeCompareTable(QTreeWidget& table, const QStringList& titles, const QStringList& tips);
QTreeWidgetItem* addCompareRow(QTreeWidget& table, std::size_t look, const std::string& name); ///< look 0 is in use
void showProblem(QTreeWidgetItem& row, int column, const std::string& problem);

[[nodiscard]] QString missOf(double metres);          ///< "0.21 mm"; less than can matter is "under 1 nm"
[[nodiscard]] QString millisecondsOf(double seconds); ///< a dash for 0: not measured

} // namespace tendon::editor
