#pragma once

#include "app/editor/Editor.h"

#include <QWidget>

class QListWidget;
class QPlainTextEdit;

namespace tendon::editor {

/// The log: notes, warnings and errors, newest last. Double-click selects the object of a message; Ctrl+C copies.
class LogPanel : public QWidget
{
    Q_OBJECT
public:
    explicit LogPanel(Editor& editor, QWidget* parent = nullptr);
    void add(const Issues& issues);
    [[nodiscard]] int count() const;

private:
    Editor& m_editor;
    QListWidget* m_list;
};

/// The operations that were carried out, as JSON, one per line: to copy, save and run again.
class ScriptPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ScriptPanel(Editor& editor, QWidget* parent = nullptr);
    [[nodiscard]] QString text() const;

private:
    void rebuild();
    Editor& m_editor;
    QPlainTextEdit* m_text;
};

} // namespace tendon::editor
