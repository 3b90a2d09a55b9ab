#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace tendon::editor {

/// Asks for the name and the folder of a new solver plugin and writes it. Then it says how to build it and what to do
/// with the result.
class NewPluginDialog : public QDialog
{
    Q_OBJECT
public:
    explicit NewPluginDialog(QWidget* parent);

private:
    void browse();
    void write();
    void say(const QString& richText);
    void showProblem(const QString& problem);
    [[nodiscard]] QString folder() const;
    void refresh();

    QLineEdit *m_name, *m_place;
    QLabel* m_note;
    QPushButton *m_write, *m_copy, *m_open;
    QString m_made; ///< the folder of the plugin that was written
};

} // namespace tendon::editor
