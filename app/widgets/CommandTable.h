#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

enum class KeyPreset { Maya, Blender, Max };
inline constexpr std::array<const char*, 3> kKeyPresetNames = {"Maya", "Blender", "3ds Max"};

/// Words for the user, from Command::tr(). A raw literal does not compile.
class UserText : public QString
{
public:
    UserText() = default;
    UserText(QString text) : QString(std::move(text)) {}
    UserText(const char*) = delete;
};

/// A command: menus, tool bar, search, shortcuts and the manual's page are made from these.
struct Command
{
    Q_DECLARE_TR_FUNCTIONS(Command)
public:
    QString id = {};                  ///< "file.save": never changes meaning
    QStringList menu = {};            ///< titles of the menu and the submenu; empty = in no menu
    UserText text = {};               ///< "Save as…"
    UserText tip = {};                ///< what it does, in one line that begins with a verb: "Save the project"
    QString icon = {};                ///< "" = none
    std::array<QString, 3> keys = {}; ///< by preset; several separated by "; "
    std::function<void()> run = {};
    std::function<UserText()> whyNot = {}; ///< why it can't run now, "" = it can; unset = it always can
    std::function<QString()> object = {};  ///< what it would act on now, behind its text in the menu: "Key elbow"
    std::function<bool()> isOn = {};       ///< set: the command is a switch
    bool beginsGroup = false;              ///< a separator above it in the menu
};

/// Every command, registered once.
class CommandTable : public QObject
{
    Q_OBJECT
public:
    explicit CommandTable(QWidget* window);

    QAction* add(Command command);
    [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const { return m_commands; }
    [[nodiscard]] QAction* action(const QString& id) const; ///< null = unknown id
    /// The ids of the commands of that id, or else of those words, whatever their case: "view.handles", "Handles".
    [[nodiscard]] QStringList named(const QString& idOrText) const;
    void run(const QString& id);
    /// The first key of a command now, as the desktop writes it; "" = none.
    [[nodiscard]] QString keyText(const QString& id) const;
    /// What is said where there are no keys yet: which key sets one.
    [[nodiscard]] QString noKeysText() const;

    /// The keys of a command with the present preset: the user's own, else the preset's.
    [[nodiscard]] QString keysOf(const Command& command) const;
    [[nodiscard]] bool hasOwnKeys(const QString& id) const;
    /// Gives a command keys of its own with the present preset ("" = none); null: those of the preset again.
    void setOwnKeys(const QString& id, const std::optional<QString>& keys);
    void resetOwnKeys(); ///< of the present preset
    /// The other commands that one of the keys runs with the present preset, by their words.
    [[nodiscard]] QStringList usersOf(const QString& keys, const QString& exceptId) const;

    void setPreset(KeyPreset preset);
    [[nodiscard]] KeyPreset preset() const { return m_preset; }
    /// "S: Key all, Save" for each key that a preset gives to two commands. Keys of the user's own do not count.
    [[nodiscard]] QStringList conflicts(KeyPreset preset) const;

    /// Updates the actions: which commands can run, and which switches are on.
    void refresh();

    /// The manual's page of keys.
    [[nodiscard]] QString asMarkdown() const;

signals:
    void refused(const QString& reason);

private:
    void applyKeys(const Command& command, QAction& action);
    static void applyTip(const Command& command, QAction& action, const QString& reason);

    QWidget* m_window;
    std::vector<std::unique_ptr<Command>> m_commands;
    std::map<QString, QAction*> m_actions;
    [[nodiscard]] QString settingFor(const QString& id) const; ///< where its own keys are kept

    KeyPreset m_preset = KeyPreset::Maya;
};

} // namespace tendon::editor
