#pragma once

#include "app/editor/Editor.h"
#include "app/viewport/Viewport.h"
#include "tests/support/Picture.h"

#include <QTest>

#include <cmath>
#include <cstdio>
#include <ctime>

inline QPoint toPoint(const tendon::viewport::Vector2& pixel)
{
    return {static_cast<int>(std::lround(pixel.x())), static_cast<int>(std::lround(pixel.y()))};
}

/// CPU time of all threads of this program, which other programs do not change.
inline double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// How many pixels differ by more than `by` in lightness.
inline int differing(const QImage& a, const QImage& b, int by = 24)
{
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += std::abs(a.pixelColor(x, y).lightness() - b.pixelColor(x, y).lightness()) > by;
    return count;
}

/// A viewport on the screen, 700 x 500, with an editor of its own for each test.
class ViewportUnderTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_solvers.scan(); }

    void init()
    {
        m_editor = std::make_unique<tendon::editor::Editor>(m_solvers);
        m_viewport = std::make_unique<tendon::viewport::Viewport>(*m_editor);
        m_viewport->resize(700, 500);
        m_viewport->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_viewport.get()));
    }

    void cleanup()
    {
        m_viewport.reset();
        m_editor.reset();
    }

protected:
    void openMannequin()
    {
        QVERIFY(m_editor->document().openSample("mannequin").has_value());
        settle();
        static_cast<void>(m_viewport->grabImage({64, 64})); // its textures have loaded
        settle();
        QVERIFY(tendon::test::waitForPicture(*m_viewport));
    }

    /// Waits until the newest frame has been drawn.
    void settle()
    {
        const tendon::editor::FramePtr frame = m_editor->finishFrame();
        QTRY_COMPARE(m_viewport->frameShown(), frame->request);
    }

    tendon::SolverRegistry m_solvers;
    std::unique_ptr<tendon::editor::Editor> m_editor;
    std::unique_ptr<tendon::viewport::Viewport> m_viewport;
};
