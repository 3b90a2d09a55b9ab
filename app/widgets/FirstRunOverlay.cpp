#include "app/widgets/FirstRunOverlay.h"

#include "app/widgets/Icons.h"
#include "app/widgets/PresetCard.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

struct Step
{
    const char *name, *title, *text, *next;
};
constexpr int kStepCount = 5;
constexpr Step kSteps[kStepCount] = {
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Choose your keys"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Which program's keys do you know?"),
     QT_TRANSLATE_NOOP(
         "FirstRunOverlay",
         "You can change this at any time at the right end of the tool bar. In Maya, comma and full stop step through "
         "keys and S sets a key. In 3ds Max they step through frames. In Blender, S scales."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: look around")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Look around"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Look around"),
     QT_TRANSLATE_NOOP("FirstRunOverlay",
                       "Orbit with Alt and the left mouse button (Blender: the middle one), pan with the middle one, "
                       "zoom with the wheel. Press F to frame the selection, or A to frame everything."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: drag a goal")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Drag a goal"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Drag a goal"),
     QT_TRANSLATE_NOOP("FirstRunOverlay",
                       "Click the cross at a hand and drag it. The arm follows. If you drag the goal out of reach, the "
                       "arm straightens, and the status line says how far short it is and what you can do."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: hold joints in place")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Hold joints in place"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Hold joints in place"),
     QT_TRANSLATE_NOOP("FirstRunOverlay",
                       "With Interactive IK on, you can drag any joint, and the joints above it follow. A terminator "
                       "stops this: the joint and its ancestors stay put. A pinned handle holds its goal in place."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: set keys and play")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Set keys and play"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Set keys and play"),
     QT_TRANSLATE_NOOP("FirstRunOverlay",
                       "Turn on Auto Key, go to another frame and move the goal. Then play. File › Export animation "
                       "writes the model with its animation. Ctrl+Z undoes each step."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Start")},
};

} // namespace

FirstRunOverlay::FirstRunOverlay(QWidget* window, const CommandTable& commands) : QFrame(window)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("tour"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(18));
    row->setSpacing(theme.px(24));
    row->addWidget(m_list = makeList());

    auto* right = new QVBoxLayout;
    right->setSpacing(theme.px(12));
    m_where = new QLabel;
    m_where->setProperty("role", "hint");
    right->addWidget(m_where);
    m_pages = new QStackedWidget;
    for (int i = 0; i < kStepCount; ++i) m_pages->addWidget(makePage(i, commands));
    right->addWidget(m_pages, 1);
    right->addLayout(makeButtons());
    row->addLayout(right, 1);
    connect(&Theme::instance(), &Theme::changed, this, [this] { show(m_step); });
    window->installEventFilter(this);
    hide();
}

QWidget* FirstRunOverlay::makeList()
{
    const Theme& theme = Theme::instance();
    auto* list = new QWidget;
    list->setFixedWidth(theme.px(160));
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(8));
    auto* logo = new QLabel;
    logo->setPixmap(iconPixmap("tendon", "accent.text", theme.px(28), devicePixelRatioF()));
    column->addWidget(logo);
    auto* heading = new QLabel(tr("Two minutes with the mannequin"));
    heading->setWordWrap(true);
    heading->setProperty("role", "dialogTitle");
    column->addWidget(heading);
    column->addSpacing(theme.px(8));
    for (const Step& step : kSteps) {
        auto* label = new QLabel(tr(step.name));
        column->addWidget(label);
        m_steps << label;
    }
    column->addStretch(1);
    auto* hint = new QLabel(tr("Help › Tour shows this again."));
    hint->setProperty("role", "hint");
    hint->setWordWrap(true);
    column->addWidget(hint);
    return list;
}

QWidget* FirstRunOverlay::makePage(int step, const CommandTable& commands)
{
    const Theme& theme = Theme::instance();
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(10));
    auto* title = new QLabel(tr(kSteps[step].title));
    title->setProperty("role", "overlayTitle");
    column->addWidget(title);
    if (step == 0) {
        auto* cards = m_cards = new QHBoxLayout;
        cards->setSpacing(theme.px(8));
        auto* group = new QButtonGroup(page);
        for (int preset = 0; preset < 3; ++preset) {
            auto* card = new PresetCard(commands, static_cast<KeyPreset>(preset));
            card->setObjectName(QStringLiteral("tour.preset.%1").arg(preset));
            card->setChecked(preset == static_cast<int>(commands.preset()));
            group->addButton(card, preset);
            cards->addWidget(card);
        }
        column->addLayout(cards);
        connect(group, &QButtonGroup::idClicked, this,
                [this](int id) { emit presetChosen(static_cast<KeyPreset>(id)); });
    }
    auto* text = new QLabel(tr(kSteps[step].text));
    text->setWordWrap(true);
    text->setProperty("role", "label");
    column->addWidget(text);
    column->addStretch(1);
    return page;
}

QHBoxLayout* FirstRunOverlay::makeButtons()
{
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::instance().px(8));
    auto* skip = new QPushButton(tr("Skip tour"));
    skip->setObjectName(QStringLiteral("tour.skip"));
    m_themes = new QComboBox;
    m_themes->setObjectName(QStringLiteral("tour.theme"));
    m_themes->setToolTip(tr("Choose the theme; also in Window › Theme"));
    m_themes->addItems({tr("Dark"), tr("Light")});
    m_scales = new QComboBox;
    m_scales->setObjectName(QStringLiteral("tour.scale"));
    m_scales->setToolTip(tr("Choose the size of the interface; also in Window › Scale"));
    for (const int percent : {100, 125, 150, 175, 200}) m_scales->addItem(tr("Scale %1 %").arg(percent), percent);
    m_next = new QPushButton;
    m_next->setObjectName(QStringLiteral("tour.next"));
    m_next->setProperty("main", true);
    m_next->setDefault(true);
    buttons->addWidget(skip);
    buttons->addStretch(1);
    buttons->addWidget(m_themes);
    buttons->addWidget(m_scales);
    buttons->addWidget(m_next);
    const auto chooseLook = [this] {
        emit lookChosen(m_themes->currentIndex() == 0 ? Theme::Kind::Dark : Theme::Kind::Light,
                        m_scales->currentData().toInt() / 100.0);
    };
    connect(m_themes, &QComboBox::activated, this, chooseLook);
    connect(m_scales, &QComboBox::activated, this, chooseLook);
    connect(skip, &QPushButton::clicked, this, &FirstRunOverlay::finished);
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_step + 1 < kStepCount)
            show(m_step + 1);
        else
            emit finished();
    });
    return buttons;
}

void FirstRunOverlay::begin()
{
    QFrame::show();
    raise();
    show(0);
}

void FirstRunOverlay::show(int step)
{
    const Theme& theme = Theme::instance();
    m_step = step;
    m_pages->setCurrentIndex(step);
    m_next->setText(tr(kSteps[step].next));
    m_where->setText(tr("Step %1 of %2").arg(step + 1).arg(kStepCount));
    for (int i = 0; i < m_steps.size(); ++i) {
        m_steps[i]->setText(QStringLiteral("%1   %2").arg(i + 1).arg(tr(kSteps[i].name)));
        m_steps[i]->setStyleSheet(
            i == step ? QStringLiteral("font-weight: 600; color: %1;").arg(theme.color("accent.text").name())
                      : QString());
    }
    // Theme and scale are asked for once, with the keys.
    for (QComboBox* box : {m_themes, m_scales}) box->setVisible(step == 0);
    m_themes->setCurrentIndex(theme.isDark() ? 0 : 1);
    m_scales->setCurrentIndex(m_scales->findData(qRound(theme.scale() * 100)));
    place();
    m_next->setFocus(Qt::TabFocusReason);
}

int FirstRunOverlay::heightFor(int width, bool hasList) const
{
    const QMargins around = layout()->contentsMargins();
    const int inner = width - around.left() - around.right() - (hasList ? m_list->width() + layout()->spacing() : 0);
    // For this step alone: the texts have different lengths, and the first step has cards.
    int height = m_pages->currentWidget()->layout()->totalHeightForWidth(inner) + m_pages->layout()->spacing() +
                 m_next->sizeHint().height() + Theme::instance().px(12);
    if (hasList)
        height = std::max(height,
                          m_list->layout()->totalHeightForWidth(m_list->maximumWidth()) + Theme::instance().px(12));
    else
        height += m_where->sizeHint().height() + Theme::instance().px(12);
    return height + around.top() + around.bottom();
}

void FirstRunOverlay::place()
{
    const QWidget* window = parentWidget();
    const Theme& theme = Theme::instance();
    // Cover only the left dock, which the tour does not need, so that the figure stays visible. Only wide windows have
    // room for the list of steps.
    const bool hasList = window->width() >= theme.px(1750);
    m_list->setVisible(hasList);
    m_where->setVisible(!hasList);
    const QMargins around = layout()->contentsMargins();
    const int list = hasList ? m_list->width() + layout()->spacing() : 0;
    const int cards = m_step == 0 ? m_cards->sizeHint().width() : 0; // which show all their words and keys
    const int margin = theme.px(12), usual = theme.px(hasList ? 680 : 496);
    const int wanted = std::max(usual, list + cards + around.left() + around.right());
    const int width = std::min(wanted, window->width() - 2 * margin);
    const int height = std::min(heightFor(width, hasList), window->height() - 2 * margin);
    setFixedSize(width, height);
    move(margin, std::max(margin, (window->height() - height) / (m_step == 0 ? 3 : 2)));
}

void FirstRunOverlay::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit finished();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        m_next->click();
    else
        QFrame::keyPressEvent(event);
}

bool FirstRunOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(watched, event);
}

} // namespace tendon::editor
