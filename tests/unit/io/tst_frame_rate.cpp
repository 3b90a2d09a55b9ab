#include "core/io/import/ModelImport.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace tendon;
using namespace tendon::test;

/// Formats without a frame rate: it is told by the times of their keys, which stay where they are.
class FrameRateTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    ImportedModel import(const TinyGltf& gltf)
    {
        const QString path = m_folder.filePath("model.glb");
        test::writeFile(path, gltf.glb());
        auto model = importModel(path.toStdString());
        if (!model) qFatal("%s", model.error().text().c_str());
        return std::move(*model);
    }

    static bool says(const ImportedModel& model, const char* text)
    {
        return std::any_of(model.issues.begin(), model.issues.end(),
                           [&](const Issue& issue) { return issue.text.find(text) != std::string::npos; });
    }

private slots:
    void theFrameRateIsDerivedFromTheKeys_data()
    {
        QTest::addColumn<double>("rate");
        QTest::addColumn<int>("numerator");
        for (const int rate : {24, 30, 60, 25, 120}) QTest::addRow("%d", rate) << double(rate) << rate;
        QTest::addRow("NTSC") << 30000.0 / 1001 << 30000;
        QTest::addRow("odd, but even") << 17.3 << FrameRate::fromValue(17.3).numerator;
        QTest::addRow("of few digits") << 1 / 0.033337 << 29997; // as motion capture states it
        QTest::addRow("none") << 0.0 << 24;
    }

    /// One joint that is keyed by another clock does not speak for the file: it keeps its times, and the rate is that
    /// of all others.
    void oneOddChannelDoesNotSetTheFrameRate()
    {
        TinyGltf gltf;
        std::vector<float> times, values;
        for (int frame = 0; frame <= 40; ++frame) {
            times.push_back(static_cast<float>(frame) / 30);
            values.insert(values.end(), 3, static_cast<float>(frame));
        }
        gltf.channel(0, gltf.node({{"name", "mover"}}), "translation", "LINEAR", times, values);
        const int odd = gltf.node({{"name", "odd"}});
        gltf.channel(0, odd, "translation", "LINEAR", {0, 0.3771f, 1.1113f}, {0, 0, 0, 1, 1, 1, 2, 2, 2});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.fps, (FrameRate{30, 1}));
        QVERIFY(says(model, "some keys lie between frames"));
        const auto odds = std::find_if(model.scene.joints->begin(), model.scene.joints->end(),
                                       [&](const Joint& joint) { return joint.sourceNode == odd; });
        QVERIFY(odds != model.scene.joints->end());
        const KeyList* keys = model.scene.clips[0]->find({odds->id.value, Property::Tx});
        QVERIFY(keys != nullptr && std::abs((*keys)[1].time.seconds() - 0.3771) < 1e-6);
    }

    void theFrameRateIsDerivedFromTheKeys()
    {
        QFETCH(double, rate);
        QFETCH(int, numerator);
        TinyGltf gltf;
        const int node = gltf.node({{"name", "mover"}});
        std::vector<float> times, values;
        for (int frame = 1; frame <= 40; ++frame) {
            times.push_back(static_cast<float>(rate > 0 ? frame / rate : frame * frame * 0.0123));
            values.insert(values.end(), 3, static_cast<float>(frame));
        }
        gltf.channel(0, node, "translation", "LINEAR", times, values);
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.fps.numerator, numerator);
        QCOMPARE(says(model, "no common frame rate"), rate == 0);
        if (rate == 0) return;
        // Keys stand on whole frames to the tick, the first at frame 1 as in the file.
        const KeyList& keys = *model.scene.clips[0]->channels.begin()->second;
        const bool isNearOnly = numerator == 29997; // its times are not quite those of any rate
        for (std::size_t k = 0; k < keys.size(); ++k)
            if (isNearOnly)
                QVERIFY(std::abs(model.scene.fps.frameAt(keys[k].time) - double(k + 1)) < 0.005);
            else
                QCOMPARE(keys[k].time, model.scene.fps.timeOf(double(k + 1)));
        QCOMPARE(model.scene.firstFrame, 1);
        QCOMPARE(model.scene.lastFrame, 40);
    }
};

TENDON_TEST(FrameRateTest)
#include "tst_frame_rate.moc"
