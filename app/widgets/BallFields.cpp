#include "app/widgets/BallFields.h"

#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Section.h"
#include "core/math/Degrees.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

constexpr double kDefaultLimit = 45; ///< [deg] of a swing or twist whose limit is turned on

/// The axis that the joint's bone lies along, which is the one that it twists about.
int boneAxis(const Scene& scene, const Joint& joint)
{
    for (const Joint& child : *scene.joints) {
        Eigen::Index axis = 0;
        if (child.parent == joint.id && child.rest.translation.cwiseAbs().maxCoeff(&axis) > 0)
            return static_cast<int>(axis);
    }
    return 0;
}

template <std::size_t N>
QJsonArray inDegrees(const std::array<double, N>& angles)
{
    QJsonArray numbers;
    for (const double angle : angles) numbers.append(angle * kDegrees);
    return numbers;
}

/// Greys the number of a limit that is off, and says in its tip how to turn it on.
void setLimited(NumberField* field, bool isLimited, const QString& help)
{
    field->setEnabled(isLimited);
    field->setToolTip(isLimited ? help : help + '\n' + BallFields::tr("Turn on Limited to limit it"));
}

} // namespace

BallFields::BallFields(Editor& editor, const InspectorTarget& target) : m_editor(editor), m_target(target)
{
    EditorDocument& document = editor.document();
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));

    m_isBall = checkField(document, [this](bool on) {
        return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
            QJsonObject operation{{"op", "setBallJoint"}, {"on", on}};
            if (on && !joint.ball)
                operation.insert(QStringLiteral("axis"), kAxisNames[boneAxis(m_editor.document().scene(), joint)]);
            return operation;
        });
    });
    m_isBall->setText(tr("Ball joint"));
    m_isBall->setObjectName(QStringLiteral("joint.ball"));
    m_reason = new ElidedLabel;
    m_reason->setProperty("role", "hint");
    auto* line = new QHBoxLayout;
    line->addWidget(m_isBall);
    line->addStretch(1);
    line->addWidget(m_reason);
    column->addLayout(line);

    m_limits = new QWidget;
    column->addWidget(m_limits);
    auto* rows = new QVBoxLayout(m_limits);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(theme.px(4));
    m_axis = choiceField(document, [this](const QString& axis) {
        return forBalls([&](const BallLimits&) { return QJsonObject{{"axis", axis}}; });
    });
    m_axis->setObjectName(QStringLiteral("joint.ball.axis"));
    for (int axis = 0; axis < 3; ++axis) m_axis->addItem(QString(QChar('X' + axis)), kAxisNames[axis]);
    addRow(rows, tr("Twist axis"), {m_axis}, tr("The axis that twist is about; the other two are those of swing"));

    m_isSwingLimited = checkField(document, [this](bool on) {
        return forBalls([&](const BallLimits&) {
            return QJsonObject{
                {"swing", on ? QJsonArray{kDefaultLimit, kDefaultLimit, kDefaultLimit, kDefaultLimit} : QJsonArray()}};
        });
    });
    m_isSwingLimited->setObjectName(QStringLiteral("joint.ball.swing.limited"));
    m_isSwingLimited->setAccessibleName(tr("Swing limited"));
    m_isSwingLimited->setToolTip(fieldHelp("setBallJoint", "swing"));
    m_isTwistLimited = checkField(document, [this](bool on) {
        return forBalls([&](const BallLimits&) {
            return QJsonObject{{"twist", on ? QJsonArray{-kDefaultLimit, kDefaultLimit} : QJsonArray()}};
        });
    });
    m_isTwistLimited->setObjectName(QStringLiteral("joint.ball.twist.limited"));
    m_isTwistLimited->setAccessibleName(tr("Twist limited"));
    m_isTwistLimited->setToolTip(fieldHelp("setBallJoint", "twist"));
    for (std::size_t end = 0; end < 4; ++end) m_swing[end] = swingField(end);
    for (std::size_t end = 0; end < 2; ++end) m_twist[end] = twistField(end);
    m_kind.add(m_isBall, [](const Joint& joint) { return joint.ball.has_value(); });
    m_values.add(m_axis, [](const Joint& joint) { return QString(kAxisNames[joint.ball->twistAxis]); });
    m_values.add(m_isSwingLimited, [](const Joint& joint) { return joint.ball->swing.has_value(); });
    m_values.add(m_isTwistLimited, [](const Joint& joint) { return joint.ball->twist.has_value(); });
    for (std::size_t end = 0; end < 4; ++end)
        m_values.add(m_swing[end], [end](const Joint& joint) {
            return joint.ball->swing ? (*joint.ball->swing)[end] * kDegrees : 180;
        });
    for (std::size_t end = 0; end < 2; ++end)
        m_values.add(m_twist[end], [end](const Joint& joint) {
            return joint.ball->twist ? (*joint.ball->twist)[end] * kDegrees : end == 0 ? -180 : 180;
        });

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme.px(6));
    grid->setVerticalSpacing(theme.px(2));
    grid->setColumnStretch(3, 1);
    grid->setColumnStretch(4, 1);
    const auto head = [&](const QString& text, int row, int at) {
        auto* label = new QLabel(text);
        label->setProperty("role", "hint");
        label->setFont(theme.font(11));
        grid->addWidget(label, row, at);
    };
    head(tr("Limited"), 0, 2);
    head(tr("Swing −"), 0, 3);
    head(tr("Swing +"), 0, 4);
    head(tr("Twist from"), 3, 3);
    head(tr("Twist to"), 3, 4);
    constexpr int kRows[] = {1, 2, 4};
    for (std::size_t i = 0; i < 3; ++i) {
        m_letters[i] = new QLabel;
        m_letters[i]->setFont(theme.font(10, 600));
        grid->addWidget(m_letters[i], kRows[i], 0);
    }
    grid->addWidget(m_isSwingLimited, 1, 2, 2, 1); // one limit for both axes: they are those of one ellipse
    grid->addWidget(m_isTwistLimited, 4, 2);
    for (std::size_t end = 0; end < 4; ++end) // semi-axes are +a, -a, +b, -b
        grid->addWidget(m_swing[end], kRows[end / 2], end % 2 == 0 ? 4 : 3);
    grid->addWidget(m_twist[0], 4, 3);
    grid->addWidget(m_twist[1], 4, 4);
    rows->addLayout(grid);
}

NumberField* BallFields::swingField(std::size_t end)
{
    NumberField* field = numberField(
        m_editor.document(), {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5, .minimum = 0, .maximum = 180},
        [this, end](const NumberEdit& edit) {
            return forBalls([&](const BallLimits& ball) {
                if (!ball.swing) return QJsonObject();
                QJsonArray swing = inDegrees(*ball.swing);
                const auto at = static_cast<qsizetype>(end);
                swing[at] = edit.of(swing[at].toDouble());
                return QJsonObject{{"swing", swing}};
            });
        });
    const char* names[] = {"a.plus", "a.minus", "b.plus", "b.minus"};
    field->setObjectName(QStringLiteral("joint.ball.swing.%1").arg(names[end]));
    return field;
}

NumberField* BallFields::twistField(std::size_t end)
{
    NumberField* field = numberField(m_editor.document(), {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5},
                                     [this, end](const NumberEdit& edit) {
                                         return forBalls([&](const BallLimits& ball) {
                                             if (!ball.twist) return QJsonObject();
                                             QJsonArray twist = inDegrees(*ball.twist);
                                             const auto at = static_cast<qsizetype>(end);
                                             twist[at] = edit.of(twist[at].toDouble());
                                             return QJsonObject{{"twist", twist}};
                                         });
                                     });
    field->setObjectName(QStringLiteral("joint.ball.twist.%1").arg(end == 0 ? "from" : "to"));
    field->setAccessibleName(end == 0 ? tr("Twist from") : tr("Twist to"));
    return field;
}

QJsonObject BallFields::forBalls(const std::function<QJsonObject(const BallLimits&)>& make) const
{
    return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
        QJsonObject operation = joint.ball ? make(*joint.ball) : QJsonObject();
        if (!operation.isEmpty()) operation.insert(QStringLiteral("op"), QStringLiteral("setBallJoint"));
        return operation;
    });
}

void BallFields::show(const std::vector<const Joint*>& joints, const QString& reason)
{
    const Joint& joint = *joints.front();
    m_kind.show(joints);
    const bool canBeBall = joint.ball || reason.isEmpty();
    m_isBall->setEnabled(canBeBall);
    const QString help = tr("Limit the joint by swing and twist instead of axis by axis");
    m_isBall->setToolTip(canBeBall ? help : help + '\n' + reason);
    m_reason->setText(reason);
    m_reason->setVisible(!reason.isEmpty());
    m_limits->setVisible(joint.ball.has_value());
    if (!joint.ball) return;
    const BallLimits& ball = *joint.ball;
    std::vector<const Joint*> balls = joints;
    std::erase_if(balls, [](const Joint* other) { return !other->ball; });
    m_values.show(balls);
    const Theme& theme = Theme::instance();
    for (int row = 0; row < 3; ++row) {
        const int axis = (ball.twistAxis + 1 + row) % 3;
        QLabel* letter = m_letters[static_cast<std::size_t>(row)];
        letter->setText(QString(QChar('X' + axis)));
        letter->setStyleSheet(QStringLiteral("color: %1; font-weight: 600;")
                                  .arg(theme.color(QStringLiteral("axis.%1").arg(kAxisNames[axis])).name()));
    }
    for (std::size_t end = 0; end < 4; ++end) {
        setLimited(m_swing[end], ball.swing.has_value(), fieldHelp("setBallJoint", "swing"));
        m_swing[end]->setAccessibleName(
            (end % 2 == 0 ? tr("Swing + %1") : tr("Swing − %1")).arg(m_letters[end / 2]->text()));
    }
    for (NumberField* end : m_twist) setLimited(end, ball.twist.has_value(), fieldHelp("setBallJoint", "twist"));
}

} // namespace tendon::editor
