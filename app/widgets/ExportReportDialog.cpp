#include "app/widgets/ExportReportDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/ErrorGraph.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/NameRows.h"
#include "app/widgets/Section.h"
#include "app/widgets/Texts.h"
#include "core/scene/Scene.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <numbers>

namespace tendon::editor {
namespace {

QString degreesText(double radians)
{
    const double degrees = radians * 180 / std::numbers::pi;
    if (degrees > 0 && degrees < 1e-4) return QStringLiteral("< 0.0001 °");
    return QString::number(degrees, 'g', 3) + QStringLiteral(" °");
}

} // namespace

ExportReportDialog::ExportReportDialog(const QString& file, const ExportOutcome& outcome, QWidget* parent)
    : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    const ReadBack& read = outcome.report.readBack;
    const QString name = QFileInfo(file).fileName();
    setWindowTitle(tr("Exported %1").arg(name));
    setObjectName(QStringLiteral("exportReport"));
    setMinimumWidth(theme.px(640));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(8));
    const QString verdict = !read.isWithin() ? tr("Written, but the file differs from the scene")
                            : read.cappingError > ReadBack::kVertexTolerance * read.radius
                                ? tr("Written and read back: the file matches the scene, but for capped influences")
                                : tr("Written and read back: the file matches the scene");
    const QString what = tr("%1 · %2 · %3 samples, read back with %4")
                             .arg(name, QLocale().formattedDataSize(outcome.report.bytes),
                                  QString::number(read.samples.size()), QString::fromStdString(read.reader));
    addVerdict(*column, read.isWithin(), verdict, what);
    addChecks(*column, read, outcome.goals);
    addGraph(*column, read);
    addNotes(*column, outcome);
    QStringList text{
        verdict, what,
        tr("Largest joint error: %1 (%2)").arg(lengthOf(read.jointError), QString::fromStdString(read.jointAt))};
    if (read.vertices > 0)
        text << tr("Largest vertex error: %1 (%2)")
                    .arg(lengthOf(read.vertexError), QString::fromStdString(read.vertexAt));
    if (read.cappingError > 0)
        text << tr("Capping influences moves vertices by up to %1 (%2)")
                    .arg(lengthOf(read.cappingError), QString::fromStdString(read.cappingAt));
    for (const Issue& issue : outcome.issues) text << textOf(issue);
    addButtons(*column, file, text.join('\n'));
}

void ExportReportDialog::addVerdict(QVBoxLayout& column, bool isGood, const QString& verdict, const QString& what)
{
    const Theme& theme = Theme::instance();
    auto* frame = new QFrame;
    const MarkLook look = lookOf(isGood ? Mark::Ok : Mark::Error);
    frame->setProperty("message", look.message);
    auto* row = new QHBoxLayout(frame);
    row->setSpacing(theme.px(10));
    auto* mark = new QLabel;
    mark->setPixmap(iconPixmap(look.icon, look.token, theme.px(20), devicePixelRatioF()));
    mark->setAccessibleName(look.word);
    row->addWidget(mark);
    auto* words = new QLabel(QStringLiteral("<b>%1</b><br>%2").arg(verdict.toHtmlEscaped(), what.toHtmlEscaped()));
    words->setWordWrap(true);
    row->addWidget(words, 1);
    column.addWidget(frame);
}

void ExportReportDialog::addChecks(QVBoxLayout& column, const ReadBack& read, const GoalTally& goals)
{
    auto* table = new QTreeWidget;
    table->setObjectName(QStringLiteral("report.checks"));
    table->setAccessibleName(tr("Checks"));
    table->setRootIsDecorated(false);
    table->setAlternatingRowColors(true);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setHeaderLabels({tr("Check"), tr("In the file"), tr("Expected"), tr("Where")});
    const auto add = [&](Mark mark, const QString& check, const QString& found, const QString& expected,
                         const QString& where) {
        auto* row = new QTreeWidgetItem(table, {check, found, expected, where});
        row->setIcon(0, iconOf(mark));
        row->setData(0, Qt::AccessibleTextRole, QStringLiteral("%1: %2").arg(lookOf(mark).word, check));
        row->setToolTip(3, where);
        for (const int number : {1, 2}) row->setTextAlignment(number, Qt::AlignRight | Qt::AlignVCenter);
    };
    const auto mark = [](bool isGood) { return isGood ? Mark::Ok : Mark::Error; };
    const auto atMost = [](const QString& most) { return tr("at most %1").arg(most); };
    const double joint = read.jointTolerance(), vertex = read.vertexTolerance();
    add(mark(read.jointError <= joint), tr("Largest joint error"), lengthOf(read.jointError), atMost(lengthOf(joint)),
        QString::fromStdString(read.jointAt));
    if (read.turnError >= 0)
        add(mark(read.turnError <= ReadBack::kTurnTolerance), tr("Largest rotation error"), degreesText(read.turnError),
            atMost(degreesText(ReadBack::kTurnTolerance)), QString::fromStdString(read.turnAt));
    if (read.vertices > 0)
        add(mark(read.vertexError <= vertex),
            tr("Largest vertex error (%1 vertices)").arg(QLocale().toString(static_cast<qlonglong>(read.vertices))),
            lengthOf(read.vertexError), atMost(lengthOf(vertex)), QString::fromStdString(read.vertexAt));
    if (read.cappedVertices > 0)
        add(Mark::Info, tr("Cost of capping %1 vertices").arg(QLocale().toString(qlonglong(read.cappedVertices))),
            lengthOf(read.cappingError), {}, QString::fromStdString(read.cappingAt));
    add(mark(read.missing.empty()), tr("Missing joints, meshes, clips"), QString::number(read.missing.size()),
        QStringLiteral("0"), {});
    if (goals.samples > 0) {
        const GoalResult* worst = goals.worstMissed();
        const bool isTurned = worst != nullptr && worst->error <= 2 * Handle().positionTolerance;
        add(worst == nullptr ? Mark::Ok : Mark::Warning, tr("Goals met when solved"),
            tr("%1 of %2").arg(goals.samplesMet).arg(goals.samples), QString::number(goals.samples),
            worst == nullptr ? QString()
                             : (isTurned ? tr("%3 off: %1, frame %2") : tr("%3 short: %1, frame %2"))
                                   .arg(QString::fromStdString(worst->handle))
                                   .arg(worst->frame)
                                   .arg(isTurned ? degreesText(worst->rotationError) : lengthOf(worst->error)));
    }
    table->setItemDelegateForColumn(3, new NameRows(table));
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int number : {1, 2}) table->headerItem()->setTextAlignment(number, Qt::AlignRight | Qt::AlignVCenter);
    setRowsShown(*table, table->topLevelItemCount());
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // What is long in the last column makes the dialog wider, within reason; then the name is cut and not the number.
    constexpr int kWidest = 860; // [px]
    int needed = 0;
    for (int i = 0; i < table->columnCount(); ++i)
        needed += std::max(static_cast<QAbstractItemView*>(table)->sizeHintForColumn(i),
                           table->header()->sectionSizeHint(i));
    const Theme& theme = Theme::instance();
    setMinimumWidth(std::clamp(needed + theme.px(32 + 16), theme.px(640), theme.px(kWidest)));
    column.addWidget(table);
}

void ExportReportDialog::addGraph(QVBoxLayout& column, const ReadBack& read)
{
    if (read.samples.size() < 2) return;
    const double tolerance = read.jointTolerance();
    auto* row = new QHBoxLayout;
    row->addWidget(headingOf(tr("Joint error by frame")));
    row->addStretch(1);
    auto* limit = new QLabel(tr("at most %1").arg(lengthOf(tolerance)));
    limit->setProperty("role", "hint");
    row->addWidget(limit);
    column.addLayout(row);
    column.addWidget(new ErrorGraph(read.samples, tolerance));
}

void ExportReportDialog::addNotes(QVBoxLayout& column, const ExportOutcome& outcome)
{
    if (outcome.issues.empty()) return;
    auto* row = new QHBoxLayout;
    row->addWidget(headingOf(tr("Notes")));
    row->addStretch(1);
    if (const GoalResult* worst = outcome.goals.worstMissed()) {
        const int frame = qRound(worst->frame);
        auto* go = new QPushButton(tr("Go to frame %1").arg(frame));
        go->setObjectName(QStringLiteral("report.go"));
        go->setToolTip(tr("Jump to the frame with the largest goal error"));
        connect(go, &QPushButton::clicked, this, [this, frame] { emit frameWanted(frame); });
        row->addWidget(go);
    }
    column.addLayout(row);
    auto* list = new QListWidget;
    list->setObjectName(QStringLiteral("report.notes"));
    list->setAccessibleName(tr("Notes"));
    makeIssueList(*list);
    for (const Issue& issue : outcome.issues) addFinding(*list, markOf(issue.severity), textOf(issue));
    column.addWidget(list, 1);
}

void ExportReportDialog::addButtons(QVBoxLayout& column, const QString& file, const QString& text)
{
    auto* buttons = new QHBoxLayout;
    auto* copy = new QPushButton(icon("copy"), tr(" Copy report"));
    auto* folder = new QPushButton(icon("open"), tr(" Show in folder"));
    auto* close = new QPushButton(tr("Close"));
    close->setProperty("main", true);
    close->setDefault(true);
    buttons->addWidget(copy);
    buttons->addWidget(folder);
    buttons->addStretch(1);
    buttons->addWidget(close);
    column.addLayout(buttons);
    connect(copy, &QPushButton::clicked, this, [text] { QGuiApplication::clipboard()->setText(text); });
    connect(folder, &QPushButton::clicked, this,
            [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).path())); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

} // namespace tendon::editor
