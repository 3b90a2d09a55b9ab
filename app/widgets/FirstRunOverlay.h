#pragma once

#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"

#include <QFrame>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace tendon::editor {

/// The tour at the first start: five steps on a card beside the figure. Enter goes to the next step, Skip ends the
/// tour.
class FirstRunOverlay : public QFrame
{
    Q_OBJECT
public:
    FirstRunOverlay(QWidget* window, const CommandTable& commands);

    void begin();
    [[nodiscard]] int step() const { return m_step; }

signals:
    void presetChosen(KeyPreset preset);
    void lookChosen(Theme::Kind kind, double scale);
    void finished();

private:
    QWidget* makeList();
    QWidget* makePage(int step, const CommandTable& commands);
    QHBoxLayout* makeButtons();
    void show(int step);
    void place();
    [[nodiscard]] int heightFor(int width, bool hasList) const; ///< of the card with the current step
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    int m_step = 0;
    QWidget* m_list;
    QList<QLabel*> m_steps;
    QLabel* m_where;
    QComboBox *m_themes, *m_scales;
    QStackedWidget* m_pages;
    QHBoxLayout* m_cards = nullptr; ///< of the first step
    QPushButton* m_next;
};

} // namespace tendon::editor
