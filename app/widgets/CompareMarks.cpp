#include "app/widgets/CompareMarks.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Theme.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/Texts.h"
#include "core/math/Degrees.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>
#include <QTreeWidget>

namespace tendon::editor {

void paintCompareMark(QPainter& painter, std::size_t look, const QPointF& at, double radius)
{
    const CompareLook own = compareLook(look);
    const QColor color = Theme::instance().color(QLatin1StringView(own.token));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const double r = radius;
    switch (own.mark) {
    case CompareLook::Mark::Circle: painter.drawEllipse(at, r, r); break;
    case CompareLook::Mark::Square: painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r)); break;
    case CompareLook::Mark::Triangle:
        painter.drawPolygon(
            QPolygonF({at + QPointF(0, -1.2 * r), at + QPointF(1.1 * r, r), at + QPointF(-1.1 * r, r)}));
        break;
    case CompareLook::Mark::Diamond:
        painter.drawPolygon(QPolygonF({at + QPointF(0, -1.3 * r), at + QPointF(1.3 * r, 0), at + QPointF(0, 1.3 * r),
                                       at + QPointF(-1.3 * r, 0)}));
        break;
    }
    painter.restore();
}

void paintCompareSample(QPainter& painter, std::size_t look, const QPointF& left, double width)
{
    const Theme& theme = Theme::instance();
    const CompareLook own = compareLook(look);
    painter.setPen(QPen(theme.color(QLatin1StringView(own.token)), 1.5 * theme.scale(), own.pen));
    painter.drawLine(left, left + QPointF(width, 0));
    paintCompareMark(painter, look, left + QPointF(width / 2, 0), 4 * theme.scale());
}

void makeCompareTable(QTreeWidget& table, const QStringList& titles, const QStringList& tips)
{
    table.setRootIsDecorated(false);
    table.setAlternatingRowColors(true);
    table.setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // the tab gives it the width that it needs
    table.header()->setStretchLastSection(false);
    table.setIconSize({Theme::instance().px(28), Theme::instance().px(16)});
    table.setHeaderLabels(titles);
    for (int i = 0; i < titles.size(); ++i) {
        table.headerItem()->setToolTip(i, tips.value(i));
        if (i > 0 && i + 1 < titles.size()) table.headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    }
    table.header()->moveSection(static_cast<int>(titles.size()) - 1, 1);
}

void fitCompareColumns(QTreeWidget& table)
{
    constexpr const char* kFitted = "fittedRows"; // with the same rows no column shrinks: what is beside would jump
    const int sentence = table.columnCount() - 1, longest = Theme::instance().px(220);
    const bool hasSameRows = table.property(kFitted).toInt() == table.topLevelItemCount();
    for (int i = 0; i < table.columnCount(); ++i) {
        const int before = table.columnWidth(i);
        table.resizeColumnToContents(i);
        if (hasSameRows && table.columnWidth(i) < before) table.setColumnWidth(i, before);
    }
    table.setProperty(kFitted, table.topLevelItemCount());
    if (table.columnWidth(sentence) > longest) table.setColumnWidth(sentence, longest);
}

QTreeWidgetItem* addCompareRow(QTreeWidget& table, std::size_t look, const SolverRegistry& solvers,
                               const std::string& solver)
{
    const Theme& theme = Theme::instance();
    const qreal dpr = table.devicePixelRatioF();
    const QSizeF size(theme.px(28), theme.px(16));
    QPixmap picture((size * dpr).toSize());
    picture.setDevicePixelRatio(dpr);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintCompareSample(painter, look, QPointF(0, size.height() / 2), size.width());
    painter.end();

    auto* row = new QTreeWidgetItem(&table);
    const SolverInfo* info = solvers.find(solver);
    const QString text = QString::fromStdString(info != nullptr ? info->name : solver);
    row->setIcon(0, picture);
    if (info != nullptr) row->setToolTip(0, aboutSolver(*info));
    QStringList all; // the title says it of every row
    for (int i = 0; i < table.topLevelItemCount(); ++i) all << table.topLevelItem(i)->toolTip(0);
    table.headerItem()->setToolTip(0, all.join('\n'));
    row->setText(0, look == 0 ? QCoreApplication::translate("ComparePanel", "%1 (in use)").arg(text) : text);
    for (int i = 1; i + 1 < table.columnCount(); ++i) row->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    return row;
}

void showProblem(QTreeWidgetItem& row, int column, const std::string& problem)
{
    row.setText(column, QString::fromStdString(problem));
    row.setToolTip(column, row.text(column));
    row.setIcon(column, iconOf(Mark::Warning));
}

QString missOf(double metres)
{
    return metres < 1e-9 ? QCoreApplication::translate("ComparePanel", "under 1 nm") : lengthOf(metres);
}

QString turnOf(double radians)
{
    const double angle = radians * kDegrees;
    return angle < 1e-4 ? QCoreApplication::translate("ComparePanel", "under 0.0001°")
                        : QString::number(angle, 'g', 3) + QStringLiteral("°");
}

QString millisecondsOf(double seconds)
{
    return seconds > 0 ? QString::number(seconds * 1000, 'f', seconds < 1e-3 ? 3 : 2) : QStringLiteral("–");
}

} // namespace tendon::editor
