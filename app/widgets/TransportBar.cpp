#include "app/widgets/TransportBar.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/ShrinkingRow.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

namespace tendon::editor {
namespace {

constexpr double kRates[] = {12, 23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60, 120};

constexpr int kClipWidth = 300, kShortClipWidth = 130,
              kLeastClipWidth = 84; ///< at most, with room, without, and with hardly any

QString rateText(double rate) { return QString::number(rate, 'g', 5) + " fps"; }

} // namespace

TransportBar::TransportBar(Editor& editor, CommandTable& commands, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    setFixedHeight(theme.size("height.transport"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(4), 0, theme.px(8), 0);
    row->setSpacing(theme.px(4));
    m_tabs = new QTabBar;
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setObjectName(QStringLiteral("bottom.tabs"));
    m_tabs->setAccessibleName(tr("Bottom tabs"));
    row->addWidget(m_tabs);
    row->addStretch(1);
    std::vector<QToolButton*> keyButtons,
        endButtons, // the menu and the keyboard go from key to key and to the ends, too
        frameButtons;
    for (const char* id : {"time.first", "time.previousKey", "time.previousFrame", "time.play", "time.nextFrame",
                           "time.nextKey", "time.last", "time.loop"}) {
        auto* button = new QToolButton;
        button->setDefaultAction(commands.action(QLatin1StringView(id)));
        button->setFocusPolicy(Qt::TabFocus);
        button->setObjectName(QStringLiteral("button.%1").arg(QLatin1StringView(id)));
        button->setIconSize({theme.px(16), theme.px(16)});
        if (QLatin1StringView(id) == QLatin1StringView("time.play")) button->setMinimumWidth(theme.px(34));
        if (QLatin1StringView(id).endsWith(QLatin1StringView("Key"))) keyButtons.push_back(button);
        if (QLatin1StringView(id) == QLatin1StringView("time.first") ||
            QLatin1StringView(id) == QLatin1StringView("time.last"))
            endButtons.push_back(button);
        if (QLatin1StringView(id).endsWith(QLatin1StringView("Frame"))) frameButtons.push_back(button);
        row->addWidget(button);
    }
    row->addStretch(1);
    std::vector<QLabel*> labels;
    const auto label = [&](const QString& text) {
        auto* l = labels.emplace_back(new QLabel(text));
        l->setProperty("role", "label");
        row->addWidget(l);
    };
    const auto number = [&](const char* name, const QString& tip) {
        auto* field = new NumberField({.decimals = 0, .step = 0.2, .minimum = -1e6, .maximum = 1e6});
        field->setFixedWidth(theme.px(46));
        field->setObjectName(QLatin1StringView(name));
        field->setToolTip(tip);
        field->setAccessibleName(tip);
        connect(field, &NumberField::confirmed, this, &TransportBar::confirmed);
        row->addWidget(field);
        return field;
    };
    m_clip = new ChoiceBox;
    m_clip->setObjectName(QStringLiteral("clip"));
    m_clip->setAccessibleName(tr("Clip"));
    m_clip->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_clip->setMaximumWidth(theme.px(kClipWidth));
    row->addWidget(m_clip);
    label(tr("Frame"));
    m_frame = number("frame", tr("Current frame"));
    label(tr("Range"));
    m_first = number("range.first", tr("First frame of the range"));
    label(tr("to"));
    m_last = number("range.last", tr("Last frame of the range"));
    m_rate = new ChoiceBox;
    m_rate->setToolTip(tr("Choose the frame rate; keys keep their times in seconds"));
    m_rate->setObjectName(QStringLiteral("rate"));
    m_rate->setAccessibleName(tr("Frames per second"));
    for (const double rate : kRates) m_rate->addItem(rateText(rate), rate);
    row->addWidget(m_rate);
    m_autoKey = new QPushButton(icon("auto-key"), tr(" Auto Key"));
    m_autoKey->setCheckable(true);
    m_autoKey->setProperty("record", true);
    m_autoKey->setObjectName(QStringLiteral("autoKey"));
    m_autoKey->setAccessibleName(tr("Auto Key"));
    m_autoKey->setFocusPolicy(Qt::TabFocus);
    const QAction* autoKey = commands.action(QStringLiteral("key.auto"));
    const auto showTip = [this, autoKey] {
        m_autoKey->setToolTip(autoKey->toolTip());
    }; // the shortcut depends on the preset
    connect(autoKey, &QAction::changed, this, showTip);
    showTip();
    row->addWidget(m_autoKey);
    const auto hideLabels = [this, labels](bool isShort) {
        for (QLabel* each : labels) each->setVisible(!isShort);
        m_isAutoKeyShort = isShort;
        showAutoKey();
    };
    const auto hideKeyButtons = [keyButtons](bool isShort) {
        for (QToolButton* each : keyButtons) each->setVisible(!isShort);
    };
    const auto hideEndButtons = [endButtons](bool isShort) {
        for (QToolButton* each : endButtons) each->setVisible(!isShort);
    };
    const auto hideFrameButtons = [frameButtons](bool isShort) {
        for (QToolButton* each : frameButtons) each->setVisible(!isShort);
    };
    const auto shortenClip = [this](bool isShort) {
        m_isClipShort = isShort;
        limitClip();
    };
    row->setSizeConstraint(QLayout::SetNoConstraint); // its own minimum width, so that the window can be narrow
    setMinimumWidth(theme.px(640));
    m_shrinking = new ShrinkingRow(*this, [row] { return row->sizeHint().width(); },
                                   {shortenClip, [this](bool isShort) { shortenTabs(isShort); }, hideLabels,
                                    hideKeyButtons, hideEndButtons, hideFrameButtons,
                                    [this](bool isShort) { narrowTabs(isShort); }});

    EditorDocument& document = editor.document();
    connect(m_autoKey, &QPushButton::clicked, this, [&commands] { commands.run(QStringLiteral("key.auto")); });
    const auto toFrame = [this](double value) { m_editor.goToFrame(qRound(value)); };
    connect(m_frame, &NumberField::entered, this, toFrame);
    connect(m_frame, &NumberField::dragged, this, toFrame);
    const auto setRange = [this, &document](int first, int last) {
        if (first <= last && (first != document.scene().firstFrame || last != document.scene().lastFrame))
            (void)document.apply({{"op", "setRange"}, {"from", first}, {"to", last}});
        refresh();
    };
    connect(m_first, &NumberField::entered, this,
            [=, &document](double v) { setRange(qRound(v), document.scene().lastFrame); });
    connect(m_last, &NumberField::entered, this,
            [=, &document](double v) { setRange(document.scene().firstFrame, qRound(v)); });
    connect(m_first, &NumberField::dragEnded, this, [=, this, &document](bool kept) {
        if (kept) setRange(qRound(m_first->value()), document.scene().lastFrame);
    });
    connect(m_last, &NumberField::dragEnded, this, [=, this, &document](bool kept) {
        if (kept) setRange(document.scene().firstFrame, qRound(m_last->value()));
    });
    connect(m_rate, &QComboBox::activated, this, [this, &document](int index) {
        (void)document.apply({{"op", "setFps"}, {"value", m_rate->itemData(index).toDouble()}});
    });
    connect(m_clip, &QComboBox::activated, this, [this, &document](int index) {
        (void)document.apply({{"op", "selectClip"}, {"name", m_clip->itemText(index)}});
    });
    const auto again = [this] { refresh(); };
    connect(&document, &EditorDocument::changed, this, again);
    connect(&document, &EditorDocument::editChanged, this, again);
    connect(&document, &EditorDocument::replaced, this, again);
    connect(&editor.shown(), &ShownScene::changed, this, again);
    connect(&editor, &Editor::shownFrameChanged, this, [this](int frame) { m_frame->setValue(frame); });
    refresh();
}

void TransportBar::shortenTabs(bool isShort)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (isShort) {
            m_tabs->setTabData(i, m_tabs->tabText(i));
            m_tabs->setTabToolTip(i, m_tabs->tabText(i));
            m_tabs->setAccessibleTabName(i, m_tabs->tabText(i));
        }
        m_tabs->setTabText(i, isShort ? QString() : m_tabs->tabData(i).toString());
    }
}

void TransportBar::limitClip()
{
    m_clip->setMaximumWidth(Theme::instance().px(m_isNarrow      ? kLeastClipWidth
                                                 : m_isClipShort ? kShortClipWidth
                                                                 : kClipWidth));
}

void TransportBar::narrowTabs(bool isNarrow)
{
    m_isNarrow = isNarrow;
    limitClip();
    m_tabs->setProperty("isNarrow", isNarrow); // for the style sheet
    m_tabs->style()->unpolish(m_tabs);
    m_tabs->style()->polish(m_tabs);
}

void TransportBar::showAutoKey()
{
    const bool isOn = m_editor.document().edit().isAutoKeyOn;
    m_autoKey->setChecked(isOn);
    // Turned on, it needs no more room than the row has left it. Bold is the font, not a style of the checked state: a
    // style sheet lays the text out by the button's font, and cuts off what is wider.
    const auto write = [this](const QString& text, QFont::Weight weight) {
        QFont font = m_autoKey->font();
        font.setWeight(weight);
        m_autoKey->setFont(font);
        m_autoKey->setText(m_isAutoKeyShort ? QString() : text);
    };
    m_autoKey->setMinimumWidth(0);
    write(tr(" Auto Key on"), QFont::DemiBold);
    m_autoKey->setMinimumWidth(m_autoKey->sizeHint().width());
    if (!isOn) write(tr(" Auto Key"), QFont::Normal);
    m_autoKey->setIcon(icon("auto-key", isOn ? "text.on-record" : "text.primary"));
}

void TransportBar::refresh()
{
    const Scene& scene = m_editor.shown().now();
    m_frame->setValue(m_editor.shownFrame());
    m_first->setValue(scene.firstFrame);
    m_last->setValue(scene.lastFrame);
    const double rate = scene.fps.perSecond();
    int index = -1;
    for (int i = 0; i < m_rate->count(); ++i)
        if (FrameRate::fromValue(m_rate->itemData(i).toDouble()) == scene.fps) index = i;
    if (index < 0) {
        m_rate->addItem(rateText(rate), rate);
        index = m_rate->count() - 1;
    }
    m_rate->setCurrentIndex(index);
    for (QWidget* field : std::initializer_list<QWidget*>{m_first, m_last, m_rate})
        field->setEnabled(m_editor.shown().isDocument()); // else there is nothing of the document to set
    showClips();
    showAutoKey();
    update();
}

void TransportBar::showClips()
{
    ShownScene& shownScene = m_editor.shown();
    QStringList names, shown;
    for (const auto& clip : shownScene.now().clips) names << QString::fromStdString(clip->name);
    const bool hasClips = !names.isEmpty();
    if (!hasClips) names << tr("No clip yet");
    for (int i = 0; i < m_clip->count(); ++i) shown << m_clip->itemText(i);
    const QSignalBlocker blocker(m_clip);
    if (names != shown) {
        m_clip->clear();
        m_clip->addItems(names);
        if (isVisible()) m_shrinking->fit(); // as wide as the longest name, if there is room
    }
    if (const Clip* clip = shownScene.clip()) m_clip->setCurrentText(QString::fromStdString(clip->name));
    m_clip->setEnabled(hasClips && shownScene.isDocument());
    const QString tip = tr("Choose the clip to play and key");
    m_clip->setToolTip(hasClips ? tip + QStringLiteral(": ") + m_clip->currentText() : tip);
}

void TransportBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(),
                     theme.color(m_editor.document().edit().isAutoKeyOn ? "time.record-tint" : "surface.panel"));
    painter.fillRect(0, 0, width(), 1, theme.color("line.hair"));
}

} // namespace tendon::editor
