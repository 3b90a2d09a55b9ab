#pragma once

#include "app/widgets/PlayblastRun.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace tendon::editor {

class MainWindow;

/// Asks for the format, the file, the size and the range of a playblast, and shows how far it is.
class PlayblastDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PlayblastDialog(MainWindow& window);

    /// Opens the dialog; Start begins the playblast.
    static void ask(MainWindow& window);

    [[nodiscard]] PlayblastOptions options() const;

private:
    void addFields();
    void setFormat();
    void browse();
    void refresh();
    void start();

    MainWindow& m_window;
    QComboBox *m_format, *m_size;
    QLineEdit* m_file;
    QSpinBox *m_first, *m_last;
    QCheckBox* m_hidesRig;
    QLabel* m_note;
    QPushButton* m_start = nullptr;
};

} // namespace tendon::editor
