#pragma once

#include <QDialog>

#include <functional>
#include <utility>
#include <vector>

class QComboBox;
class QFormLayout;
class QTabWidget;

namespace tendon::editor {

class MainWindow;

/// The preferences of the user, in force as soon as they are changed: there is nothing to confirm.
class PreferencesDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PreferencesDialog(MainWindow& window);
    void showKeys(); ///< opens at the page of keys

private:
    [[nodiscard]] QWidget* interfacePage();
    [[nodiscard]] QWidget* filesPage();
    [[nodiscard]] QWidget* animationPage();
    /// Adds a row with a list of (text, value) items, the current one chosen.
    template <typename T>
    QComboBox* addChoice(QFormLayout* form, const char* name, const QString& label, const QString& tip,
                         const std::vector<std::pair<QString, T>>& items, const T& current,
                         std::function<void(const T&)> take);

    MainWindow& m_window;
    QTabWidget* m_pages;
};

} // namespace tendon::editor
