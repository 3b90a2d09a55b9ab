#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <string>

class QPainter;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon {
class SolverRegistry;
}

namespace tendon::editor {

/// Paints the mark of compared solver `look`, filled, centred at a point.
void paintCompareMark(QPainter& painter, std::size_t look, const QPointF& at, double radius);

/// Paints a line with the mark in its middle, as the solver's curve and chain are drawn.
void paintCompareSample(QPainter& painter, std::size_t look, const QPointF& left, double width);

/// Sets up a table with a row for each compared solver: the first column names it, the last one says how it ended,
/// those between are numbers. How it ended is shown beside the name: where there is little room, numbers are scrolled
/// to.
void makeCompareTable(QTreeWidget& table, const QStringList& titles, const QStringList& tips);
void fitCompareColumns(QTreeWidget& table); ///< to what they show; only a whole sentence is cut
/// `solver` is its alias or, where it is not installed, what it was asked for by. Look 0 is in use.
QTreeWidgetItem* addCompareRow(QTreeWidget& table, std::size_t look, const SolverRegistry& solvers,
                               const std::string& solver);
void showProblem(QTreeWidgetItem& row, int column, const std::string& problem);

[[nodiscard]] QString missOf(double metres);          ///< "0.21 mm"; less than can matter is "under 1 nm"
[[nodiscard]] QString turnOf(double radians);         ///< "2.1°"; less than can matter is "under 0.0001°"
[[nodiscard]] QString millisecondsOf(double seconds); ///< a dash for 0: not measured

} // namespace tendon::editor
