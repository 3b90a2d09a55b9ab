#pragma once

#include <QWidget>

#include <array>

class QGridLayout;

namespace tendon::viewport {

class Viewport;

/// The area of the views: one, or four of the same scene, as a modelling program shows it: top, perspective, front,
/// right. One of them is active; commands are about it. GUI thread.
class ViewGrid : public QWidget
{
    Q_OBJECT
public:
    /// `main` becomes a child.
    explicit ViewGrid(Viewport& main);

    [[nodiscard]] Viewport& active() const { return *m_active; }
    [[nodiscard]] Viewport& main() const { return *m_views[kMain]; }

    /// Shows four views, or the active one alone. The other three are made when they are first shown.
    void setFour(bool isFour);
    [[nodiscard]] bool isFour() const { return m_isFour; }
    void frameAll(); ///< in every view

signals:
    void changed(); ///< active() or isFour()

private:
    static constexpr std::size_t kMain = 1; ///< top right
    void makeOthers();
    void activate(Viewport& view);
    void paintEvent(QPaintEvent*) override;

    std::array<Viewport*, 4> m_views{}; ///< null: not made yet
    Viewport* m_active;
    QGridLayout* m_layout;
    bool m_isFour = false;
};

} // namespace tendon::viewport
