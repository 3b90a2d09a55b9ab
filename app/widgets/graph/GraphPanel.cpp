#include "app/widgets/graph/GraphPanel.h"

#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/graph/GraphBar.h"
#include "app/widgets/graph/GraphList.h"
#include "app/widgets/graph/GraphView.h"
#include "app/widgets/graph/RotationHint.h"
#include "core/scene/KeyWords.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

int listWidth() { return Theme::instance().px(200); }

/// The menu of keys and curves.
void fillMenu(QMenu& menu, const CommandTable& commands)
{
    QMenu* under = &menu;
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) under->addAction(commands.action(QLatin1StringView(id)));
    };
    add({"graph.auto", "graph.smooth", "graph.linear", "graph.flat", "graph.step", "graph.broken"});
    menu.addSeparator();
    add({"graph.weighted", "graph.evenWeights", "graph.asAngles", "graph.asRotation"});
    menu.addSeparator();
    add({"graph.euler", "graph.smoothKeys", "graph.reduce", "graph.delete"});
    menu.addSeparator();
    const std::pair<const char*, QString> sides[] = {{"before", GraphPanel::tr("Before the first key")},
                                                     {"after", GraphPanel::tr("After the last key")}};
    for (const auto& [side, title] : sides) {
        under = menu.addMenu(title);
        for (const std::string_view kind : kInfinityWords)
            under->addAction(commands.action(
                QStringLiteral("graph.%1.%2").arg(QLatin1StringView(side), QLatin1StringView(QByteArrayView(kind)))));
    }
    under = &menu;
    menu.addSeparator();
    add({"graph.isolate", "graph.normalise", "graph.buffer", "graph.swapBuffer", "graph.frameSelected",
         "graph.frameAll"});
}

} // namespace

GraphPanel::GraphPanel(Editor& editor, CommandTable& commands, TimeView& time, QWidget* parent)
    : QWidget(parent), m_state(editor), m_list(new GraphList(m_state)), m_view(new GraphView(m_state, time))
{
    setObjectName(QStringLiteral("graph"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new GraphBar(m_state, commands, labelWidth()));
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addWidget(m_view, 1);
    column->addLayout(row, 1);
    const auto fit = [this] { m_list->setFixedWidth(listWidth()); };
    connect(&Theme::instance(), &Theme::changed, this, fit);
    fit();
    new RotationHint(m_state, commands, *m_view);
    // Buttons show the selection; once for all that changes it now.
    auto* soon = new QTimer(this);
    soon->setSingleShot(true);
    connect(soon, &QTimer::timeout, this, [&commands] { commands.refresh(); });
    connect(&m_state, &GraphState::changed, soon, [this, soon] {
        if (isVisible() && !soon->isActive()) soon->start(0);
    });
    connect(m_view, &GraphView::menuRequested, this, [this, &commands](QPoint at) {
        commands.refresh();
        QMenu menu(this);
        fillMenu(menu, commands);
        menu.exec(at);
    });
    m_view->setNoKeysText([&commands] { return commands.noKeysText(); });
    m_view->setFrameKeys([&commands] { return commands.action(QStringLiteral("view.frameAll"))->shortcuts(); },
                         [&commands] { return commands.action(QStringLiteral("view.frameSelected"))->shortcuts(); });
}

int GraphPanel::labelWidth() { return listWidth() + GraphView::leftMargin(); }

} // namespace tendon::editor
