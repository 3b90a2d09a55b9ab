#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QWidget;

namespace tendon::editor {

/// Hides words in a row of the window, step by step, while the row is wider than its space, and shows them again when
/// there is room. The words that are hidden first are the ones that an icon or a tooltip repeats.
class ShrinkingRow : public QObject
{
public:
    using Step = std::function<void(bool isShort)>;

    /// `wanted`: the preferred width of the row in its present state. The row owns this object.
    ShrinkingRow(QWidget& row, std::function<int()> wanted, std::vector<Step> steps);

    void fit(); ///< again, after its words have changed

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hide(std::size_t step, bool isShort);

    QWidget& m_row;
    std::function<int()> m_wanted;
    std::vector<Step> m_steps;
    std::vector<bool> m_isHidden; ///< of each step
};

} // namespace tendon::editor
