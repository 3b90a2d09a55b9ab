#pragma once

#include "app/editor/Editor.h"

#include <QWidget>

class QListWidget;
class QPlainTextEdit;

namespace tendon::editor {

/// What was said: hints, warnings and errors, newest last. Double click selects what a message is about; Ctrl+C copies.
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

/// Each operation as it was carried out, as JSON, one a line: to copy, to save, to run again.
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
