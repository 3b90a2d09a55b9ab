#include "app/widgets/retarget/PairTable.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/task/TaskDock.h"
#include "core/document/Sides.h"
#include "core/scene/Check.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tendon::editor {
namespace {

constexpr std::size_t kBest = 5;                // candidates with their figures
constexpr int kColumns[] = {105, 165, 145};     // [px] at 100 %, and how the rest of the room is shared
constexpr int kMarkWidth = 22, kRowHeight = 23; // [px]

QString wordsOf(const RetargetRow& row)
{
    if (row.isUnused) return PairTable::tr("Not used");
    std::string role = row.parts.front().role;
    if (row.isPair())
        for (const char* side : {"left", "right"})
            if (role.starts_with(side)) role = role.substr(std::string_view(side).size());
    const std::pair<const char*, QString> usual[] = {{"UpperLeg", PairTable::tr("Thigh")},
                                                     {"LowerLeg", PairTable::tr("Shin")},
                                                     {"LowerArm", PairTable::tr("Forearm")},
                                                     {"Toes", PairTable::tr("Toe")}};
    for (const auto& [part, word] : usual)
        if (role == part) return word;
    QString words = QString::fromStdString(roleInWords(role)).trimmed();
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words;
}

QString namesOf(const Scene& scene, const std::vector<JointId>& joints)
{
    QStringList names;
    for (const JointId joint : joints) names << QString::fromStdString(nameOf(scene, joint.value));
    return names.join(QStringLiteral(", "));
}

/// "UpperArm_L, _R" of two names that differ in their last word alone; else both.
QString pairOf(const QString& left, const QString& right)
{
    if (left.isEmpty() || right.isEmpty()) return left + right;
    const auto cut = left.size() - 2;
    const bool isShort = left.size() == right.size() && cut > 0 && left.left(cut) == right.left(cut) &&
                         (left[cut] == '_' || left[cut] == '.');
    return QStringLiteral("%1, %2").arg(left, isShort ? right.mid(cut) : right);
}

/// What a row says of one figure.
QString jointsOf(const RetargetRow& row, const Scene& scene, std::vector<JointId> RetargetRow::Part::*side)
{
    if (row.isPair()) return pairOf(namesOf(scene, row.parts[0].*side), namesOf(scene, row.parts[1].*side));
    if (row.isUnused && row.isFinger)
        return PairTable::tr("%n finger joints", nullptr, static_cast<int>(row.parts.size()));
    QStringList names;
    for (const RetargetRow::Part& part : row.parts)
        if (const QString name = namesOf(scene, part.*side); !name.isEmpty()) names << name;
    return names.join(QStringLiteral(", "));
}

/// One or two dots in the colours of the sides.
class Dots : public QWidget
{
public:
    explicit Dots(QWidget* parent = nullptr) : QWidget(parent) { setFixedWidth(Theme::instance().px(24)); }
    void setRow(const RetargetRow& row)
    {
        m_sides.clear();
        for (std::size_t i = 0; i < std::min<std::size_t>(row.parts.size(), 2); ++i)
            m_sides.push_back(roleColourOf(sideOfRole(row.parts[i].role)));
        update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const double radius = theme.px(9) / 2.0;
        double x = m_sides.size() == 2 ? theme.px(7) : theme.px(12);
        for (const RoleColour side : m_sides) {
            painter.setBrush(theme.color(QLatin1StringView(tokenOf(side))));
            painter.drawEllipse(QPointF(x, height() / 2.0), radius, radius);
            x += theme.px(10);
        }
    }
    std::vector<RoleColour> m_sides;
};

ElidedLabel* cell()
{
    auto* label = new ElidedLabel;
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

void addColumn(QHBoxLayout& row, QWidget* widget, int column)
{
    widget->setMinimumWidth(Theme::instance().px(kColumns[column]) / 2);
    row.addWidget(widget, kColumns[column]);
}

} // namespace

class PairTable::Row : public TaskRow
{
public:
    Row(PairTable& table) : m_table(table)
    {
        const Theme& theme = Theme::instance();
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(theme.px(8), 0, theme.px(8), 0);
        column->setSpacing(0);
        auto* line = new QHBoxLayout;
        line->setSpacing(theme.px(6));
        auto* first = new QWidget;
        auto* named = new QHBoxLayout(first);
        named->setContentsMargins(0, 0, 0, 0);
        named->setSpacing(theme.px(2));
        named->addWidget(m_dots = new Dots);
        named->addWidget(m_role = cell(), 1);
        addColumn(*line, first, 0);
        auto* second = new QWidget;
        auto* chosen = new QHBoxLayout(second);
        chosen->setContentsMargins(0, 0, 0, 0);
        chosen->addWidget(m_motion = cell(), 1);
        chosen->addWidget(m_choice = new ChoiceBox, 1);
        m_choice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        m_choice->setMaxVisibleItems(20);
        m_choice->setStyleSheet(QStringLiteral("combobox-popup: 0")); // a list that scrolls, not one over the screen
        m_choice->hide();
        addColumn(*line, second, 1);
        addColumn(*line, m_character = cell(), 2);
        m_mark = new QLabel;
        m_mark->setFixedWidth(theme.px(kMarkWidth));
        m_mark->setAlignment(Qt::AlignCenter);
        line->addWidget(m_mark);
        column->addLayout(line);
        m_dots->setFixedHeight(theme.px(kRowHeight));
        m_reason = new ElidedLabel;
        m_reason->setProperty("role", "label");
        m_reason->setContentsMargins(theme.px(26), 0, 0, theme.px(3));
        column->addWidget(m_reason);
        connect(m_choice, &QComboBox::activated, this, [this](int index) {
            if (const QVariant joint = m_choice->itemData(index); joint.isValid())
                emit m_table.roleChosen(m_row.parts.front().role, JointId{joint.toULongLong()});
        });
        connect(this, &TaskRow::pointedAt, this,
                [this](bool isIn) { m_table.m_task.pointAt(isIn ? &m_row : nullptr); });
        connect(this, &TaskRow::ticked, &m_table, &PairTable::playWanted);
        connect(this, &TaskRow::clicked, this, [this] { openChoice(); });
    }

    [[nodiscard]] const RetargetRow& row() const { return m_row; }

    void show(const RetargetRow& row)
    {
        m_row = row;
        const Scene &motion = m_table.m_task.motion(), &character = m_table.m_task.character();
        m_dots->setRow(row);
        m_role->setText(wordsOf(row));
        const QString there = jointsOf(row, motion, &RetargetRow::Part::motion),
                      here = jointsOf(row, character, &RetargetRow::Part::character);
        m_motion->setText(there.isEmpty() ? tr("none") : there);
        m_character->setText(here.isEmpty() ? tr("none") : here);
        for (const auto& [label, isNone] :
             {std::pair(m_motion, there.isEmpty()), std::pair(m_character, here.isEmpty())}) {
            label->setProperty("role", isNone ? "hint" : "");
            label->style()->polish(label); // the property chooses the look
        }
        const bool isChoice = !row.isUnused && (row.mark == RetargetRow::Mark::Check || row.isChanged);
        const MarkLook look = lookOf(row.mark == RetargetRow::Mark::Check ? Mark::Warning
                                     : row.isUnused                       ? Mark::Info
                                                                          : Mark::Ok);
        m_mark->setPixmap(iconPixmap(QLatin1StringView(look.icon), QLatin1StringView(look.token),
                                     Theme::instance().px(14), devicePixelRatioF()));
        const bool hasReason = row.mark != RetargetRow::Mark::Ok && !row.reason.empty();
        m_reason->setText(QString::fromStdString(row.reason));
        m_reason->setVisible(hasReason);
        m_mark->setToolTip(
            row.reason.empty()
                ? QString()
                : tr("%1 · %2 % sure").arg(QString::fromStdString(row.reason)).arg(qRound(100 * row.confidence)));
        setAccessibleName(
            QStringLiteral("%1: %2; %3; %4").arg(m_role->text(), m_motion->text(), m_character->text(), look.word));
        setObjectName(QStringLiteral("pair.%1").arg(QString::fromStdString(row.parts.front().role)));
        m_choice->setObjectName(objectName() + QStringLiteral(".joint"));
        m_choice->setAccessibleName(tr("Joint of the motion for %1").arg(m_role->text()));
        if (m_choice->view()->isVisible()) return; // the user is choosing
        m_isFilled = false;
        setChoice(isChoice);
    }

    /// What may be chosen is known now.
    void takeCandidates()
    {
        m_isFilled = false;
        if (!m_choice->isHidden() && !m_choice->view()->isVisible()) fill();
    }

private:
    void setChoice(bool isChoice)
    {
        m_choice->setVisible(isChoice);
        m_motion->setVisible(!isChoice);
        if (isChoice) fill();
    }

    void openChoice()
    {
        if (m_row.isUnused) return;
        setChoice(true);
        m_choice->setFocus(Qt::OtherFocusReason);
        m_choice->showPopup();
    }

    /// The best candidates with their figures, then none, then all joints.
    void fill()
    {
        if (std::exchange(m_isFilled, true)) return;
        const Scene& motion = m_table.m_task.motion();
        const RetargetRow::Part& part = m_row.parts.front();
        const Counterparts counterparts(motion);
        const auto textOf = [&](JointId joint) {
            const QString name = QString::fromStdString(nameOf(motion, joint.value));
            const JointId other = m_row.isPair() ? counterparts.of(joint) : JointId();
            return other.isValid() && other != joint ? pairOf(name, QString::fromStdString(nameOf(motion, other.value)))
                                                     : name;
        };
        m_choice->clear();
        const std::vector<RoleCandidate> best = m_table.m_task.search().candidates(part.role);
        for (std::size_t i = 0; i < std::min(kBest, best.size()); ++i)
            m_choice->addItem(tr("%1   %2 %").arg(textOf(best[i].joint)).arg(qRound(100 * best[i].fit)),
                              static_cast<qulonglong>(best[i].joint.value));
        if (m_choice->count() > 0) m_choice->insertSeparator(m_choice->count());
        m_choice->addItem(tr("none"), static_cast<qulonglong>(0));
        m_choice->insertSeparator(m_choice->count());
        for (const Joint& joint : *motion.joints)
            m_choice->addItem(textOf(joint.id), static_cast<qulonglong>(joint.id.value));
        const qulonglong now = part.motion.empty() ? 0 : part.motion.front().value;
        m_choice->setCurrentIndex(m_choice->findData(now));
        m_choice->setToolTip(m_row.isPair() ? tr("Choose the joints of the motion for both sides")
                                            : tr("Choose the joint of the motion"));
    }

    PairTable& m_table;
    RetargetRow m_row;
    Dots* m_dots;
    ElidedLabel *m_role, *m_motion, *m_character, *m_reason;
    ChoiceBox* m_choice;
    QLabel* m_mark;
    bool m_isFilled = false;
};

PairTable::PairTable(RetargetTask& task, QWidget* parent) : QWidget(parent), m_task(task)
{
    const Theme& theme = Theme::instance();
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    auto* head = new QFrame;
    head->setObjectName(QStringLiteral("taskColumns"));
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4));
    row->setSpacing(theme.px(6));
    const QString titles[] = {tr("Role"), tr("In the motion"), tr("On %1").arg(task.characterName())};
    for (int i = 0; i < 3; ++i) {
        ElidedLabel* title = cell();
        title->setText(titles[i]);
        title->setProperty("role", "label");
        addColumn(*row, title, i);
    }
    row->addSpacing(theme.px(kMarkWidth) + theme.px(6));
    m_column->addWidget(m_head = head);
    connect(&task, &RetargetTask::previewChanged, this, &PairTable::refresh);
    connect(&task, &RetargetTask::candidatesChanged, this, [this] {
        for (Row* each : m_rows) each->takeCandidates();
    });
    refresh();
}

void PairTable::refresh()
{
    const RetargetPreviewPtr& preview = m_task.preview();
    if (preview == nullptr) return;
    // Rows are kept, with the focus that one of them may have.
    while (m_rows.size() > preview->rows.size()) {
        delete m_rows.back();
        m_rows.pop_back();
    }
    while (m_rows.size() < preview->rows.size()) {
        m_rows.push_back(new Row(*this));
        m_column->addWidget(m_rows.back());
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i]->row().parts.empty() || !(m_rows[i]->row() == preview->rows[i]))
            m_rows[i]->show(preview->rows[i]);
    setFilter(m_filter);
}

void PairTable::setFilter(Filter filter)
{
    m_filter = filter;
    for (Row* row : m_rows)
        row->setVisible(filter == Filter::All       ? !row->row().isFinger || row->row().isUnused
                        : filter == Filter::ToCheck ? row->row().mark == RetargetRow::Mark::Check
                                                    : row->row().isFinger);
}

QList<QWidget*> PairTable::rows() const
{
    QList<QWidget*> rows;
    for (Row* row : m_rows) rows << row;
    return rows;
}

void PairTable::light(const QString& role)
{
    for (Row* row : m_rows)
        row->setLit(!role.isEmpty() && std::any_of(row->row().parts.begin(), row->row().parts.end(),
                                                   [&](const auto& part) { return part.role == role.toStdString(); }));
}

} // namespace tendon::editor
