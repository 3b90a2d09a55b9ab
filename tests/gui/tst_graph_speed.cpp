#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "core/scene/KeyEdit.h"

#include <ctime>
#include <random>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// What a frame of the graph and of the dope sheet costs with 100 000 keys: CPU time of the GUI thread, printed, with
/// bounds.
class TestGraphSpeed : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static double milliseconds()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }
    /// `count` keys, one a frame, that wander.
    static std::vector<Key> keysOf(Property property, int count, FrameRate fps, unsigned seed)
    {
        std::mt19937 random(seed);
        std::vector<Key> keys;
        ChannelValue value{0, 0, 0, isQuaternion(property) ? 1.0 : 0.0};
        for (int i = 0; i < count; ++i) {
            for (std::size_t c = 0; c < 3; ++c) value[c] += (static_cast<double>(random() % 2001) - 1000) * 1e-5;
            keys.push_back({.time = fps.timeOf(1 + i), .value = value});
        }
        return keys;
    }
    /// The median of the costs of `frames` pictures, each after `step`.
    static double costOf(QWidget& view, int frames, const std::function<void(int)>& step)
    {
        std::vector<double> costs;
        for (int i = 0; i < frames; ++i) {
            const double before = milliseconds();
            step(i);
            view.repaint();
            costs.push_back(milliseconds() - before);
        }
        std::nth_element(costs.begin(), costs.begin() + frames / 2, costs.end());
        return costs[static_cast<std::size_t>(frames) / 2];
    }
    static void sendMove(QWidget& view, QPoint at, Qt::MouseButton button)
    {
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, button, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    static double costOfPan(QWidget& view, QPoint by)
    {
        const QPoint from = view.rect().center();
        QTest::mousePress(&view, Qt::MiddleButton, {}, from);
        const double cost = costOf(view, 41, [&](int i) { sendMove(view, from + by * (i + 1), Qt::MiddleButton); });
        QTest::mouseRelease(&view, Qt::MiddleButton, {}, from);
        return cost;
    }
    static void wheel(QWidget& view, int steps)
    {
        const QPoint at = view.rect().center();
        QWheelEvent event(at, view.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void aFrameOfPanning_data()
    {
        QTest::addColumn<bool>("isWhole");
        QTest::newRow("one channel of 100 000 keys") << false;
        QTest::newRow("100 000 keys in 208 curves") << true;
    }
    void aFrameOfPanning();
};

void TestGraphSpeed::aFrameOfPanning()
{
    QFETCH(bool, isWhole);
    constexpr int kKeys = 100'000;
    WindowUnderTest w("mannequin");
    w.window->resize(1920, 1080);
    Scene scene = w.document().scene();
    const ClipId clip = w.document().edit().currentClip;
    const std::vector<Joint> joints = scene.joints->toVector();
    const ObjectId goal = scene.handles->front().id.value;
    std::vector<ChannelId> channels;
    for (const Joint& joint : joints)
        if (isWhole) channels.push_back({joint.id.value, Property::Rotation});
    if (!isWhole) channels.push_back({goal, Property::GoalPosition});
    const int each = kKeys / static_cast<int>(channels.size());
    scene.lastFrame = each;
    std::vector<SelectionItem> items;
    for (const ChannelId& channel : channels) {
        auto done = replaceKeys(std::move(scene), clip, channel,
                                keysOf(channel.property, each, scene.fps, static_cast<unsigned>(channel.target)));
        if (!done) qFatal("%s", done.error().message.c_str());
        scene = std::move(*done);
        items.push_back(isWhole ? SelectionItem::of(JointId{channel.target})
                                : SelectionItem::of(HandleId{channel.target}));
    }
    w.document().adopt({scene, {clip, 1}}, {}, "Many keys");
    w.window->showBottom(BottomTab::Graph);
    w.state->selection().select(items);
    w.settle();
    auto* view = w.find<GraphView>("graph.view");
    GraphState& state = w.window->graph()->state();
    std::size_t keys = 0;
    for (const GraphCurve& curve : state.curves())
        if (curve.id.component == 0) keys += curve.keys->size();
    QVERIFY2(keys > kKeys * 99 / 100, qPrintable(QString::number(keys)));
    (void)view->grab();

    const double whole = costOf(*view, 11, [&](int) { emit state.changed(); });
    const double panned = costOfPan(*view, {5, 0}), slanting = costOfPan(*view, {4, 3});
    wheel(*view, 20);
    const double close = costOfPan(*view, {4, 3}), closeWhole = costOf(*view, 11, [&](int) { emit state.changed(); });
    qInfo(
        "%zu keys, %zu curves, %d x %d: a frame of panning takes %.2f ms in time, %.2f ms slanting, %.2f ms zoomed in; "
        "all drawn anew %.2f ms, zoomed in %.2f ms",
        keys, state.curves().size(), view->width(), view->height(), panned, slanting, close, whole, closeWhole);
    const double most = isWhole ? 16 : 8; // [ms] half of a frame at 60 fps; all of it for hundreds of curves
    QVERIFY(panned <= most);
    QVERIFY(slanting <= most);
    QVERIFY(close <= most);

    // The dope sheet, all rows folded out: from all keys in sight to keys that are told apart.
    w.window->showBottom(BottomTab::DopeSheet);
    w.window->time().showAll();
    w.settle();
    auto* sheet = w.find<DopeSheet>("dopeSheet");
    sheet->foldAll(true);
    (void)sheet->grab();
    std::vector<double> costs;
    for (int zoom = 0; zoom < 4; ++zoom) {
        costs.push_back(costOfPan(*sheet, {5, 0}));
        wheel(*sheet, 12);
    }
    sheet->selectRow(0); // and with every key selected
    (void)sheet->grab();
    costs.push_back(costOfPan(*sheet, {5, 1}));
    qInfo("the dope sheet, %d rows, %d x %d: %.2f ms with all in sight, %.2f, %.2f and %.2f ms zoomed in, %.2f ms with "
          "all keys selected",
          sheet->rows().count(), sheet->width(), sheet->height(), costs[0], costs[1], costs[2], costs[3], costs[4]);
    for (const double cost : costs) QVERIFY2(cost <= 8, qPrintable(QString::number(cost))); // [ms], all told 1 ... 4
}

TENDON_TEST(TestGraphSpeed)
#include "tst_graph_speed.moc"
