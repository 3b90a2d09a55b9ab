#include "app/widgets/SettingFields.h"

namespace tendon::editor {

SettingFields::SettingFields() : m_hint(new QLabel)
{
    m_hint->setProperty("role", "hint");
    m_hint->setWordWrap(true);
    m_hint->setObjectName(QStringLiteral("settings.unused"));
    m_hint->hide();
}

void SettingFields::add(Setting setting, const QString& title, const QList<QWidget*>& fields)
{
    m_entries.push_back({setting, title, fields.first()->toolTip(), fields});
}

QString SettingFields::reason(Setting setting, std::span<const SolverInfo* const> solvers,
                              const SolverRegistry& registry)
{
    if (!isUnused(setting, solvers)) return {};
    constexpr qsizetype kMaxNamed = 4; // more would fill the panel
    QStringList users;
    for (const SolverInfo* solver : usersOf(setting, registry)) users << QString::fromStdString(solver->name);
    if (users.empty()) return tr("No solver supports this yet.");
    const QString solver = QString::fromStdString(solvers.front()->name);
    const QString named = users.mid(0, kMaxNamed).join(QStringLiteral(", "));
    if (users.size() <= kMaxNamed) return tr("No effect with %1. Used by %2.").arg(solver, named);
    return tr("No effect with %1. Used by %2 and %n more.", nullptr, static_cast<int>(users.size() - kMaxNamed))
        .arg(solver, named);
}

void SettingFields::show(std::span<const SolverInfo* const> solvers, const SolverRegistry& registry)
{
    std::vector<std::pair<QString, QStringList>> greyed; // reason, titles
    for (const Entry& entry : m_entries) {
        const QString why = reason(entry.setting, solvers, registry);
        const QString tip = why.isEmpty() ? entry.tip : entry.tip + '\n' + why;
        for (QWidget* field : entry.fields) {
            field->setEnabled(why.isEmpty());
            if (field->toolTip() != tip) field->setToolTip(tip);
        }
        const bool isShown = std::any_of(entry.fields.begin(), entry.fields.end(),
                                         [](const QWidget* field) { return !field->isHidden(); });
        if (why.isEmpty() || !isShown) continue;
        const auto same = std::find_if(greyed.begin(), greyed.end(), [&](const auto& g) { return g.first == why; });
        if (same == greyed.end())
            greyed.push_back({why, {entry.title}});
        else if (!same->second.contains(entry.title))
            same->second << entry.title;
    }
    QStringList lines;
    for (const auto& [why, titles] : greyed) lines << titles.join(QStringLiteral(", ")) + QStringLiteral(": ") + why;
    const QString text = lines.join('\n');
    if (text != m_hint->text()) m_hint->setText(text);
    m_hint->setVisible(!text.isEmpty());
}

void SettingFields::show(const Handle& handle, const SolverRegistry& registry)
{
    const SolverInfo* solver = registry.find(handle.solver);
    show(std::span(&solver, solver == nullptr ? 0 : 1), registry);
}

} // namespace tendon::editor
