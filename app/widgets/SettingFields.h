#pragma once

#include "core/solve/Settings.h"

#include <QCoreApplication>
#include <QLabel>

namespace tendon::editor {

/// The fields of a panel whose settings not every solver uses. Greys those that have no effect, adds the reason to
/// their tips, and names them in a hint below the fields.
class SettingFields
{
    Q_DECLARE_TR_FUNCTIONS(SettingFields)
public:
    SettingFields();

    /// Belongs below the fields; hidden while all of them have an effect.
    [[nodiscard]] QLabel* hint() const { return m_hint; }

    /// Call it after the fields have their tips. `title` is what the panel calls the setting.
    void add(Setting setting, const QString& title, const QList<QWidget*>& fields);

    /// `solvers`: those that move the joint; for a handle, its own.
    void show(std::span<const SolverInfo* const> solvers, const SolverRegistry& registry);
    void show(const Handle& handle, const SolverRegistry& registry);

    /// "No effect with Damped least squares. Used by Two-bone." Empty when one of `solvers` uses the setting.
    [[nodiscard]] static QString reason(Setting setting, std::span<const SolverInfo* const> solvers,
                                        const SolverRegistry& registry);

private:
    struct Entry
    {
        Setting setting;
        QString title, tip;
        QList<QWidget*> fields;
    };
    std::vector<Entry> m_entries;
    QLabel* m_hint; ///< owned by the layout that it is added to
};

} // namespace tendon::editor
