#pragma once

#include "app/widgets/CommandTable.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tendon::editor {

/// The tour of the first start: five steps on a card over the window. Enter goes on, Skip ends it.
class FirstRunOverlay : public QFrame
{
    Q_OBJECT
public:
    explicit FirstRunOverlay(QWidget* window);

    void begin();
    [[nodiscard]] int step() const { return m_step; }

signals:
    void presetChosen(KeyPreset preset);
    void finished();

private:
    void show(int step);
    void place();
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    int m_step = 0;
    QList<QLabel*> m_steps;
    QStackedWidget* m_pages;
    QPushButton* m_next;
};

} // namespace tendon::editor
