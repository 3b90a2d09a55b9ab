#include "app/widgets/task/RigRows.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/task/RigTexts.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace tendon::editor {
namespace {

// [px] at 100 % of the columns of limits
constexpr int kKindWidth = 118, kLimitsWidth = 124, kPreferredWidth = 62;

constexpr std::array kUses = {JointUse::Leave, JointUse::Helper, JointUse::Limb, JointUse::Tail};

/// A dot in the colour of a side.
class SideDot : public QWidget
{
public:
    explicit SideDot(RoleColour side) : m_side(side)
    {
        setFixedSize(Theme::instance().px(10), Theme::instance().px(10));
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::instance().color(QLatin1StringView(tokenOf(m_side))));
        painter.drawEllipse(rect());
    }
    RoleColour m_side;
};

/// A bar with the percentage beside it; amber if it is to be checked.
class ConfidenceBar : public QWidget
{
public:
    explicit ConfidenceBar(double confidence) : m_confidence(confidence)
    {
        const Theme& theme = Theme::instance();
        setFixedSize(theme.px(32 + 6) + QFontMetrics(theme.font(12)).horizontalAdvance(QStringLiteral("100 %")),
                     theme.px(18));
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = Theme::instance();
        QPainter painter(this);
        const QRect bar(0, (height() - theme.px(4)) / 2, theme.px(32), theme.px(4));
        painter.fillRect(bar, theme.color("line.soft"));
        const bool isSure = m_confidence >= kSureRole;
        painter.fillRect(QRect(bar.topLeft(), QSize(qRound(m_confidence * bar.width()), bar.height())),
                         theme.color(isSure ? "status.ok" : "status.warn"));
        painter.setFont(theme.font(12));
        painter.setPen(theme.color(isSure ? "text.primary" : "status.warn"));
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, RigTexts::percent(m_confidence));
    }
    double m_confidence;
};

/// A warning sign that follows the theme.
QLabel* warningSign()
{
    auto* mark = new QLabel;
    const auto draw = [mark] {
        mark->setPixmap(iconPixmap(QStringLiteral("warning"), QStringLiteral("status.warn"), Theme::instance().px(16),
                                   mark->devicePixelRatioF()));
    };
    QObject::connect(&Theme::instance(), &Theme::changed, mark, draw);
    draw();
    return mark;
}

/// A label of one line that lets the row have the mouse.
QLabel* lineOf(const QString& text, const char* role = nullptr)
{
    auto* label = new ElidedLabel(text);
    label->setElideMode(Qt::ElideRight);
    if (role != nullptr) label->setProperty("role", role);
    return label;
}

QCheckBox* tickOf(const QString& text, const QString& name)
{
    auto* tick = new QCheckBox(text);
    tick->setFocusPolicy(Qt::NoFocus); // the row has it
    tick->setAccessibleName(name);
    return tick;
}

bool isShiftHeld() { return QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier); }

} // namespace

LimbRow::LimbRow(const Words& words, RoleColour side, double confidence)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("limb.%1").arg(words.title));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(9), theme.px(5), theme.px(8), theme.px(5));
    row->setSpacing(theme.px(7));
    m_tick = tickOf({}, words.title);
    m_tick->setToolTip(tr("Rig it, or leave it as it is (Space); with Shift both sides"));
    row->addWidget(m_tick, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(theme.px(2));
    row->addLayout(column, 1);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme.px(6));
    head->addWidget(new SideDot(side));
    head->addWidget(lineOf(words.title, "heading"), 1);
    auto* bar = new ConfidenceBar(confidence);
    bar->setToolTip(words.parts);
    head->addWidget(bar);
    column->addLayout(head);
    auto* chain = new ElidedLabel(words.chain); // in the middle: both ends say what it is
    column->addWidget(chain);
    auto* reason = new QLabel(words.reason); // all of it: it is what the user decides by
    reason->setProperty("role", "hint");
    reason->setWordWrap(true);
    column->addWidget(reason);
    const auto addLine = [&](const char* objectName, const QString& text, bool isCaution) {
        if (text.isEmpty()) return;
        auto* line = new QHBoxLayout;
        line->setSpacing(theme.px(5));
        if (isCaution) line->addWidget(warningSign(), 0, Qt::AlignTop);
        auto* label = new QLabel(text);
        label->setObjectName(QLatin1StringView(objectName));
        label->setProperty("role", isCaution ? "caution" : "hint");
        label->setWordWrap(true);
        line->addWidget(label, 1);
        column->addLayout(line);
    };
    addLine("limb.noHandle", words.noHandle, words.isRefused);
    addLine("limb.toDo", words.toDo, true);
    column->addStretch(1);
    QString name = tr("%1, %2, %3: %4").arg(words.title, RigTexts::percent(confidence), words.chain, words.reason);
    for (const QString& more : {words.noHandle, words.toDo})
        if (!more.isEmpty()) name += QStringLiteral(". ") + more;
    setAccessibleName(name);
    connect(m_tick, &QCheckBox::clicked, this, [this](bool isOn) { emit wanted(isOn, isShiftHeld()); });
    connect(this, &TaskRow::ticked, this, [this] { m_tick->click(); });
}

void LimbRow::setTicked(bool isTicked)
{
    m_tick->setChecked(isTicked);
    setAccessibleDescription(isTicked ? tr("ticked") : tr("not ticked"));
}

LimitRow::LimitRow(const Words& words)
{
    setLined(false);
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("limits.%1").arg(words.kind));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(9), 0, theme.px(8), 0);
    row->setSpacing(theme.px(8));
    m_tick = tickOf(words.kind, words.kind);
    m_tick->setFixedWidth(theme.px(kKindWidth));
    row->addWidget(m_tick);
    QLabel* limits = lineOf(words.limits);
    limits->setFixedWidth(theme.px(kLimitsWidth));
    row->addWidget(limits);
    QLabel* preferred = lineOf(words.preferred);
    preferred->setFixedWidth(theme.px(kPreferredWidth));
    row->addWidget(preferred);
    row->addWidget(lineOf(words.reason, "hint"), 1);
    setToolTip(words.all);
    setAccessibleName(tr("%1: %2, preferred %3: %4").arg(words.kind, words.limits, words.preferred, words.reason));
    connect(m_tick, &QCheckBox::clicked, this, &LimitRow::wanted);
    connect(this, &TaskRow::ticked, this, [this] { m_tick->click(); });
}

void LimitRow::setTicked(bool isTicked)
{
    m_tick->setChecked(isTicked);
    setAccessibleDescription(isTicked ? tr("ticked") : tr("not ticked"));
}

QWidget* LimitRow::header()
{
    const Theme& theme = Theme::instance();
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(theme.px(9), 0, theme.px(8), 0);
    row->setSpacing(theme.px(8));
    const std::pair<QString, int> columns[] = {{tr("Joints"), kKindWidth},
                                               {tr("Limits"), kLimitsWidth},
                                               {tr("Preferred"), kPreferredWidth},
                                               {tr("Because"), 0}};
    for (const auto& [title, width] : columns) {
        QLabel* label = lineOf(title, "hint");
        if (width != 0) label->setFixedWidth(theme.px(width));
        row->addWidget(label, width == 0 ? 1 : 0);
    }
    return header;
}

UnknownRow::UnknownRow(const QString& title, const QString& reason, JointUse use)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("unknown.%1").arg(title));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(9), theme.px(5), theme.px(8), theme.px(5));
    row->setSpacing(theme.px(8));
    row->addWidget(warningSign());
    auto* column = new QVBoxLayout;
    column->setSpacing(theme.px(2));
    column->addWidget(lineOf(title));
    column->addWidget(lineOf(reason, "hint"));
    row->addLayout(column, 1);
    m_uses = new ChoiceBox;
    for (const JointUse each : kUses) m_uses->addItem(RigTexts::useOf(each));
    m_uses->setAccessibleName(title);
    m_uses->setToolTip(tr("Choose what to do with these joints"));
    row->addWidget(m_uses);
    setAccessibleName(title + QStringLiteral(", ") + reason);
    setUse(use);
    connect(m_uses, &QComboBox::activated, this,
            [this](int index) { emit wanted(kUses[static_cast<std::size_t>(index)]); });
    connect(this, &TaskRow::ticked, m_uses, &QComboBox::showPopup);
}

void UnknownRow::setUse(JointUse use)
{
    const auto found = std::find(kUses.begin(), kUses.end(), use);
    m_uses->setCurrentIndex(static_cast<int>(found - kUses.begin()));
}

} // namespace tendon::editor
