#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <chrono>

#include <malloc.h>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr int kEdits = 200;
constexpr int kKeys = 100'000;

/// Bytes in use on the heap.
std::size_t heapBytes() { return mallinfo2().uordblks; }

/// A project whose clip has kKeys keys, spread evenly over `channels` channels of as many joints.
TestDocument longClip(int channels)
{
    TestDocument test;
    Scene scene;
    Clip clip;
    clip.name = "long";
    for (int j = 0; j < channels; ++j) {
        Joint joint;
        joint.id = JointId{scene.takeId()};
        joint.name = "joint" + std::to_string(j);
        if (j > 0) joint.parent = scene.joints->back().id;
        joint.rest.translation = Vector3(0, 0.1, 0);
        scene.joints.edit().push_back(joint);
        std::vector<Key> keys(static_cast<std::size_t>(kKeys / channels));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i].time = scene.fps.timeOf(static_cast<double>(i + 1));
            keys[i].value[0] = std::sin(static_cast<double>(i));
        }
        clip.channels.emplace(ChannelId{joint.id.value, Property::Rz}, KeyList(std::move(keys)));
    }
    clip.id = ClipId{scene.takeId()};
    scene.clips.emplace_back(std::move(clip));
    test.document.edit.currentClip = scene.clips.front()->id;
    test.document.history = History(versionOf(std::move(scene), test.document.edit));
    return test;
}

} // namespace

class TestEditSpeed : public QObject
{
    Q_OBJECT

private slots:
    void singleKeyEditsOfALongClipAreCheap_data()
    {
        QTest::addColumn<int>("channels");
        QTest::newRow("one channel") << 1;
        QTest::newRow("100 channels") << 100;
    }

    void singleKeyEditsOfALongClipAreCheap()
    {
        QFETCH(int, channels);
        using Clock = std::chrono::steady_clock;
        TestDocument test = longClip(channels);
        const int frames = kKeys / channels;
        QCOMPARE(test.document.clip()->keyCount(), std::size_t(kKeys));

        std::vector<QJsonObject> edits;
        for (int i = 0; i < kEdits; ++i)
            edits.push_back(
                json(QStringLiteral(R"({"op": "key", "target": "joint%1", "channels": ["rz"], "frame": %2})")
                         .arg(i % channels)
                         .arg((i * 7919) % frames + 1.5)
                         .toUtf8()
                         .constData()));
        const std::size_t before = heapBytes();
        std::vector<double> milliseconds;
        for (const QJsonObject& edit : edits) {
            const auto begin = Clock::now();
            QVERIFY(carryOut(test.document, edit).has_value());
            milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        }
        const double megabytes = static_cast<double>(heapBytes() - before) / 1e6;
        std::sort(milliseconds.begin(), milliseconds.end());
        const double median = milliseconds[kEdits / 2];
        qInfo("%d keys in %d channels, %d edits: %.1f MB, median %.3f ms, 95 %% %.3f ms, worst %.3f ms", kKeys,
              channels, kEdits, megabytes, median, milliseconds[kEdits * 95 / 100], milliseconds.back());
        QCOMPARE(test.document.history.undoCount(), std::size_t(kEdits));
        QCOMPARE(test.document.clip()->keyCount(), std::size_t(kKeys + kEdits));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(megabytes <= 64);
        QVERIFY(median <= 1); // [ms] the median, because the machine may be busy
#endif
        while (test.document.history.undo()) {}
        QCOMPARE(test.document.clip()->keyCount(), std::size_t(kKeys));
    }
};

TENDON_TEST(TestEditSpeed)
#include "tst_edit_speed.moc"
