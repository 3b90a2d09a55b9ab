#include "app/viewport/ViewGrid.h"

#include "app/editor/Theme.h"
#include "app/viewport/Viewport.h"

#include <QGridLayout>
#include <QPainter>
#include <QTimer>

namespace tendon::viewport {

ViewGrid::ViewGrid(Viewport& main) : m_active(&main), m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(editor::Theme::instance().px(2));
    m_views[kMain] = &main;
    m_layout->addWidget(&main, 0, 1);
    setFocusProxy(&main);
    connect(&main, &Viewport::activated, this, [this, &main] { activate(main); });
}

void ViewGrid::makeOthers()
{
    constexpr StandardView kSides[] = {StandardView::Top, StandardView::Front, StandardView::Front,
                                       StandardView::Right};
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (m_views[i] != nullptr) continue;
        Viewport& front = main();
        auto* view = new Viewport(front.editor(), this);
        view->setActive(false);
        view->setCompanion(true);
        view->setObjectName(QStringLiteral("viewport.%1").arg(i));
        view->setCamera(lookingFrom(front.camera(), kSides[i]));
        m_views[i] = view;
        m_layout->addWidget(view, static_cast<int>(i) / 2, static_cast<int>(i) % 2);
        QTimer::singleShot(0, view, [view] { view->frameAll(); }); // when it has its size
        connect(view, &Viewport::activated, this, [this, view] { activate(*view); });
        // The window listens to the main view.
        connect(view, &Viewport::contextMenuRequested, &front, &Viewport::contextMenuRequested);
        connect(view, &Viewport::chainPicked, &front, &Viewport::chainPicked);
        connect(view, &Viewport::chainPickingChanged, &front, &Viewport::chainPickingChanged);
        connect(view, &Viewport::refused, &front, &Viewport::refused);
    }
}

void ViewGrid::setFour(bool isFour)
{
    if (m_isFour == isFour) return;
    m_isFour = isFour;
    if (isFour) makeOthers();
    for (Viewport* view : m_views)
        if (view != nullptr) {
            view->setVisible(isFour || view == m_active);
            view->setNamed(isFour);
        }
    update();
    emit changed();
}

void ViewGrid::frameAll()
{
    for (Viewport* view : m_views)
        if (view != nullptr) view->frameAll();
}

void ViewGrid::activate(Viewport& view)
{
    if (&view == m_active) return;
    m_active->cancelChainPick();
    m_active->setActive(false);
    m_active = &view;
    view.setActive(true);
    setFocusProxy(&view);
    update();
    emit changed();
}

/// The active one of four has a rim.
void ViewGrid::paintEvent(QPaintEvent*)
{
    const editor::Theme& theme = editor::Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(QStringLiteral("surface.gap")));
    if (!m_isFour) return;
    const int rim = m_layout->spacing();
    painter.fillRect(m_active->geometry().adjusted(-rim, -rim, rim, rim), theme.color(QStringLiteral("accent.fill")));
}

} // namespace tendon::viewport
