#include "app/widgets/SolverPanel.h"

#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Texts.h"
#include "core/scene/Check.h"
#include "core/solve/StatusNames.h"

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace tendon::editor {
namespace {

double valueOf(const Handle& handle, const SolverParameter& parameter)
{
    const auto found = handle.parameters.find(parameter.id);
    return found == handle.parameters.end() ? parameter.defaultValue : found->second;
}

} // namespace

SolverPanel::SolverPanel(Editor& editor, QWidget* parent) : Section(tr("Solver"), parent), m_editor(editor)
{
    m_stopped = new QLabel;
    m_stopped->setWordWrap(true);
    m_stopped->setObjectName(QStringLiteral("solver.stopped"));
    body()->addWidget(m_stopped);
}

const Handle* SolverPanel::handle() const { return m_editor.document().scene().find(m_target.handle); }

std::vector<const Handle*> SolverPanel::handlesOfSolver() const
{
    std::vector<const Handle*> handles = editedHandles(m_editor, m_target);
    const std::string solver = handles.empty() ? std::string() : handles.front()->solver;
    std::erase_if(handles, [&](const Handle* other) { return other->solver != solver; });
    return handles;
}

QJsonObject SolverPanel::forSameSolver(const std::function<QJsonObject(const Handle&)>& fields) const
{
    const Handle* shown = handle();
    return forEditedHandles(m_editor, m_target, [&](const Handle& other) {
        return shown != nullptr && other.solver == shown->solver ? fields(other) : QJsonObject();
    });
}

void SolverPanel::show(const InspectorTarget& target)
{
    m_target = target;
    refresh();
}

void SolverPanel::build(const SolverInfo* info)
{
    delete m_parameters;
    m_values.clear();
    m_conditional.clear();
    m_parameters = new QWidget;
    auto* column = new QVBoxLayout(m_parameters);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(4));
    if (info != nullptr) {
        if (info->has("objectives")) addObjectives(*column);
        QString group;
        for (const SolverParameter& parameter : info->parameters) {
            if (const QString next = QString::fromStdString(parameter.group); next != group) {
                group = next;
                auto* heading = new QLabel(group);
                heading->setProperty("role", "hint");
                column->addWidget(heading);
            }
            QWidget* field = fieldFor(parameter);
            QLabel* label = addRow(column, QString::fromStdString(parameter.label), {field},
                                   QString::fromStdString(parameter.doc));
            label->setWordWrap(true); // plugins may declare long labels
            if (!parameter.when.empty()) m_conditional.push_back({parameter, label, field});
        }
    }
    body()->insertWidget(0, m_parameters);
    orderTabs();
    setHint(info == nullptr ? QString() : QString::fromStdString(info->name));
}

void SolverPanel::addObjectives(QVBoxLayout& column)
{
    struct Objective
    {
        const char* id;
        QString label, tip;
        double Objectives::*weight;
    };
    const Objective objectives[] = {
        {"restPose", tr("Rest pose"), tr("Prefer a pose near the rest pose, among those that meet the goal"),
         &Objectives::restPose},
        {"naturalPose", tr("Natural pose"),
         tr("Prefer a pose near the preferred angles of the joints, among those that meet the goal"),
         &Objectives::naturalPose},
        {"velocity", tr("Velocity"), tr("Prefer a pose near that of the frame before, so that joints turn slowly"),
         &Objectives::velocity},
        {"power", tr("Power"), tr("Prefer a pose that moves little mass from that of the frame before"),
         &Objectives::power},
    };
    auto* heading = new QLabel(tr("Objectives (0 = off)"));
    heading->setProperty("role", "hint");
    column.addWidget(heading);
    for (const Objective& objective : objectives) {
        const auto make = [this, id = QString::fromLatin1(objective.id),
                           weight = objective.weight](const NumberEdit& edit) {
            return forSameSolver([&](const Handle& h) {
                return QJsonObject{{"objectives", QJsonObject{{id, edit.of(h.objectives.*weight)}}}};
            });
        };
        NumberField* field = numberField(
            m_editor.document(),
            {.decimals = 2, .step = 0.02, .minimum = 0, .maximum = 1e6, .showsFill = true, .fillTo = 10}, make);
        field->setObjectName(QStringLiteral("solver.objective.%1").arg(QLatin1StringView(objective.id)));
        m_values.add(field, [weight = objective.weight](const Handle& h) { return h.objectives.*weight; });
        addRow(&column, objective.label, {field}, objective.tip);
    }
}

/// Greys what does not count with the present values, and says with which it does.
void SolverPanel::greyUnused(const Handle& handle, const SolverInfo* info)
{
    for (const Conditional& each : m_conditional) {
        const SolverParameter* other = info == nullptr ? nullptr : info->parameter(each.parameter.when);
        if (other == nullptr) continue;
        const auto index = static_cast<std::size_t>(std::clamp(valueOf(handle, *other), 0.0, other->maximum));
        const bool isUsed = (other->values[index] == each.parameter.whenValue) != each.parameter.isWhenNot;
        const QString doc = QString::fromStdString(each.parameter.doc);
        const QString help = isUsed
                                 ? doc
                                 : tr("%1 is %2: without effect. %3")
                                       .arg(QString::fromStdString(other->label), readable(other->values[index]), doc);
        each.label->setEnabled(isUsed);
        each.field->setEnabled(isUsed);
        each.label->setToolTip(help);
        each.field->setToolTip(help);
    }
}

QWidget* SolverPanel::fieldFor(const SolverParameter& parameter)
{
    EditorDocument& document = m_editor.document();
    const auto make = [this, id = QString::fromStdString(parameter.id)](const QJsonValue& value) {
        return forSameSolver([&](const Handle&) { return QJsonObject{{"parameters", QJsonObject{{id, value}}}}; });
    };
    QWidget* field = nullptr;
    if (parameter.kind == SolverParameter::Kind::Bool) {
        QCheckBox* box = checkField(document, [make](bool on) { return make(on); });
        m_values.add(box, [parameter](const Handle& h) { return valueOf(h, parameter) != 0; });
        field = box;
    } else if (parameter.kind == SolverParameter::Kind::Enum) {
        QComboBox* box = choiceField(document, [make](const QString& value) { return make(value); });
        for (const std::string& value : parameter.values) box->addItem(readable(value), QString::fromStdString(value));
        m_values.add(box, [parameter](const Handle& h) {
            const auto index = static_cast<std::size_t>(std::clamp(valueOf(h, parameter), 0.0, parameter.maximum));
            return QString::fromStdString(parameter.values[index]);
        });
        field = box;
    } else {
        const bool isWhole = parameter.kind == SolverParameter::Kind::Integer;
        const double span = parameter.maximum - parameter.minimum;
        // Enough decimals to show a hundredth of the default.
        const double grain = std::max(std::abs(parameter.defaultValue), span * 1e-3) * 0.01;
        const int decimals = isWhole
                                 ? 0
                                 : std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(grain, 1e-9)))), 1, 6);
        constexpr int kDigits = 3;           // of a value of any magnitude
        constexpr double kMagnitudes = 0.02; // that a drag changes it by for each pixel
        const bool isLogarithmic = parameter.isLogarithmic && !isWhole;
        NumberField::Format format{.decimals = isLogarithmic ? kDigits : decimals,
                                   .unit = QString::fromStdString(parameter.unit == "deg" ? "°" : parameter.unit),
                                   .step = isWhole         ? 0.2
                                           : isLogarithmic ? kMagnitudes
                                                           : std::max(std::pow(10.0, -decimals), span / 1000),
                                   .minimum = parameter.minimum,
                                   .maximum = parameter.maximum,
                                   .showsFill = !parameter.isLogarithmic && !isWhole && span <= 10,
                                   .isLogarithmic = isLogarithmic};
        NumberField* number = numberField(
            document, std::move(format), [this, parameter, isWhole](const NumberEdit& edit) {
                return forSameSolver([&](const Handle& h) {
                    const double v = edit.of(valueOf(h, parameter));
                    const QJsonObject changed{{QString::fromStdString(parameter.id), isWhole ? qRound(v) : v}};
                    return QJsonObject{{"parameters", changed}};
                });
            });
        m_values.add(number, [parameter](const Handle& h) { return valueOf(h, parameter); });
        field = number;
    }
    field->setObjectName(QStringLiteral("solver.%1").arg(QString::fromStdString(parameter.id)));
    return field;
}

void SolverPanel::refresh()
{
    const Handle* h = handle();
    const SolverInfo* info = h == nullptr ? nullptr : m_editor.document().solvers().find(h->solver);
    if (const std::string id = info == nullptr ? std::string() : info->id;
        id != m_builtFor || m_parameters == nullptr) {
        build(info);
        m_builtFor = id;
    }
    if (h == nullptr) {
        const SolverInfo* usual = m_editor.document().solvers().find(SolverRegistry::kDefaultAlias);
        const bool isNamed = usual != nullptr && m_target.item.isValid();
        m_stopped->setText(isNamed ? tr("Interactive IK uses %1").arg(QString::fromStdString(usual->name)) : QString());
        return;
    }
    m_values.show(handlesOfSolver());
    greyUnused(*h, info);
    const FramePtr frame = m_editor.frame();
    const HandleView* view = frame == nullptr ? nullptr : frame->find(m_target.handle);
    if (view == nullptr) return;
    const SolverInfo* usual = m_editor.document().solvers().find(SolverRegistry::kDefaultAlias);
    if (info == nullptr)
        m_stopped->setText(tr("The solver %1 is not installed").arg(QString::fromStdString(h->solver)));
    else if (m_editor.document().solvers().fault(h->solver) && usual != nullptr)
        m_stopped->setText(tr("%1 failed, so %2 solves in its place: %3 after %4 iterations, %5 from the goal")
                               .arg(QString::fromStdString(info->name), QString::fromStdString(usual->name),
                                    QString::fromLatin1(statusName(view->result)))
                               .arg(view->result.iterations)
                               .arg(lengthText(view->result.positionError)));
    else if (!view->target.isActive())
        m_stopped->setText(tr("Not solved: the chain is in FK"));
    else if (view->isSoft)
        m_stopped->setText(
            tr("Soft reach holds the chain back: %1 short of the goal").arg(lengthText(view->result.positionError)));
    else if (view->showsFk)
        m_stopped->setText(tr("Goal out of reach, and no earlier frame has a pose to hold: shows FK, %1 short")
                               .arg(lengthText(view->result.positionError)));
    else if (view->result.isHeld)
        m_stopped->setText(tr("Goal out of reach: holds the last pose that reached it, %1 short")
                               .arg(lengthText(view->result.positionError)));
    else
        m_stopped->setText(tr("Result: %1 after %2 iterations, %3 from the goal")
                               .arg(QString::fromLatin1(statusName(view->result)))
                               .arg(view->result.iterations)
                               .arg(lengthText(view->result.positionError)));
}

} // namespace tendon::editor
