#include "app/widgets/CommandTable.h"

#include "app/widgets/Icons.h"

#include <QSettings>
#include <QWidget>

#include <algorithm>

namespace tendon::editor {
namespace {

QList<QKeySequence> sequences(const QString& keys)
{
    QList<QKeySequence> result;
    for (const QString& key : keys.split(QStringLiteral("; "), Qt::SkipEmptyParts))
        result.append(QKeySequence(key, QKeySequence::PortableText));
    return result;
}

} // namespace

CommandTable::CommandTable(QWidget* window) : QObject(window), m_window(window) {}

QAction* CommandTable::add(Command command)
{
    Q_ASSERT(m_actions.count(command.id) == 0);
    m_commands.push_back(std::make_unique<Command>(std::move(command)));
    const Command& added = *m_commands.back();
    auto* action = new QAction(added.text, this);
    action->setIconText(added.text); // the tool bar's, which stays
    action->setObjectName(added.id);
    if (!added.icon.isEmpty()) action->setIcon(icon(added.icon));
    action->setCheckable(static_cast<bool>(added.isOn));
    action->setAutoRepeat(added.id.startsWith(QLatin1StringView("time.")) ||
                          added.id == QLatin1StringView("edit.undo") || added.id == QLatin1StringView("edit.redo"));
    connect(action, &QAction::triggered, this, [this, &added] { run(added.id); });
    applyKeys(added, *action);
    m_window->addAction(action);
    m_actions.emplace(added.id, action);
    return action;
}

QAction* CommandTable::action(const QString& id) const
{
    const auto found = m_actions.find(id);
    return found == m_actions.end() ? nullptr : found->second;
}

QStringList CommandTable::named(const QString& idOrText) const
{
    if (action(idOrText) != nullptr) return {idOrText};
    const auto plain = [](QString text) { return text.remove(QStringLiteral("…")).remove(QStringLiteral("...")); };
    QStringList ids;
    for (const auto& command : m_commands)
        if (plain(command->text).compare(plain(idOrText), Qt::CaseInsensitive) == 0) ids << command->id;
    return ids;
}

void CommandTable::run(const QString& id)
{
    for (const auto& command : m_commands) {
        if (command->id != id) continue;
        const QString reason = command->whyNot ? command->whyNot() : QString();
        if (reason.isEmpty())
            command->run();
        else
            emit refused(reason);
        refresh();
        return;
    }
    qWarning("unknown command %s", qPrintable(id));
}

void CommandTable::applyKeys(const Command& command, QAction& action)
{
    action.setShortcuts(sequences(keysOf(command)));
    applyTip(command, action, {});
}

void CommandTable::applyTip(const Command& command, QAction& action, const QString& reason)
{
    const auto keys = action.shortcuts();
    QString tip = command.tip;
    if (!keys.isEmpty()) tip += QStringLiteral(" (%1)").arg(keys.first().toString(QKeySequence::NativeText));
    if (!reason.isEmpty()) tip += '\n' + reason;
    if (tip != action.toolTip()) action.setToolTip(tip);
    action.setStatusTip(command.tip);
}

QString CommandTable::settingFor(const QString& id) const
{
    return QStringLiteral("shortcuts/%1/%2")
        .arg(QLatin1String(kKeyPresetNames[static_cast<std::size_t>(m_preset)]), id);
}

QString CommandTable::keysOf(const Command& command) const
{
    return QSettings().value(settingFor(command.id), command.keys[static_cast<std::size_t>(m_preset)]).toString();
}

bool CommandTable::hasOwnKeys(const QString& id) const { return QSettings().contains(settingFor(id)); }

void CommandTable::setOwnKeys(const QString& id, const std::optional<QString>& keys)
{
    if (keys)
        QSettings().setValue(settingFor(id), *keys);
    else
        QSettings().remove(settingFor(id));
    for (const auto& command : m_commands)
        if (command->id == id) applyKeys(*command, *m_actions.at(id));
}

void CommandTable::resetOwnKeys()
{
    QSettings().remove(settingFor({}).chopped(1));
    setPreset(m_preset);
}

QStringList CommandTable::usersOf(const QString& keys, const QString& exceptId) const
{
    const QList<QKeySequence> wanted = sequences(keys);
    QStringList users;
    for (const auto& command : m_commands) {
        if (command->id == exceptId) continue;
        const QList<QKeySequence> own = sequences(keysOf(*command));
        if (std::any_of(own.begin(), own.end(), [&](const QKeySequence& key) { return wanted.contains(key); }))
            users << command->text;
    }
    return users;
}

void CommandTable::setPreset(KeyPreset preset)
{
    m_preset = preset;
    for (const auto& command : m_commands) applyKeys(*command, *m_actions.at(command->id));
    refresh();
}

QStringList CommandTable::conflicts(KeyPreset preset) const
{
    std::map<QString, QStringList> users;
    for (const auto& command : m_commands)
        for (const QKeySequence& key : sequences(command->keys[static_cast<std::size_t>(preset)]))
            users[key.toString(QKeySequence::PortableText)] << command->text;
    QStringList result;
    for (const auto& [key, names] : users)
        if (names.size() > 1) result << key + ": " + names.join(QStringLiteral(", "));
    return result;
}

void CommandTable::refresh()
{
    for (const auto& command : m_commands) {
        QAction* action = m_actions.at(command->id);
        const QString reason = command->whyNot ? command->whyNot() : QString();
        action->setEnabled(reason.isEmpty());
        if (command->isOn) action->setChecked(command->isOn());
        if (command->object) {
            const QString text = (command->text + ' ' + command->object()).trimmed();
            if (text != action->text()) action->setText(text);
        }
        if (command->whyNot) applyTip(*command, *action, reason);
    }
}

QString CommandTable::keyText(const QString& id) const
{
    const QAction* action = this->action(id);
    return action == nullptr ? QString() : action->shortcut().toString(QKeySequence::NativeText);
}

QString CommandTable::noKeysText() const
{
    const QString key = keyText(QStringLiteral("key.set"));
    return key.isEmpty() ? tr("No keys yet") : tr("No keys yet. Press %1 to set one").arg(key);
}

QString CommandTable::asMarkdown() const
{
    QString page = tr("# Keys and commands\n\nTo find any command by name, press Tab in the viewport, or F3. Choose "
                      "the key preset at the right end of the tool bar.\n\n");
    page += tr("| command | what it does | Maya | Blender | 3ds Max |") + "\n|---|---|---|---|---|\n";
    QString menu;
    for (const auto& command : m_commands) {
        const QString top = command->menu.value(0);
        if (top != menu && !top.isEmpty()) {
            menu = top;
            page += QStringLiteral("| **%1** | | | | |\n").arg(menu);
        }
        page += QStringLiteral("| %1 | %2 | %3 | %4 | %5 |\n")
                    .arg(command->text, command->tip, command->keys[0], command->keys[1], command->keys[2]);
    }
    return page;
}

} // namespace tendon::editor
