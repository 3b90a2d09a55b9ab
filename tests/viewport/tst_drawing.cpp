#include "app/editor/Theme.h"
#include "app/viewport/overlay/Labels.h"
#include "core/io/import/Pictures.h"
#include "core/runtime/Skinning.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonObject>
#include <QPainter>
#include <QScopeGuard>

#include <cmath>

using namespace tendon;
using viewport::Vector2;
using viewport::Viewport;

namespace {

/// Two joints and a small glowing square whose corners follow both joints by half.
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

/// [px] centre of the clearly red pixels
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

class TestDrawing : public ViewportUnderTest
{
    Q_OBJECT

private slots:
    /// Pictures come from strangers: what decodes them is the import child, which is confined.
    void picturesAreDecodedInTheChild()
    {
        QImage image(60, 40, QImage::Format_RGBA8888);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                image.setPixelColor(x, y, QColor(4 * x, 6 * y, 255 - 4 * x, 255 - y));
        const auto fileOf = [](const QImage& picture, const char* format) {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            buffer.open(QIODevice::WriteOnly);
            if (!picture.save(&buffer, format)) qFatal("cannot write %s", format);
            return bytes;
        };
        QByteArray bomb = fileOf(image, "PNG");
        bomb.replace(16, 17, QByteArray::fromHex("0000ffff0000ffff0806000000b605d950")); // 65535 x 65535
        QImage wide(3000, 30, QImage::Format_RGB888);
        wide.fill(Qt::red);
        const QList<QByteArray> files = {
            fileOf(image, "PNG"), bomb,
            "no picture",         fileOf(image, "JPEG"),
            fileOf(wide, "PNG"),  fileOf(wide.convertToFormat(QImage::Format_Indexed8), "PNG")};
        std::vector<std::span<const std::uint8_t>> encoded;
        for (const QByteArray& file : files)
            encoded.emplace_back(reinterpret_cast<const std::uint8_t*>(file.data()),
                                 static_cast<std::size_t>(file.size()));
        const auto pictures = decodePictures(encoded, 2048);
        QVERIFY(pictures);
        const auto imageOf = [](const Picture& picture) {
            return QImage(picture.rgba.data(), int(picture.width), int(picture.height), QImage::Format_RGBA8888);
        };
        QCOMPARE(imageOf((*pictures)[0]), image);
        QVERIFY((*pictures)[1].rgba.empty() && (*pictures)[2].rgba.empty());
        const QImage expected = QImage::fromData(files[3]).convertToFormat(QImage::Format_RGBA8888);
        QCOMPARE(imageOf((*pictures)[3]).size(), expected.size());
        for (int x = 0; x < 60; ++x)
            QVERIFY(std::abs(imageOf((*pictures)[3]).pixelColor(x, 20).green() - expected.pixelColor(x, 20).green()) <=
                    2);
        for (const std::size_t i : {4U, 5U}) {
            QCOMPARE(imageOf((*pictures)[i]).size(), QSize(2048, 20));
            QCOMPARE(imageOf((*pictures)[i]).pixelColor(2047, 19), QColor(Qt::red));
        }

        const QByteArray worker = qgetenv("TENDON_WORKER");
        qputenv("TENDON_WORKER", "/bin/false");
        const auto none = decodePictures(encoded, 2048);
        qputenv("TENDON_WORKER", worker);
        QVERIFY(none && (*none)[0].rgba.empty());
    }

    void theGpuSkinsLikeTheCpu()
    {
        m_editor->document().adopt(glowingSquare(), {}, QStringLiteral("square"));
        for (const double degrees : {0.0, 35.0, -70.0}) {
            QVERIFY(m_editor->document()
                        .apply({{"op", "rotate"}, {"joint", "tip"}, {"axis", "z"}, {"value", degrees}})
                        .has_value());
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
            skinVertices(mesh, bindSkin(*frame->rig, mesh.skin), frame->solved.model, positions);
            Vector2 expected = Vector2::Zero();
            const viewport::View view(camera, size.width(), size.height());
            for (const Eigen::Vector3f& position : positions)
                expected += 0.25 * view.project(position.cast<double>()).pixel;
            const double off = (*drawn - expected).norm();
            QVERIFY2(off < 0.75, qPrintable(QStringLiteral("%1 px off at %2 degrees").arg(off).arg(degrees)));
        }
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

    void theDrawingFollowsTheSizeOfTheWidget()
    {
        openMannequin();
        for (const QSize size : {QSize(400, 300), QSize(900, 420)}) {
            m_viewport->resize(size);
            QVERIFY(test::waitForPicture(*m_viewport));
            const QImage image = m_viewport->grabFramebuffer();
            QCOMPARE(image.size(), size);
            // The gradient of the background makes top and bottom differ; pixels that were never drawn would be black.
            QVERIFY(image.pixelColor(size.width() / 2, 4).lightness() >
                    image.pixelColor(size.width() / 2, size.height() - 4).lightness());
            QVERIFY(image.pixelColor(4, size.height() / 2).lightness() > 20);
        }
    }

    void withoutXrayTheMeshHidesJointsAndTheyCannotBePicked()
    {
        openMannequin();
        m_editor->view().edit([](editor::ViewState& state) { state.showsHandles = false; });
        const auto named = m_editor->document().scene().jointNamed("Spine2");
        QVERIFY(named.has_value());
        const JointId spine = *named;
        const QPoint at = toPoint(
            m_viewport->view().project(m_editor->frame()->worldFromJoint(spine)->translation()).pixel);
        const auto around = [&] {
            return m_viewport->grabImage(m_viewport->size()).copy(QRect(at - QPoint(7, 7), QSize(15, 15)));
        };
        const auto hovered = [&] {
            for (const QPoint& to : {QPoint(5, 250), at}) { // not by the window system, which delivers moves late
                QMouseEvent move(QEvent::MouseMove, to, m_viewport->mapToGlobal(to), Qt::NoButton, Qt::NoButton,
                                 Qt::NoModifier);
                QCoreApplication::sendEvent(m_viewport.get(), &move);
            }
            return m_editor->selection().hovered();
        };
        for (const bool isMultisampled : {false, true}) {
            const auto look = [&](bool isXray, bool showsJoints) {
                m_editor->view().edit([&](editor::ViewState& state) {
                    state.isMultisampled = isMultisampled;
                    state.isXray = isXray;
                    state.showsJoints = showsJoints;
                });
            };
            look(true, false);
            const QImage bare = around();
            look(true, true);
            QVERIFY(differing(bare, around()) > 20);
            QCOMPARE(hovered(), editor::SelectionItem::of(spine));
            look(false, true);
            QCOMPARE(differing(bare, around()), 0);
            QVERIFY(hovered() != editor::SelectionItem::of(spine));
            // If the mesh is not shown, nothing hides the joint.
            m_editor->view().edit([](editor::ViewState& state) { state.showsMesh = false; });
            QCOMPARE(hovered(), editor::SelectionItem::of(spine));
            m_editor->view().edit([](editor::ViewState& state) { state.showsMesh = true; });
        }
    }

    void shadingModesShowFacesEdgesOrBoth()
    {
        m_editor->document().adopt(glowingSquare(), {}, QStringLiteral("square"));
        settle();
        viewport::Camera camera;
        camera.target = Vector3(0, 0.74, 0);
        camera.distance = 0.3;
        camera.yaw = camera.pitch = 0;
        m_viewport->setCamera(camera);
        const auto picture = [&](editor::Shading shading, bool showsMesh = true) {
            m_editor->view().edit([&](editor::ViewState& state) {
                state.shading = shading;
                state.showsMesh = showsMesh;
            });
            return m_viewport->grabImage({400, 400}, Viewport::Content::ModelOnly);
        };
        const QImage nothing = picture(editor::Shading::Shaded, false), shaded = picture(editor::Shading::Shaded),
                     both = picture(editor::Shading::ShadedWire), wire = picture(editor::Shading::Wire);
        const int faces = differing(nothing, shaded), edges = differing(nothing, wire);
        QVERIFY(faces > 10000);
        // Four sides and a diagonal: lines, not areas.
        QVERIFY2(edges > 300 && edges < 4000, qPrintable(QString::number(edges)));
        const int over = differing(shaded, both, 8);
        QVERIFY2(over > 200 && over < 4000, qPrintable(QString::number(over)));
        // The middle of a triangle: lit as before in one mode, the background in the other.
        const QPoint inside(200 + 60, 200 + 20);
        QCOMPARE(both.pixel(inside), shaded.pixel(inside));
        QCOMPARE(wire.pixel(inside), nothing.pixel(inside));
    }

    void handlesAreDrawnAndCanBeHidden()
    {
        QVERIFY(m_editor->document().openSample("arm").has_value());
        settle();
        m_editor->selection().select(editor::SelectionItem::of(m_editor->frame()->handles.front().handle));
        for (const double x : {0.0, 0.12}) { // the lines follow the pose
            QVERIFY(m_editor->document()
                        .apply({{"op", "setGoal"}, {"handle", "WristGoal"}, {"position", QJsonArray{x, 1.05, 0.15}}})
                        .has_value());
            settle();
            const auto picture = [&](bool showsHandles, bool showsLabels) {
                m_editor->view().edit([&](editor::ViewState& state) {
                    state.showsJoints = state.showsMesh = false;
                    state.showsHandles = showsHandles;
                    state.showsLabels = showsLabels;
                });
                return m_viewport->grabImage(m_viewport->size());
            };
            const QImage bare = picture(false, false), lines = picture(true, false), labels = picture(true, true);
            const auto shareDrawn = [&](const Vector3& from, const Vector3& to, int width) { // of a line
                const Vector2 a = m_viewport->view().project(from).pixel, b = m_viewport->view().project(to).pixel;
                int drawn = 0, all = 0;
                for (double share = 0.15; share < 0.85; share += 0.5 / (b - a).norm(), ++all) {
                    const QPoint at = toPoint(a + share * (b - a));
                    const QRect around(at - QPoint(width / 2, width / 2), QSize(width, width));
                    drawn += differing(bare.copy(around), lines.copy(around), 8) > 0;
                }
                return all > 20 ? static_cast<double>(drawn) / all : -1.0;
            };
            const editor::FramePtr frame = m_editor->finishFrame();
            const editor::HandleView& handle = frame->handles.front();
            const std::vector<Vector3> joints = frame->chainOf(handle);
            QCOMPARE(joints.size(), std::size_t{3});
            // The wire is whole, the vector from start to goal is dashed.
            for (const std::size_t i : {1U, 2U}) {
                const double wire = shareDrawn(joints[i - 1], joints[i], 3);
                QVERIFY2(wire > 0.98, qPrintable(QString::number(wire)));
            }
            const double dashes = shareDrawn(joints[0], handle.target.goal.position, 1);
            QVERIFY2(dashes > 0.4 && dashes < 0.85, qPrintable(QString::number(dashes)));
            // The share of the reach is written beside the vector's middle, and not over the elbow.
            const Vector2 middle = 0.5 * (m_viewport->view().project(joints[0]).pixel +
                                          m_viewport->view().project(handle.target.goal.position).pixel);
            const Vector2 elbow = m_viewport->view().project(joints[1]).pixel - middle;
            const QRect beside(toPoint(middle) - QPoint(40, 40), QSize(80, 80));
            Vector2 sum = Vector2::Zero();
            int count = 0;
            for (int row = beside.top(); row <= beside.bottom(); ++row)
                for (int column = beside.left(); column <= beside.right(); ++column) {
                    if (lines.pixel(column, row) == labels.pixel(column, row)) continue;
                    sum += Vector2(column, row) - middle;
                    ++count;
                }
            QVERIFY(count > 50);
            QVERIFY2(elbow.norm() < 4 || sum.dot(elbow) < 0, "the label is where the chain bends to");
            const QRect joint(toPoint(middle + elbow) - QPoint(4, 4), QSize(9, 9));
            QCOMPARE(differing(lines.copy(joint), labels.copy(joint)), 0);
        }
    }

    void offsetsAndMissesAreDrawnOverJoints()
    {
        QVERIFY(m_editor->document().openSample("arm").has_value());
        QVERIFY(m_editor->document()
                    .apply({{"op", "setHandle"}, {"name", "WristGoal"}, {"offset", QJsonArray{0, 0.05, 0.2}}})
                    .has_value());
        QVERIFY(m_editor->document()
                    .apply({{"op", "setGoal"}, {"handle", "WristGoal"}, {"position", QJsonArray{0.9, 1.5, 0.5}}})
                    .has_value());
        settle();
        const editor::FramePtr frame = m_editor->finishFrame();
        const editor::HandleView& handle = frame->handles.front();
        QVERIFY(handle.isMissed);
        const Vector3 end = frame->chainOf(handle).back();
        viewport::Camera camera = m_viewport->camera();
        camera.distance *= 2; // the goal is in the picture, too
        m_viewport->setCamera(camera);
        for (const bool isSelected : {false, true}) {
            if (isSelected) m_editor->selection().select(editor::SelectionItem::of(handle.handle));
            for (const bool showsJoints : {false, true}) {
                if (!isSelected && !showsJoints) continue;
                const auto picture = [&](bool showsHandles) {
                    m_editor->view().edit([&](editor::ViewState& state) {
                        state.showsMesh = state.showsLabels = false;
                        state.tool = editor::Tool::Select;
                        state.showsJoints = showsJoints;
                        state.showsHandles = showsHandles;
                    });
                    return m_viewport->grabImage(m_viewport->size());
                };
                const QImage bare = picture(false), lines = picture(true);
                const editor::Theme& theme = editor::Theme::instance();
                const auto shareOf = [&](const Vector3& from, const Vector3& to, const char* token) {
                    const Vector2 a = m_viewport->view().project(from).pixel, b = m_viewport->view().project(to).pixel;
                    const QColor colour = theme.color(token);
                    int drawn = 0, all = 0;
                    for (double share = 0.2; share < 0.8; share += 0.5 / (b - a).norm(), ++all) {
                        const QPoint at = toPoint(a + share * (b - a));
                        const QColor now = lines.pixelColor(at);
                        const int turn = std::abs(now.hue() - colour.hue());
                        drawn += now != bare.pixelColor(at) && std::min(turn, 360 - turn) < 12;
                    }
                    return all > 20 ? static_cast<double>(drawn) / all : -1.0;
                };
                const double offset = shareOf(end, handle.effector, "rig.effector"),
                             miss = shareOf(handle.effector, handle.target.goal.position, "rig.error-line");
                QVERIFY2(offset > 0.95, qPrintable(QString::number(offset)));
                QVERIFY2(miss > 0.35 && miss < 0.9, qPrintable(QString::number(miss))); // dashed
            }
        }
    }

    void theRootIsDrawnLargerThanOtherJoints()
    {
        QVERIFY(m_editor->document().openSample("arm").has_value());
        settle();
        const auto picture = [&](bool showsJoints) {
            m_editor->view().edit([&](editor::ViewState& state) {
                state.showsMesh = state.showsHandles = false;
                state.showsJoints = showsJoints;
            });
            return m_viewport->grabImage(m_viewport->size());
        };
        const QImage bare = picture(false), joints = picture(true);
        const auto pixelOf = [&](const char* name) {
            const JointId joint = *m_editor->document().scene().jointNamed(name);
            return m_viewport->view().project(m_editor->frame()->worldFromJoint(joint)->translation()).pixel;
        };
        const auto radius = [&](const char* name, const char* next) { // away from the bone between them [px]
            const Vector2 at = pixelOf(name), away = (at - pixelOf(next)).normalized();
            double last = 0;
            for (double r = 1; r < 20; r += 0.25) {
                const QRect pixel(toPoint(at + r * away), QSize(1, 1));
                if (differing(bare.copy(pixel), joints.copy(pixel)) > 0) last = r;
            }
            return last;
        };
        const double root = radius("Shoulder", "Elbow"), end = radius("Wrist", "Elbow");
        QVERIFY2(end > 2 && root > end + 2, qPrintable(QStringLiteral("%1 against %2").arg(root).arg(end)));
    }

    void multisamplingSmoothsSilhouettesAndNothingElse()
    {
        openMannequin();
        const auto picture = [&](bool isMultisampled) {
            m_editor->view().edit([&](editor::ViewState& state) { state.isMultisampled = isMultisampled; });
            return m_viewport->grabImage({500, 500}, Viewport::Content::ModelOnly);
        };
        const QImage plain = picture(false), smooth = picture(true);
        const int changed = differing(plain, smooth, 16);
        QVERIFY2(changed > 300, "edges differ");
        QVERIFY2(changed < 6000, qPrintable(QStringLiteral("%1 pixels: more than edges").arg(changed)));
    }

    void theBackgroundFollowsTheCameraAndTheTheme()
    {
        openMannequin();
        const auto shown = [&] { // as the widget has drawn it, with one frame for the change
            if (!test::waitForPicture(*m_viewport)) return QImage();
            return m_viewport->grabFramebuffer();
        };
        const QImage before = shown();
        viewport::Camera camera = m_viewport->camera();
        for (int i = 0; i < 3; ++i) {
            camera = viewport::orbited(camera, 0.2, 0.05);
            m_viewport->setCamera(camera);
            const QImage once = shown(), anew = m_viewport->grabImage(once.size());
            QVERIFY(differing(before, once) > 2000);
            const QRect ground(0, once.height() / 2, once.width() / 3, once.height() / 4); // without HUD and view cube
            QCOMPARE(differing(once.copy(ground), anew.copy(ground), 2), 0);
        }
        const editor::Theme::Kind kind = editor::Theme::instance().kind();
        editor::Theme::instance().set(editor::Theme::Kind::Light, 1);
        const QColor light = shown().pixelColor(20, 200);
        editor::Theme::instance().set(kind, 1);
        QVERIFY(light.lightness() > shown().pixelColor(20, 200).lightness() + 60);
    }

    void lettersAreReadOverAnything_data()
    {
        QTest::addColumn<bool>("isLight");
        QTest::addColumn<QColor>("ground");
        for (const bool isLight : {false, true})
            for (const int grey : {0, 90, 255})
                QTest::addRow("%s over %d", isLight ? "light" : "dark", grey) << isLight << QColor(grey, grey, grey);
    }

    /// The names of axes have no plate, and lie over meshes of any colour.
    void lettersAreReadOverAnything()
    {
        QFETCH(bool, isLight);
        QFETCH(QColor, ground);
        editor::Theme& theme = editor::Theme::instance();
        const auto restore = qScopeGuard([&theme, kind = theme.kind()] { theme.set(kind, 1); });
        theme.set(isLight ? editor::Theme::Kind::Light : editor::Theme::Kind::Dark, 1);
        const viewport::OverlayColours colours(theme);
        for (const viewport::Rgba& axis : colours.axes) {
            QImage image(60, 40, QImage::Format_RGB32);
            image.fill(ground);
            QPainter painter(&image);
            viewport::LabelPainter().paint(painter,
                                           {{.at = Vector2(30, 20),
                                             .text = "X",
                                             .colour = axis,
                                             .anchor = viewport::Label::Anchor::Centre,
                                             .hasPlate = false,
                                             .textSize = 11,
                                             .weight = 600}},
                                           colours, 1, image.size());
            painter.end();
            const auto count = [&](const QColor& wanted) {
                int found = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x) {
                        const QColor pixel = image.pixelColor(x, y);
                        found += std::abs(pixel.red() - wanted.red()) < 30 &&
                                 std::abs(pixel.green() - wanted.green()) < 30 &&
                                 std::abs(pixel.blue() - wanted.blue()) < 30;
                    }
                return found;
            };
            QVERIFY(count(viewport::toQColor(axis)) >= 5);
            if (count(viewport::toQColor(colours.inside)) < 30) QFAIL("the letter has no rim");
        }
    }

    void sideViewsHaveNoPerspective()
    {
        openMannequin();
        const Vector3 point(0.3, 1.1, 0.2);
        const auto pixelFrom = [&](editor::CameraKind kind) {
            m_editor->view().edit([&](editor::ViewState& state) { state.camera = kind; });
            viewport::Camera camera = m_viewport->camera();
            camera.target = Vector3::Zero();
            m_viewport->setCamera(camera);
            const Vector2 middle = 0.5 * Vector2(m_viewport->width(), m_viewport->height());
            return Vector2((m_viewport->view().project(point).pixel - middle) *
                           m_viewport->view().metresPerPixel(point));
        };
        QVERIFY((pixelFrom(editor::CameraKind::Front) - Vector2(0.3, -1.1)).norm() < 1e-9);
        QVERIFY((pixelFrom(editor::CameraKind::Right) - Vector2(-0.2, -1.1)).norm() < 1e-9);
        QVERIFY((pixelFrom(editor::CameraKind::Top) - Vector2(0.3, 0.2)).norm() < 1e-9);
        QVERIFY(m_viewport->camera().isOrthographic);
        QVERIFY(differing(m_viewport->grabImage({300, 300}), QImage(300, 300, QImage::Format_RGB32)) > 1000);
    }
};

TENDON_TEST(TestDrawing)
#include "tst_drawing.moc"
