#include "app/widgets/dope/DopePanel.h"

#include "app/widgets/CommandTable.h"
#include "app/widgets/dope/DopeBar.h"
#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "core/scene/Check.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {

DopePanel::DopePanel(GraphState& state, CommandTable& commands, TimeView& time, QWidget* parent)
    : QWidget(parent), m_state(state), m_commands(commands), m_sheet(new DopeSheet(state, time))
{
    setObjectName(QStringLiteral("dopePanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new DopeBar(state, commands, *m_sheet));
    column->addWidget(m_sheet, 1);
    connect(m_sheet, &DopeSheet::menuRequested, this, [this](QPoint at, int row) {
        m_commands.refresh();
        QMenu menu(this);
        menu.setObjectName(QStringLiteral("dopeMenu"));
        menu.setToolTipsVisible(true);
        if (row < 0)
            fillKeyMenu(menu);
        else
            fillRowMenu(menu, row);
        menu.exec(at);
    });
    m_sheet->setNoKeysText([&commands] { return commands.noKeysText(); });
    m_sheet->setFrameKeys([&commands] { return commands.action(QStringLiteral("view.frameAll"))->shortcuts(); },
                          [&commands] { return commands.action(QStringLiteral("view.frameSelected"))->shortcuts(); });
}

void DopePanel::fillKeyMenu(QMenu& menu)
{
    GraphState& state = m_state;
    const bool hasKeys = !state.selected().empty();
    const auto add = [&](QMenu& to, const QString& text, bool isEnabled, std::function<void()> run,
                         const QKeySequence& key = {}) {
        QAction* action = to.addAction(text, this, std::move(run));
        action->setEnabled(isEnabled);
        action->setShortcut(key);
    };
    add(
        menu, tr("Cut keys"), hasKeys, [&state] { cutKeys(state); }, QKeySequence::Cut);
    add(
        menu, tr("Copy keys"), hasKeys, [&state] { (void)copyKeys(state, state.selected()); }, QKeySequence::Copy);
    add(
        menu, tr("Paste keys"), whyNoPaste(state).isEmpty(), [&state] { pasteKeys(state); }, QKeySequence::Paste);
    const auto& copied = state.editor().document().edit().copiedKeys->keys;
    const SelectionItem active = state.editor().selection().active();
    const bool isOfOne = !copied.empty() && copied.begin()->first.target == copied.rbegin()->first.target;
    if (isOfOne && active.isValid() && active.object != copied.begin()->first.target)
        add(menu,
            tr("Paste keys onto %1")
                .arg(QString::fromStdString(nameOf(state.editor().document().scene(), active.object))),
            whyNoPaste(state).isEmpty(), [&state, onto = active.object] { pasteKeys(state, onto); });
    add(menu, tr("Copy to the current frame"), hasKeys, [&state] {
        if (copyKeys(state, state.selected())) pasteKeys(state);
    });
    menu.addSeparator();
    QMenu* kinds = menu.addMenu(tr("Interpolation"));
    const std::pair<const char*, QString> words[] = {
        {"step", tr("Step")}, {"linear", tr("Linear")}, {"bezier", tr("Bezier")}};
    for (const auto& [kind, text] : words)
        add(*kinds, text, hasKeys, [&state, kind = kind] {
            (void)state.editor().document().applyAsOne(setTangents(
                state, state.selected(), {{QStringLiteral("interpolation"), QLatin1StringView(kind)}}, false));
        });
    QMenu* tangents = menu.addMenu(tr("Tangents"));
    for (const char* id : {"graph.auto", "graph.smooth", "graph.linear", "graph.flat", "graph.step", "graph.broken"})
        tangents->addAction(m_commands.action(QLatin1StringView(id)));
    for (const char* id : {"key.snap", "key.breakdown"}) menu.addAction(m_commands.action(QLatin1StringView(id)));
    menu.addSeparator();
    for (const char* id : {"time.markKeys", "time.frameKeys", "time.frameAll", "marker.add"})
        menu.addAction(m_commands.action(QLatin1StringView(id)));
    menu.addSeparator();
    add(
        menu, tr("Delete keys"), hasKeys, [this] { m_sheet->deleteSelected(); }, QKeySequence(Qt::Key_Delete));
}

void DopePanel::fillRowMenu(QMenu& menu, int row)
{
    menu.addAction(tr("Select the keys of this row"), this, [this, row] { m_sheet->selectRow(row); });
    menu.addAction(tr("Delete the keys of this row"), this, [this, row] {
        m_sheet->selectRow(row);
        m_sheet->deleteSelected();
    });
    menu.addSeparator();
    for (const char* id : {"key.set", "key.delete", "window.graph", "view.frameSelected"})
        menu.addAction(m_commands.action(QLatin1StringView(id)));
    menu.addSeparator();
    menu.addAction(tr("Unfold all"), this, [this] { m_sheet->foldAll(true); });
    menu.addAction(tr("Fold all"), this, [this] { m_sheet->foldAll(false); });
}

} // namespace tendon::editor
