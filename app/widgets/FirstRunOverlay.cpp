#include "app/widgets/FirstRunOverlay.h"

#include "app/editor/Theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

struct Step
{
    const char *name, *title, *text, *next;
};
constexpr Step kSteps[] = {
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Keys you know"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Which keys do your hands know?"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "You can change this at any time at the right end of the tool bar. Comma and full stop step keys in Maya and frames in 3ds Max; S sets a key in Maya and scales in Blender."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: look around")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Look around"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Look around"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Orbit with Alt and the left mouse button (Blender: the middle one), pan with the middle one, zoom with the wheel. F brings what is selected into view, A everything."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: pull the goal")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Pull the goal"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Pull the goal"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Click the cross at a hand and drag it. The arm follows. Far out of reach it straightens, and the line at the bottom says by how much it falls short and what you can do."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: stop the pull")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Stop the pull"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Stop the pull"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "With Interactive IK on, any joint can be dragged, and those above it come along. Tick Terminator on a joint: it and all above stay put. Pin a handle: its goal stays where it is."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Next: key it and play")},
    {QT_TRANSLATE_NOOP("FirstRunOverlay", "Key it and play"), QT_TRANSLATE_NOOP("FirstRunOverlay", "Key it and play"),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Turn on Auto Key, go to another frame, move the goal. Then play. File, Export writes the animation with the model. Ctrl+Z takes anything back."),
     QT_TRANSLATE_NOOP("FirstRunOverlay", "Start")},
};

} // namespace

FirstRunOverlay::FirstRunOverlay(QWidget* window) : QFrame(window)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("tour"));
    setAutoFillBackground(true);
    setStyleSheet(QStringLiteral("#tour { background: %1; border: 1px solid %2; border-radius: %3px; }").arg(theme.color("surface.panel").name(), theme.color("line.control").name()).arg(theme.size("radius.dialog")));
    setFixedSize(theme.px(660), theme.px(330));
    setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(20), theme.px(20), theme.px(20), theme.px(20));
    row->setSpacing(theme.px(24));
    auto* left = new QVBoxLayout;
    auto* heading = new QLabel(tr("Two minutes with a mannequin"));
    heading->setWordWrap(true);
    heading->setFixedWidth(theme.px(150));
    heading->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600;").arg(theme.px(16)));
    left->addWidget(heading);
    left->addSpacing(theme.px(10));
    for (const Step& step : kSteps) {
        auto* label = new QLabel(tr(step.name));
        left->addWidget(label);
        m_steps << label;
    }
    left->addStretch(1);
    auto* hint = new QLabel(tr("Help, Tour brings this back."));
    hint->setProperty("role", "hint");
    left->addWidget(hint);
    row->addLayout(left);

    auto* right = new QVBoxLayout;
    m_pages = new QStackedWidget;
    for (int i = 0; i < 5; ++i) {
        auto* page = new QWidget;
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(theme.px(10));
        auto* title = new QLabel(tr(kSteps[i].title));
        title->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600;").arg(theme.px(20)));
        column->addWidget(title);
        auto* text = new QLabel(tr(kSteps[i].text));
        text->setWordWrap(true);
        column->addWidget(text);
        if (i == 0) {
            auto* group = new QButtonGroup(page);
            const char* notes[] = {"Q W E R · Alt LMB · S keys", "G R S · MMB · I keys", "Q W E R · Alt MMB · K keys"};
            for (int preset = 0; preset < 3; ++preset) {
                auto* choice = new QRadioButton(QString::fromLatin1(kKeyPresetNames[static_cast<std::size_t>(preset)]) + "   " + QString::fromUtf8(notes[preset]));
                choice->setObjectName(QStringLiteral("tour.preset.%1").arg(preset));
                choice->setChecked(preset == 0);
                group->addButton(choice, preset);
                column->addWidget(choice);
            }
            connect(group, &QButtonGroup::idClicked, this, [this](int id) { emit presetChosen(static_cast<KeyPreset>(id)); });
        }
        column->addStretch(1);
        m_pages->addWidget(page);
    }
    right->addWidget(m_pages, 1);
    auto* buttons = new QHBoxLayout;
    auto* skip = new QPushButton(tr("Skip the tour"));
    skip->setObjectName(QStringLiteral("tour.skip"));
    m_next = new QPushButton;
    m_next->setObjectName(QStringLiteral("tour.next"));
    m_next->setProperty("main", true);
    m_next->setDefault(true);
    buttons->addWidget(skip);
    buttons->addStretch(1);
    buttons->addWidget(m_next);
    right->addLayout(buttons);
    row->addLayout(right, 1);
    connect(skip, &QPushButton::clicked, this, &FirstRunOverlay::finished);
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_step + 1 < 5)
            show(m_step + 1);
        else
            emit finished();
    });
    window->installEventFilter(this);
    hide();
}

void FirstRunOverlay::begin()
{
    place();
    QFrame::show();
    raise();
    show(0);
}

void FirstRunOverlay::show(int step)
{
    m_step = step;
    m_pages->setCurrentIndex(step);
    m_next->setText(tr(kSteps[step].next));
    for (int i = 0; i < m_steps.size(); ++i) {
        m_steps[i]->setText(QStringLiteral("%1   %2").arg(i + 1).arg(tr(kSteps[i].name)));
        m_steps[i]->setStyleSheet(i == step ? QStringLiteral("font-weight: 600; color: %1;").arg(Theme::instance().color("accent.text").name()) : QString());
    }
    m_next->setFocus(Qt::TabFocusReason);
}

void FirstRunOverlay::place()
{
    const QWidget* window = parentWidget();
    // Over the left dock, which the tour does not need: the figure, in the middle of the view, stays in sight.
    move(Theme::instance().px(16), std::max(8, (window->height() - height()) / 3));
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
