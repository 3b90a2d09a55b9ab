#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace tendon::editor {

enum class KeyPreset { Maya, Blender, Max };
inline constexpr std::array<const char*, 3> kKeyPresetNames = {"Maya", "Blender", "3ds Max"};

/// One thing that can be commanded: what menus, tool bar, search, shortcuts and the manual's page are made from.
struct Command
{
    QString id = {};                  ///< "file.save": never changes meaning
    QString menu = {};                ///< "File", "File|Samples"; "" = in no menu
    QString text = {};                ///< "Save as…"
    QString tip = {};                 ///< what it does, one line
    QString icon = {};                ///< "" = none
    std::array<QString, 3> keys = {}; ///< by preset; several separated by "; "
    std::function<void()> run = {};
    std::function<QString()> whyNot = {}; ///< why it can't be done now, "" = it can; unset = always
    std::function<bool()> isOn = {};      ///< set: it is a switch
    bool beginsGroup = false;             ///< a line above it in the menu
};

/// Every command, registered once.
class CommandTable : public QObject
{
    Q_OBJECT
public:
    explicit CommandTable(QWidget* window);

    QAction* add(Command command);
    [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const { return m_commands; }
    [[nodiscard]] QAction* action(const QString& id) const; ///< null = there is none
    void run(const QString& id);

    void setPreset(KeyPreset preset);
    [[nodiscard]] KeyPreset preset() const { return m_preset; }
    /// "S: Key all, Save" for keys that a preset gives to two commands.
    [[nodiscard]] QStringList conflicts(KeyPreset preset) const;

    /// Asks every command whether it can be done and is on.
    void refresh();

    /// The manual's page, from the table.
    [[nodiscard]] QString asMarkdown() const;

signals:
    void refused(const QString& reason);

private:
    void applyKeys(const Command& command, QAction& action);
    static void applyTip(const Command& command, QAction& action, const QString& reason);

    QWidget* m_window;
    std::vector<std::unique_ptr<Command>> m_commands;
    std::map<QString, QAction*> m_actions;
    KeyPreset m_preset = KeyPreset::Maya;
};

} // namespace tendon::editor
