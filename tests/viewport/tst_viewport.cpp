#include "app/editor/Editor.h"
#include "app/viewport/Viewport.h"
#include "app/viewport/view/Gizmo.h"
#include "core/runtime/Skinning.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <ctime>

using namespace tendon;
using viewport::Vector2;
using viewport::Viewport;

namespace {

QPoint toPoint(const Vector2& pixel)
{
    return {static_cast<int>(std::lround(pixel.x())), static_cast<int>(std::lround(pixel.y()))};
}

double processorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Two joints and a small glowing square whose corners hang from both by halves.
Project glowingSquare()
{
    Project project;
    Scene& scene = project.scene;
    Joint root, tip;
    root.id = {scene.takeId()};
    root.name = "root";
    tip.id = {scene.takeId()};
    tip.name = "tip";
    tip.parent = root.id;
    tip.rest.translation = Vector3(0, 0.5, 0);
    scene.joints = std::vector<Joint>{root, tip};

    ModelAsset model;
    Mesh mesh;
    mesh.name = "square";
    mesh.positions = {{-0.04f, 0.7f, 0}, {0.04f, 0.7f, 0}, {0.04f, 0.78f, 0}, {-0.04f, 0.78f, 0}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.material = 0;
    mesh.skin.joints = {root.id, tip.id};
    Affine tipFromMesh = Affine::Identity();
    tipFromMesh.translation() = Vector3(0, -0.5, 0);
    mesh.skin.jointFromMesh = {Affine::Identity(), tipFromMesh};
    mesh.skin.influenceBegin = {0, 2, 4, 6, 8};
    mesh.skin.influenceJoint = {0, 1, 0, 1, 0, 1, 0, 1};
    mesh.skin.influenceWeight = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    model.meshes = {mesh};
    Material glow;
    glow.baseColour = {0, 0, 0, 1};
    glow.emissive = {1, 0, 0};
    model.materials = {glow};
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return project;
}

/// A tube of 100 000 vertices around a chain of 300 joints, each vertex on four of them.
Project longTube()
{
    Project project;
    Scene& scene = project.scene;
    constexpr int kJoints = 300, kRings = 1000, kSides = 100;
    std::vector<Joint> joints(kJoints);
    Mesh mesh;
    for (int j = 0; j < kJoints; ++j) {
        joints[j].id = {scene.takeId()};
        joints[j].name = "joint" + std::to_string(j);
        if (j > 0) joints[j].parent = joints[j - 1].id;
        joints[j].rest.translation = Vector3(0, j > 0 ? 2.0 / kJoints : 0, 0);
        mesh.skin.joints.push_back(joints[j].id);
        Affine jointFromMesh = Affine::Identity();
        jointFromMesh.translation() = Vector3(0, -2.0 * j / kJoints, 0);
        mesh.skin.jointFromMesh.push_back(jointFromMesh);
    }
    scene.joints = joints;
    for (int r = 0; r < kRings; ++r)
        for (int k = 0; k < kSides; ++k) {
            const float turn = 6.2831853f * static_cast<float>(k) / kSides;
            mesh.normals.emplace_back(std::cos(turn), 0.0f, std::sin(turn));
            mesh.positions.push_back(0.3f * mesh.normals.back() + Eigen::Vector3f(0, 2.0f * static_cast<float>(r) / kRings, 0));
            mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
            for (int i = 0; i < 4; ++i) {
                mesh.skin.influenceJoint.push_back(static_cast<std::uint16_t>(std::min(r * kJoints / kRings + i, kJoints - 1)));
                mesh.skin.influenceWeight.push_back(0.25f);
            }
            if (r + 1 == kRings) continue;
            const auto at = [&](int ring, int side) { return static_cast<std::uint32_t>(ring * kSides + side % kSides); };
            mesh.indices.insert(mesh.indices.end(), {at(r, k), at(r + 1, k), at(r, k + 1), at(r, k + 1), at(r + 1, k), at(r + 1, k + 1)});
        }
    mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
    ModelAsset model;
    model.meshes = {mesh};
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return project;
}

/// Middle of what is clearly red. [px]
std::optional<Vector2> middleOfRed(const QImage& image)
{
    Vector2 sum = Vector2::Zero();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor colour = image.pixelColor(x, y);
            if (colour.red() < 200 || colour.green() > 140) continue;
            sum += Vector2(x + 0.5, y + 0.5);
            ++count;
        }
    return count > 20 ? std::optional<Vector2>(sum / count) : std::nullopt;
}

} // namespace

class TestViewport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_solvers.scan(); }

    void init()
    {
        m_editor = std::make_unique<editor::Editor>(m_solvers);
        m_viewport = std::make_unique<Viewport>(*m_editor);
        m_viewport->resize(700, 500);
        m_viewport->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_viewport.get()));
    }

    void cleanup()
    {
        m_viewport.reset();
        m_editor.reset();
    }

    void theGraphicsCardSkinsAsTheProcessorDoes()
    {
        m_editor->document().adopt(glowingSquare(), {}, QStringLiteral("square"));
        for (const double degrees : {0.0, 35.0, -70.0}) {
            QVERIFY(m_editor->document().apply({{"op", "rotate"}, {"joint", "tip"}, {"axis", "z"}, {"value", degrees}}).has_value());
            const editor::FramePtr frame = m_editor->finishFrame();
            viewport::Camera camera;
            camera.target = Vector3(0, 0.6, 0);
            camera.distance = 2;
            m_viewport->setCamera(camera);
            const QSize size(640, 480);
            const auto drawn = middleOfRed(m_viewport->grabImage(size, Viewport::Content::ModelOnly));
            QVERIFY(drawn);

            const Mesh& mesh = frame->scene->model->meshes.front();
            std::vector<Eigen::Vector3f> positions(4);
            skinVertices(mesh, bindSkin(*frame->rig, mesh.skin), frame->pose.model, positions);
            Vector2 expected = Vector2::Zero();
            const viewport::View view(camera, size.width(), size.height());
            for (const Eigen::Vector3f& position : positions) expected += 0.25 * view.project(position.cast<double>()).pixel;
            const double off = (*drawn - expected).norm();
            QVERIFY2(off < 0.75, qPrintable(QStringLiteral("%1 px off at %2 degrees").arg(off).arg(degrees)));
        }
    }

    void nothingIsDrawnWhileNothingChanges()
    {
        openMannequin();
        QTest::qWait(1200); // the figures come to rest
        const std::uint64_t before = m_viewport->framesDrawn();
        const double processor = processorSeconds();
        QTest::qWait(1000);
        QCOMPARE(m_viewport->framesDrawn(), before);
        qInfo("idle: %.1f %% of a processor", 100 * (processorSeconds() - processor));
    }

    void hoveringDrawsNoSceneAndFindsWhatIsThere()
    {
        openMannequin();
        const std::uint64_t before = m_viewport->framesDrawn();
        const editor::HandleView& handle = m_editor->frame()->handles.front();
        QTest::mouseMove(m_viewport.get(), toPoint(m_viewport->view().project(handle.goal).pixel));
        QTRY_COMPARE(m_editor->selection().hovered(), editor::SelectionItem::of(handle.handle));
        QTest::qWait(50);
        QCOMPARE(m_viewport->framesDrawn(), before);
    }

    void clicksSelectAndClickingNothingClears()
    {
        openMannequin();
        const editor::HandleView& handle = m_editor->frame()->handles.front();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(m_viewport->view().project(handle.goal).pixel));
        QCOMPARE(m_editor->selection().active(), editor::SelectionItem::of(handle.handle));
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, QPoint(20, 20));
        QVERIFY(m_editor->selection().isEmpty());
    }

    void draggingAnArmMovesTheGoalByThatMuchAndDrawsEachMove()
    {
        openMannequin();
        const HandleId hand = m_editor->frame()->handles.back().handle;
        m_editor->selection().select(editor::SelectionItem::of(hand));
        QTest::qWait(50);
        const viewport::View view = m_viewport->view();
        const Vector3 from = m_editor->frame()->find(hand)->goal;
        const viewport::GizmoPlace place = viewport::gizmoAt(view, from, Quaternion::Identity(), 88);
        const auto grabbed = [&](double along) { return toPoint(view.project(from + (0.7 * place.arm + along) * Vector3::UnitY()).pixel); };
        QTest::mouseMove(m_viewport.get(), grabbed(0));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, grabbed(0));
        QTest::mouseMove(m_viewport.get(), grabbed(0.02));
        QTRY_VERIFY(m_editor->drag().isActive());
        settle();

        const std::uint64_t before = m_viewport->framesDrawn();
        constexpr int kMoves = 40;
        double overlay = 0, solve = 0;
        for (int i = 1; i <= kMoves; ++i) {
            QTest::mouseMove(m_viewport.get(), grabbed(0.02 + 0.2 * i / kMoves));
            settle();
            overlay = std::max(overlay, m_viewport->overlaySeconds());
            solve = std::max(solve, m_editor->frame()->solveSeconds);
        }
        const auto drawn = m_viewport->framesDrawn() - before;
        qInfo("%d moves, %d frames; at most %.2f ms palette and overlay, %.2f ms solve", kMoves, static_cast<int>(drawn), 1000 * overlay, 1000 * solve);
        QVERIFY(drawn <= kMoves && drawn >= kMoves - 2); // two moves may fall on one pixel
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.22));
        settle();
        const Vector3 moved = m_editor->frame()->find(hand)->goal - from;
        const double pixel = view.metresPerPixel(from);
        QVERIFY2((moved - Vector3(0, 0.22, 0)).norm() < 2 * pixel, qPrintable(QString::number(moved.y())));
        QVERIFY(!m_editor->document().edit().pending.empty()); // its channel is keyed and Auto Key is off
    }

    void escapeGivesBackWhatWasDraggedAndTypedValuesRule()
    {
        openMannequin();
        const HandleId hand = m_editor->frame()->handles.back().handle;
        m_editor->selection().select(editor::SelectionItem::of(hand));
        const Vector3 from = m_editor->frame()->find(hand)->goal;
        const viewport::View view = m_viewport->view();
        const viewport::GizmoPlace place = viewport::gizmoAt(view, from, Quaternion::Identity(), 88);
        const auto grabbed = [&](double along) { return toPoint(view.project(from + (0.7 * place.arm + along) * Vector3::UnitY()).pixel); };
        const auto drag = [&] {
            QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, grabbed(0));
            QTest::mouseMove(m_viewport.get(), grabbed(0.1));
            QTRY_VERIFY(m_editor->drag().isActive());
        };
        drag();
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QVERIFY(!m_editor->drag().isActive());
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.1));
        settle();
        QVERIFY(m_editor->frame()->find(hand)->goal == from);
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});

        drag();
        QTest::keyClicks(m_viewport.get(), QStringLiteral("-5"));
        QTest::keyClick(m_viewport.get(), Qt::Key_Return);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.1));
        settle();
        const Vector3 moved = m_editor->frame()->find(hand)->goal - from;
        QVERIFY2((moved - Vector3(0, -0.05, 0)).norm() < 1e-9, qPrintable(QString::number(moved.y())));
    }

    void aChainIsPickedByItsEndsAndOthersAreRefused()
    {
        openMannequin();
        m_editor->view().edit([](editor::ViewState& state) { state.showsHandles = false; });
        const Scene& scene = m_editor->document().scene();
        const auto click = [&](JointId joint) {
            const Vector3 at = m_editor->frame()->worldFromJoint(joint)->translation();
            QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(m_viewport->view().project(at).pixel));
        };
        // The longest way down from the first root: its top may move, its second joint is the start here.
        const CompiledRig& rig = *m_editor->frame()->rig;
        const JointId root = rig.id[0];
        JointId child;
        for (std::size_t i = 1; i < rig.jointCount() && !child.isValid(); ++i)
            if (rig.parent[i] == 0) child = rig.id[i];
        QVERIFY(isAncestor(scene, root, child));
        QSignalSpy refused(m_viewport.get(), &Viewport::refused), picked(m_viewport.get(), &Viewport::chainPicked);
        m_viewport->startChainPick();
        click(child);
        click(root);
        QCOMPARE(refused.size(), 1);
        QVERIFY(m_viewport->isChainPicking());
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QVERIFY(!m_viewport->isChainPicking());
        m_viewport->startChainPick();
        click(root);
        click(child);
        QCOMPARE(picked.size(), 1);
        QVERIFY(!m_viewport->isChainPicking());
    }

    void thePictureFollowsTheSizeOfTheWidget()
    {
        openMannequin();
        for (const QSize size : {QSize(400, 300), QSize(900, 420)}) {
            m_viewport->resize(size);
            QTest::qWait(100);
            const QImage image = m_viewport->grabFramebuffer();
            QCOMPARE(image.size(), size);
            // Top and bottom differ by the backdrop's gradient; what was never drawn would be black.
            QVERIFY(image.pixelColor(size.width() / 2, 4).lightness() > image.pixelColor(size.width() / 2, size.height() - 4).lightness());
            QVERIFY(image.pixelColor(4, size.height() / 2).lightness() > 20);
        }
    }

    void aHundredThousandVerticesOnThreeHundredJointsAreDrawn()
    {
        m_viewport->resize(1000, 700);
        m_editor->document().adopt(longTube(), {}, QStringLiteral("tube"));
        settle();
        constexpr int kFrames = 8;
        QElapsedTimer clock;
        clock.start();
        const double processor = processorSeconds();
        const std::uint64_t before = m_viewport->framesDrawn();
        double overlay = 0;
        for (int i = 1; i <= kFrames; ++i) {
            QVERIFY(m_editor->document().apply({{"op", "rotate"}, {"joint", "joint150"}, {"axis", "z"}, {"value", 2.0 * i}}).has_value());
            settle();
            overlay = std::max(overlay, m_viewport->overlaySeconds());
        }
        QCOMPARE(m_viewport->framesDrawn() - before, static_cast<std::uint64_t>(kFrames));
        const double perFrame = (processorSeconds() - processor) / kFrames;
        qInfo("%.1f frames a second, %.0f ms of processors a frame, at most %.2f ms palette and overlay",
              1000.0 * kFrames / static_cast<double>(clock.elapsed()), 1000 * perFrame, 1000 * overlay);
        QVERIFY(perFrame < 0.6); // [s] of processors, whatever else is at work; 0.12 where it was measured
    }

    void theMannequinIsNeverBlackOrPink()
    {
        openMannequin();
        const QImage image = m_viewport->grabImage({500, 500}, Viewport::Content::ModelOnly);
        int light = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor colour = image.pixelColor(x, y);
                QVERIFY(colour.lightness() > 3);
                QVERIFY(colour.green() + 60 > colour.red() || colour.green() + 60 > colour.blue());
                light += colour.lightness() > 150;
            }
        QVERIFY2(light > 3000, "its shells are light");
    }

private:
    void openMannequin()
    {
        QVERIFY(m_editor->document().openSample("mannequin").has_value());
        settle();
        static_cast<void>(m_viewport->grabImage({64, 64})); // its textures have come
        settle();
        QTest::qWait(100);
    }

    /// The newest frame is drawn.
    void settle()
    {
        const editor::FramePtr frame = m_editor->finishFrame();
        QTRY_COMPARE(m_viewport->frameShown(), frame->request);
    }

    SolverRegistry m_solvers;
    std::unique_ptr<editor::Editor> m_editor;
    std::unique_ptr<Viewport> m_viewport;
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        std::puts("no display: skipped");
        return 77;
    }
    Viewport::prepareApplication();
    QApplication application(argc, argv);
    TestViewport test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_viewport.moc"
