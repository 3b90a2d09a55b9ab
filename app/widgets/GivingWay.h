#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QWidget;

namespace tendon::editor {

/// Takes words out of a row of the window, step by step, as long as it is wider than its place, and puts them back when
/// there is room again. What goes first is least missed: its icon or tip says it, too.
class GivingWay : public QObject
{
public:
    using Step = std::function<void(bool isShort)>;

    /// `wanted`: the width that the row would like as it is now. Belongs to the row.
    GivingWay(QWidget& row, std::function<int()> wanted, std::vector<Step> steps);

private:
    void fit();
    bool eventFilter(QObject* watched, QEvent* event) override;

    QWidget& m_row;
    std::function<int()> m_wanted;
    std::vector<Step> m_steps;
    std::size_t m_taken = 0; ///< steps
};

} // namespace tendon::editor
