#pragma once

#include <QWidget>

class QButtonGroup;

namespace tendon::editor {

/// A few choices side by side, of which one is on.
class SegmentBar : public QWidget
{
    Q_OBJECT
public:
    struct Choice
    {
        QString text, tip;
    };
    /// `name`: of the bar, for screen readers. `fills`: as wide as there is room, all alike.
    SegmentBar(const QString& name, const QList<Choice>& choices, bool fills, QWidget* parent = nullptr);

    [[nodiscard]] int current() const;
    void setCurrent(int index); ///< emits nothing

signals:
    void chosen(int index); ///< by the user

private:
    QButtonGroup* m_group;
};

} // namespace tendon::editor
