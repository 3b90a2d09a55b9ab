#include "app/viewport/view/Camera.h"
#include "app/viewport/view/DisplayList.h"
#include "app/viewport/view/Gizmo.h"
#include "app/viewport/view/LabelPlace.h"
#include "app/viewport/view/MeshParts.h"
#include "app/viewport/view/Navigation.h"
#include "app/viewport/view/Picking.h"
#include "app/viewport/view/ViewCube.h"

#include <QTest>

#include <numbers>
#include <random>
#include <set>

using namespace tendon;
using namespace tendon::viewport;

namespace {

constexpr unsigned kSeed = 20240611;

Camera someCamera(std::mt19937& random)
{
    std::uniform_real_distribution<double> share(-1, 1);
    Camera camera;
    camera.target = Vector3(share(random), share(random), share(random));
    camera.distance = 3 + share(random);
    camera.yaw = 3 * share(random);
    camera.pitch = 1.4 * share(random);
    camera.isOrthographic = share(random) > 0.5;
    return camera;
}

} // namespace

class TestView : public QObject
{
    Q_OBJECT

private slots:
    void theRayThroughAPointsPixelMeetsThePoint()
    {
        std::mt19937 random(kSeed);
        std::uniform_real_distribution<double> share(-1, 1);
        for (int i = 0; i < 200; ++i) {
            const View view(someCamera(random), 800, 500);
            const Vector3 point = view.camera().target + 0.5 * Vector3(share(random), share(random), share(random));
            const View::Projected p = view.project(point);
            QVERIFY(p.isInFront);
            const Ray ray = view.ray(p.pixel);
            const double off = (point - ray.origin).cross(ray.direction).norm();
            QVERIFY2(off < 1e-9, qPrintable(QStringLiteral("seed %1, trial %2: %3 m off").arg(kSeed).arg(i).arg(off)));
            QVERIFY((view.onFacingPlane(p.pixel, point) - point).norm() < 1e-9);
        }
    }

    void aLabelStandsBesideTheLines()
    {
        // A chain with its joint under the label: all around it there is room somewhere.
        std::mt19937 random(kSeed);
        std::uniform_real_distribution<double> share(-1, 1);
        const Vector2 at(400, 250), size(150, 20), view(800, 500);
        for (int i = 0; i < 200; ++i) {
            std::vector<PixelLine> lines;
            for (int k = 0; k < 3; ++k)
                lines.push_back({at, Vector2(at + 200 * Vector2(share(random), share(random)))});
            const Vector2 middle = placeBeside(at, size, 14, lines, view);
            const Vector2 corner = (middle - at).cwiseAbs() - size / 2;
            const bool isBeside = corner.x() >= 14 - 1e-9 || corner.y() >= 14 - 1e-9;
            QVERIFY2(isBeside, qPrintable(QStringLiteral("seed %1, trial %2").arg(kSeed).arg(i)));
            for (const PixelLine& line : lines)
                QVERIFY2(!covers(middle, size, line),
                         qPrintable(QStringLiteral("seed %1, trial %2").arg(kSeed).arg(i)));
        }
        // In the corner of the view it stays within it.
        const Vector2 inCorner = placeBeside({795, 495}, size, 14, {}, view);
        QVERIFY(inCorner.x() + size.x() / 2 <= view.x() && inCorner.y() + size.y() / 2 <= view.y());
        QVERIFY(covers(at, size, {Vector2(390, 200), Vector2(410, 300)}));
        QVERIFY(!covers(at, size, {Vector2(390, 200), Vector2(410, 230)}));
    }

    void metresPerPixelSpanOnePixel()
    {
        std::mt19937 random(kSeed);
        for (int i = 0; i < 50; ++i) {
            const View view(someCamera(random), 800, 500);
            const Vector3 at = view.camera().target;
            const Vector2 from = view.project(at).pixel,
                          to = view.project(at + view.metresPerPixel(at) * view.right()).pixel;
            QVERIFY(std::abs((to - from).norm() - 1) < 1e-6);
        }
    }

    void framedPointsAreVisibleAndFillTheView()
    {
        std::mt19937 random(kSeed);
        std::uniform_real_distribution<double> share(-1, 1);
        for (int i = 0; i < 100; ++i) {
            std::vector<Vector3> points;
            for (int k = 0; k < 12; ++k) points.emplace_back(share(random), 2 * share(random), 0.3 * share(random));
            const View view(framing(someCamera(random), points, 1.6, 0.8), 800, 500);
            double widest = 0;
            for (const Vector3& point : points) {
                const View::Projected p = view.project(point);
                QVERIFY(p.isInFront);
                widest = std::max({widest, std::abs(p.pixel.x() / 400 - 1), std::abs(p.pixel.y() / 250 - 1)});
            }
            QVERIFY2(widest < 0.8001 && widest > 0.6, qPrintable(QString::number(widest)));
        }
    }

    void panningKeepsTheTargetsPlaneUnderThePointer()
    {
        std::mt19937 random(kSeed);
        const Camera camera = someCamera(random);
        const Vector3 held = View(camera, 800, 500).onFacingPlane({300, 200}, camera.target);
        const View after(panned(camera, {40, -25}, 500), 800, 500);
        QVERIFY((after.project(held).pixel - Vector2(340, 175)).norm() < 1e-6);
    }

    void zoomingKeepsThePointUnderThePointer()
    {
        std::mt19937 random(kSeed);
        const Camera camera = someCamera(random);
        const Vector2 pixel(650, 120), pointer(2 * 650 / 800.0 - 1, 1 - 2 * 120 / 500.0);
        const Vector3 held = View(camera, 800, 500).onFacingPlane(pixel, camera.target);
        const View after(zoomed(camera, 0.7, pointer, 1.6), 800, 500);
        QVERIFY((after.project(held).pixel - pixel).norm() < 1e-6);
    }

    void sideViewsLookAlongTheirAxesAndOrbitingLeavesThem()
    {
        const Camera front = lookingFrom(Camera(), StandardView::Front);
        QVERIFY((front.forward() - Vector3(0, 0, -1)).norm() < 1e-12);
        QVERIFY((lookingFrom(Camera(), StandardView::Right).forward() - Vector3(-1, 0, 0)).norm() < 1e-12);
        QVERIFY((lookingFrom(Camera(), StandardView::Top).forward() - Vector3(0, -1, 0)).norm() < 1e-12);
        QCOMPARE(standardViewOf(front), std::optional(StandardView::Front));
        QVERIFY(!standardViewOf(orbited(front, 0.1, 0)));
    }

    void presetsUseTheMouseButtonsOfTheirPrograms()
    {
        const HeldKeys none, alt{.alt = true}, shift{.shift = true};
        QCOMPARE(cameraMoveFor(MousePreset::Maya, MouseButton::Left, alt), CameraMove::Orbit);
        QCOMPARE(cameraMoveFor(MousePreset::Maya, MouseButton::Left, none), CameraMove::None);
        QCOMPARE(cameraMoveFor(MousePreset::Maya, MouseButton::Middle, alt), CameraMove::Pan);
        QCOMPARE(cameraMoveFor(MousePreset::Blender, MouseButton::Middle, none), CameraMove::Orbit);
        QCOMPARE(cameraMoveFor(MousePreset::Blender, MouseButton::Middle, shift), CameraMove::Pan);
        QCOMPARE(cameraMoveFor(MousePreset::Max, MouseButton::Middle, none), CameraMove::Pan);
        QCOMPARE(cameraMoveFor(MousePreset::Max, MouseButton::Middle, alt), CameraMove::Orbit);
    }

    void capsulesAreHitOnTheirSurface()
    {
        const Ray ray{Vector3(0.3, 0, 5), -Vector3::UnitZ()};
        const auto side = rayCapsule(ray, {0, -1, 0}, {0, 1, 0}, 0.5);
        QVERIFY(side && std::abs(*side - (5 - 0.4)) < 1e-12); // 0.3^2 + 0.4^2 = 0.5^2
        const auto end = rayCapsule({Vector3(0, 1.3, 5), -Vector3::UnitZ()}, {0, -1, 0}, {0, 1, 0}, 0.5);
        QVERIFY(end && std::abs(*end - (5 - 0.4)) < 1e-12);
        QVERIFY(!rayCapsule({Vector3(0, 1.6, 5), -Vector3::UnitZ()}, {0, -1, 0}, {0, 1, 0}, 0.5));
        QVERIFY(!rayCapsule({Vector3(0, 0, 5), Vector3::UnitZ()}, {0, -1, 0}, {0, 1, 0}, 0.5));  // behind
        QVERIFY(rayCapsule({Vector3(0.3, 0, 5), -Vector3::UnitZ()}, {0, 0, 0}, {0, 0, 0}, 0.5)); // a ball
    }

    void meshesAreHitAtTheNearestTriangle()
    {
        const std::vector<Eigen::Vector3f> positions = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0},
                                                        {-1, -1, 2}, {1, -1, 2}, {0, 1, 2}};
        const std::vector<std::uint32_t> indices = {0, 1, 2, 3, 4, 5};
        const auto hit = pickMesh({Vector3(0.05, 0.6, 9), -Vector3::UnitZ()}, positions, indices);
        QVERIFY(hit);
        QCOMPARE(hit->triangle, std::size_t{1});
        QCOMPARE(hit->vertex, 5u);
        QVERIFY(std::abs(hit->distance - 7) < 1e-9);
        QVERIFY(!pickMesh({Vector3(2, 0, 9), -Vector3::UnitZ()}, positions, indices));
    }

    void gizmosKeepTheirSizeOnScreen()
    {
        std::mt19937 random(kSeed);
        for (const double distance : {0.5, 5.0, 500.0}) {
            Camera camera = someCamera(random);
            camera.distance = distance;
            const View view(camera, 800, 500);
            const GizmoPlace place = gizmoAt(view, camera.target, Quaternion::Identity(), 90);
            const Vector2 from = view.project(place.origin).pixel,
                          to = view.project(place.origin + place.arm * view.up()).pixel;
            QVERIFY(std::abs((to - from).norm() - 90) < 1e-6);
        }
    }

    void draggingAnArmOfTheGizmoFollowsThePointerAlongIt()
    {
        Camera camera;
        camera.yaw = 0.5;
        const View view(camera, 800, 500);
        const Quaternion axes(Eigen::AngleAxisd(0.4, Vector3(1, 2, 3).normalized()));
        const GizmoPlace place = gizmoAt(view, {0.1, 1, 0.2}, axes, 90);
        for (int axis = 0; axis < 3; ++axis) {
            // Drags from a point of the arm to one 23 cm further along it.
            const Vector3 grabbed = place.origin + 0.5 * place.arm * place.axis(axis);
            const auto part = static_cast<GizmoPart>(static_cast<int>(GizmoPart::MoveX) + axis);
            GizmoDrag drag(part, place, view, view.project(grabbed).pixel);
            drag.moveTo(view, view.project(grabbed + 0.23 * place.axis(axis)).pixel, {});
            QVERIFY((drag.translation() - 0.23 * place.axis(axis)).norm() < 1e-9);
            drag.moveTo(view, view.project(grabbed + 0.23 * place.axis(axis)).pixel, {.length = 0.05});
            QVERIFY((drag.translation() - 0.25 * place.axis(axis)).norm() < 1e-9);
            drag.type("-12.5");
            QVERIFY((drag.translation() + 0.125 * place.axis(axis)).norm() < 1e-12);
        }
    }

    void draggingARingFollowsThePointersAngleBeyondAFullTurn()
    {
        Camera camera;
        camera.pitch = -0.9;
        const View view(camera, 800, 500);
        const GizmoPlace place = gizmoAt(view, camera.target, Quaternion::Identity(), 90);
        const auto on = [&](double angle) {
            return view
                .project(place.origin + place.arm * (Eigen::AngleAxisd(angle, Vector3::UnitY()) * Vector3::UnitX()))
                .pixel;
        };
        GizmoDrag drag(GizmoPart::TurnY, place, view, on(0.2));
        for (double angle = 0.2; angle < 7.5; angle += 0.1) drag.moveTo(view, on(angle), {});
        drag.moveTo(view, on(7.5), {});
        QVERIFY(std::abs(drag.angle() - 7.3) < 1e-6);
        drag.type("90");
        QVERIFY((drag.rotation() * Vector3::UnitZ() - Vector3::UnitX()).norm() < 1e-9);
    }

    void scalingFollowsThePointersDistanceFromTheCentre()
    {
        const View view(Camera(), 800, 500);
        const Quaternion axes(Eigen::AngleAxisd(0.7, Vector3(1, -2, 1).normalized()));
        const GizmoPlace place = gizmoAt(view, {0.1, 1, 0}, axes, 90);
        const auto on = [&](int axis, double share) {
            return view.project(place.origin + share * place.arm * place.axis(axis)).pixel;
        };
        for (int axis = 0; axis < 3; ++axis) {
            GizmoDrag drag(static_cast<GizmoPart>(static_cast<int>(GizmoPart::ScaleX) + axis), place, view,
                           on(axis, 0.8));
            drag.moveTo(view, on(axis, 1.2), {});
            Vector3 expected = Vector3::Ones();
            expected[axis] = 1.5;
            QVERIFY((drag.factors() - expected).norm() < 1e-9);
            drag.moveTo(view, on(axis, 1.27), {.factor = 0.25});
            QVERIFY((drag.factors() - expected).norm() < 1e-9);
            drag.moveTo(view, on(axis, -3), {});
            QVERIFY2(drag.factors().minCoeff() > 0, "never turned inside out");
            drag.type("2");
            QCOMPARE(drag.factors()[axis], 2.0);
        }
        GizmoDrag all(GizmoPart::ScaleAll, place, view, {400, 250});
        all.moveTo(view, {400, 180}, {});
        QCOMPARE(all.factors(), Vector3(Vector3::Ones()));
        all.moveTo(view, {470, 250}, {});
        QVERIFY(all.factors().x() > 1.5 && all.factors().x() == all.factors().z());
    }

    void theDrawnPartOfAGizmoIsThePartThatIsPicked()
    {
        const View view(Camera(), 800, 500);
        const GizmoPlace place = gizmoAt(view, {0, 1, 0}, Quaternion::Identity(), 90);
        const auto shapes = gizmoShapes(GizmoKind::Move, place, view);
        std::set<GizmoPart> parts;
        for (const GizmoShape& shape : shapes) {
            const Vector3 middle = 0.5 *
                                   (shape.points.front() + shape.points[shape.isArea ? 2 : shape.points.size() - 1]);
            QCOMPARE(pickGizmo(shapes, place, view, view.project(middle).pixel, 8).part, shape.part);
            parts.insert(shape.part);
        }
        QCOMPARE(parts.size(), std::size_t{6});
        const Vector2 origin = view.project(place.origin).pixel;
        QCOMPARE(pickGizmo(shapes, place, view, origin, 8).part, GizmoPart::MoveFree);
        QCOMPARE(pickGizmo(shapes, place, view, origin + Vector2(300, 0), 8).part, GizmoPart::None);
    }

    void typedNumbersMayCarryUnits()
    {
        QCOMPARE(typedNumbers("12", Measure::Length), std::vector<double>{0.12});
        QCOMPARE(typedNumbers("0.3m, 5 mm", Measure::Length), (std::vector<double>{0.3, 0.005}));
        QCOMPARE(typedNumbers("180", Measure::Angle).front(), std::numbers::pi);
        QVERIFY(typedNumbers("-", Measure::Length).empty());
    }

    void thePartsOfTheViewCubeLookFromTheirSide()
    {
        const Camera camera;
        for (const CubeFace& face : cubeFaces(camera, {50, 50}, 20)) {
            const Vector2 middle = 0.5 * (face.corners[0] + face.corners[2]);
            const auto place = pickCube(camera, {50, 50}, 20, middle);
            QVERIFY(place && *place == face.place);
            QVERIFY((lookingFrom(camera, *place).forward() + face.place.cast<double>()).norm() < 1e-9);
        }
        QVERIFY(!pickCube(camera, {50, 50}, 20, {120, 50}));
        QVERIFY((lookingFrom(camera, CubePlace(1, 1, 1)).forward() + Vector3(1, 1, 1).normalized()).norm() < 1e-9);
    }

    void meshPartsContainEveryTriangleAndFitThePalette()
    {
        // A strip of triangles, each with three joints of its own.
        Mesh mesh;
        const std::uint32_t joints = 90;
        for (std::uint32_t i = 0; i < joints; ++i) {
            mesh.positions.emplace_back(static_cast<float>(i), 0.0f, 0.0f);
            mesh.skin.joints.push_back({i + 1});
            mesh.skin.jointFromMesh.push_back(Affine::Identity());
            mesh.skin.influenceBegin.push_back(i);
            mesh.skin.influenceJoint.push_back(static_cast<std::uint16_t>(i));
            mesh.skin.influenceWeight.push_back(1);
        }
        mesh.skin.influenceBegin.push_back(joints);
        for (std::uint32_t i = 0; i + 2 < joints; ++i) mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + 2});

        QCOMPARE(meshParts(mesh).size(), std::size_t{1});
        const auto parts = meshParts(mesh, 20);
        QVERIFY(parts.size() > 4);
        std::size_t triangles = 0;
        for (const MeshPart& part : parts) {
            QVERIFY(part.joints.size() <= 20);
            triangles += part.indices.size() / 3;
            const auto stride = static_cast<std::size_t>(part.floatsPerVertex());
            for (std::size_t v = 0; v < part.meshVertex.size(); ++v) {
                // Vertex i follows joint i: through the palette too.
                QCOMPARE(part.joints[static_cast<std::size_t>(part.vertices[v * stride + 6])], part.meshVertex[v]);
                QCOMPARE(part.vertices[v * stride + 10], 1.0f);
            }
        }
        QCOMPARE(triangles, mesh.indices.size() / 3);
    }

    void hullsContainAllPoints()
    {
        const auto hull = convexHull({{0, 0}, {2, 0}, {1, 0.5}, {2, 2}, {0, 2}, {1, 1}});
        QCOMPARE(hull.size(), std::size_t{4});
    }
};

QTEST_APPLESS_MAIN(TestView)
#include "tst_view.moc"
