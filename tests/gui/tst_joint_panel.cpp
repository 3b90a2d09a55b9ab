#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/InspectorTarget.h"
#include "core/math/Degrees.h"
#include "core/solve/Settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The inspector's joint parameters: what is greyed and why, and which joints an edit reaches.
class TestJointPanel : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

    static const Joint& joint(WindowUnderTest& w, const char* name)
    {
        return *w.document().scene().find(*w.document().scene().jointNamed(name));
    }
    /// As a user does: the focus on the field, the number, Enter.
    static void type(WindowUnderTest& w, const char* field, const QString& text)
    {
        auto* number = w.find<NumberField>(field);
        if (!number->isEnabled() || !number->isVisible()) qFatal("%s cannot be edited", field);
        number->setFocus();
        QTest::keyClicks(number, text.left(1));
        auto* edit = number->findChild<QLineEdit*>();
        if (edit == nullptr) qFatal("%s takes no digits", field);
        QTest::keyClicks(edit, text.mid(1));
        QTest::keyClick(edit, Qt::Key_Return);
        w.settle();
    }
    static void tick(WindowUnderTest& w, const char* field)
    {
        auto* box = w.find<QCheckBox>(field);
        if (!box->isEnabled() || !box->isVisible()) qFatal("%s cannot be ticked", field);
        QTest::keyClick(box, Qt::Key_Space);
        w.settle();
    }
    /// Chooses the item by its first letters, after the box has forgotten those typed before.
    static void choose(WindowUnderTest& w, const char* field, const QString& text)
    {
        auto* box = w.find<QComboBox>(field);
        QTest::qWait(QApplication::keyboardInputInterval() + 50);
        QTest::keyClicks(box, text);
        w.settle();
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void rotationAxesOfABallJointAreGreyed();
    void slidingIsGreyedWhereTheSolverCannotSlide();
    void anEditReachesEverySelectedJoint();
    void everyParameterOfAnAxisIsEdited();
    void orderAndPrecedenceAreEdited();
    void speedLimitsAreEditedAndGreyed();
    void aBallJointIsMadeAndLimited();
    void rotationsAreShownAndTypedAsVectors();
    void tabFollowsTheRowsOfABallJoint();
    void everyFieldChangesWhatItShowsInAllSelectedJoints_data();
    void everyFieldChangesWhatItShowsInAllSelectedJoints();
    void everyGreyFieldSaysWhy();
    void axisEditsLeaveSelectedBallJointsAlone();
    void segmentsAreEdited();
    void lengthsBelowAScaledRootAreTrueLengths();
    void limitsAreGuessedAndChosen();
};

void TestJointPanel::rotationAxesOfABallJointAreGreyed()
{
    WindowUnderTest w("mannequin");
    const auto& joints = *w.document().scene().joints;
    const auto ball = std::find_if(joints.begin(), joints.end(),
                                   [](const Joint& joint) { return joint.ball.has_value(); });
    QVERIFY(ball != joints.end());
    const Handle* handle = w.document().scene().find(handleOver(w.document().scene(), ball->id));
    QVERIFY(handle != nullptr); // its solver is two-bone, for which the slides would be grey, too
    QVERIFY(
        w.document().apply({{"op", "setHandle"}, {"name", QString::fromStdString(handle->name)}, {"solver", "dls"}}));
    w.select(ball->name.c_str());
    for (const char* field : {"joint.turn.x.active", "joint.turn.y.limited", "joint.turn.z.from", "joint.turn.x.ease"})
        QVERIFY2(!w.find<QWidget>(field)->isEnabled(), field);
    QVERIFY(w.find<QWidget>("joint.slide.x.active")->isEnabled());
}

void TestJointPanel::slidingIsGreyedWhereTheSolverCannotSlide()
{
    WindowUnderTest w("leg"); // two-bone
    w.select("Shin");
    auto* active = w.find<QCheckBox>("joint.slide.y.active");
    const auto reason = [&] { return w.find<QLabel>("joint.slide.off")->text(); };
    QVERIFY(!active->isEnabled() && !w.find<QWidget>("joint.slide.y.from")->isEnabled());
    QVERIFY2(reason().contains("Two-bone cannot slide joints"), qPrintable(reason()));
    // One that slides all the same, in a file from elsewhere, can be turned off, and the window says why its handle is
    // not solved.
    Project project{.scene = w.document().scene(), .state = {}};
    std::vector<Joint> joints = project.scene.joints->toVector();
    for (Joint& one : joints) one.sliding[1].active = one.sliding[1].active || one.name == "Shin";
    project.scene.joints = std::move(joints);
    w.document().adopt(std::move(project), {}, {});
    w.select("Shin");
    QVERIFY(active->isEnabled() && active->isChecked());
    const QString message = w.find<QLabel>("status.text")->text();
    QVERIFY2(message.contains("cannot slide"), qPrintable(message));
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "dls"}}));
    w.settle();
    QVERIFY(active->isEnabled() && w.find<QWidget>("joint.slide.y.from")->isEnabled());
    QVERIFY(!reason().contains("cannot slide"));
}

void TestJointPanel::anEditReachesEverySelectedJoint()
{
    WindowUnderTest w("lamp");
    const auto joint = [&](const char* name) -> const Joint& {
        return *w.document().scene().find(*w.document().scene().jointNamed(name));
    };
    w.select("Hinge01");
    w.state->selection().select(SelectionItem::of(joint("Hinge02").id), Selection::How::Add);
    w.settle();
    const std::size_t steps = w.document().history().undoCount();
    emit w.find<NumberField>("joint.stiffness")->entered(0.25);
    w.find<QCheckBox>("joint.terminator")->click();
    emit w.find<NumberField>("joint.turn.x.to")->entered(50);
    emit w.find<NumberField>("channel.rx")->entered(12);
    w.settle();
    for (const char* name : {"Hinge01", "Hinge02"}) {
        QCOMPARE(joint(name).stiffness, 0.25);
        QVERIFY(joint(name).isTerminator);
        QVERIFY(std::abs(joint(name).turning[0].to - 50 / kDegrees) < 1e-12);
        QVERIFY(std::abs(w.document().scene().staticValue({joint(name).id.value, Property::Rx})[0] - 12 / kDegrees) <
                1e-12);
    }
    QCOMPARE(w.document().history().undoCount(), steps + 4); // one step each
    QVERIFY(!joint("Hinge03").isTerminator);
}

void TestJointPanel::everyParameterOfAnAxisIsEdited()
{
    WindowUnderTest w("telescope");
    w.select("Top");
    const std::size_t steps = w.document().history().undoCount();
    const Scene start = w.document().scene();
    type(w, "joint.turn.y.damping", "0.25");
    type(w, "joint.slide.x.damping", "0.5");
    type(w, "joint.slide.z.ease", "0.75");
    QCOMPARE(joint(w, "Top").turning[1].damping, 0.25);
    QCOMPARE(joint(w, "Top").sliding[0].damping, 0.5);
    QCOMPARE(joint(w, "Top").sliding[2].ease, 0.75);
    std::size_t edits = 3;
    const std::vector<const SolverInfo*> springs = usersOf(Setting::SpringBack, w.solvers);
    if (springs.empty()) {
        QVERIFY(!w.find<QWidget>("joint.slide.z.springBack")->isEnabled());
        QVERIFY(w.find<QWidget>("joint.slide.z.springBack")->toolTip().contains("No solver supports this yet"));
    } else {
        const auto& handle = w.document().scene().handles->front();
        QVERIFY(w.document().apply({{"op", "setHandle"},
                                    {"name", QString::fromStdString(handle.name)},
                                    {"solver", QString::fromStdString(springs.front()->alias)}}));
        w.settle();
        tick(w, "joint.slide.z.springBack.on");
        QCOMPARE(joint(w, "Top").sliding[2].springBack, std::optional(0.3)); // where it rests
        type(w, "joint.slide.z.springBack", "12");
        QCOMPARE(joint(w, "Top").sliding[2].springBack, std::optional(0.12));
        type(w, "joint.slide.z.springTension", "0.5");
        QCOMPARE(joint(w, "Top").sliding[2].springTension, 0.5);
        tick(w, "joint.slide.z.springBack.on");
        QVERIFY(!joint(w, "Top").sliding[2].springBack);
        edits += 5;
    }
    QCOMPARE(w.document().history().undoCount(), steps + edits);
    for (std::size_t i = 0; i < edits; ++i) w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start);
}

void TestJointPanel::orderAndPrecedenceAreEdited()
{
    WindowUnderTest w("telescope");
    w.select("Middle");
    w.state->selection().select(SelectionItem::of(joint(w, "Top").id), Selection::How::Add);
    w.settle();
    const std::size_t steps = w.document().history().undoCount();
    type(w, "joint.precedence", "-7");
    choose(w, "joint.rotationOrder", "ZX");
    QCOMPARE(w.document().history().undoCount(), steps + 2);
    for (const char* name : {"Middle", "Top"}) {
        QCOMPARE(joint(w, name).precedence, -7);
        QCOMPARE(joint(w, name).rotationOrder, RotationOrder::ZXY);
    }
    QCOMPARE(w.find<QComboBox>("joint.rotationOrder")->currentText(), QString("ZXY"));
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(joint(w, "Top").rotationOrder, RotationOrder::XYZ);
    QCOMPARE(w.find<QComboBox>("joint.rotationOrder")->currentText(), QString("XYZ"));
}

void TestJointPanel::speedLimitsAreEditedAndGreyed()
{
    WindowUnderTest w("lamp");
    w.select("Hinge01");
    type(w, "joint.turning.speed", "90");
    type(w, "joint.turning.acceleration", "720");
    QVERIFY(std::abs(joint(w, "Hinge01").turningRates.speed - radians(90)) < 1e-9);
    QVERIFY(std::abs(joint(w, "Hinge01").turningRates.acceleration - radians(720)) < 1e-9);
    auto* slide = w.find<NumberField>("joint.sliding.speed");
    QVERIFY(!slide->isEnabled());
    QVERIFY2(slide->toolTip().contains("Turn on Active for a sliding axis"), qPrintable(slide->toolTip()));
    QVERIFY(w.find<QWidget>("joint.turning.speed")->toolTip().contains("0: no limit"));
    QVERIFY(w.document().apply({{"op", "setSlidingAxis"}, {"joint", "Hinge01"}, {"axis", "y"}, {"active", true}}));
    w.settle();
    type(w, "joint.sliding.speed", "50"); // cm/s
    QVERIFY(std::abs(joint(w, "Hinge01").slidingRates.speed - 0.5) < 1e-12);
    w.document().undo();
    w.settle();
    QCOMPARE(joint(w, "Hinge01").slidingRates.speed, 0.0);
}

void TestJointPanel::aBallJointIsMadeAndLimited()
{
    WindowUnderTest w("lamp");
    w.select("Hinge01");
    w.state->selection().select(SelectionItem::of(joint(w, "Hinge02").id), Selection::How::Add);
    w.settle();
    const Scene start = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    QVERIFY(!w.find<QWidget>("joint.ball.axis")->isVisible());
    tick(w, "joint.ball");
    QVERIFY(joint(w, "Hinge01").ball && joint(w, "Hinge02").ball && !joint(w, "Hinge03").ball);
    QVERIFY(!joint(w, "Hinge01").ball->swing && !joint(w, "Hinge01").ball->twist);
    QVERIFY(!w.find<QWidget>("joint.turn.x.active")->isVisible()); // its axes have no effect
    QVERIFY(!w.find<QWidget>("joint.ball.swing.a.plus")->isEnabled());
    choose(w, "joint.ball.axis", "Z");
    tick(w, "joint.ball.swing.limited");
    type(w, "joint.ball.swing.a.plus", "30");
    type(w, "joint.ball.swing.b.minus", "20");
    tick(w, "joint.ball.twist.limited");
    type(w, "joint.ball.twist.from", "-10");
    for (const char* name : {"Hinge01", "Hinge02"}) {
        const BallLimits& ball = *joint(w, name).ball;
        QCOMPARE(ball.twistAxis, 2);
        const double expected[] = {30, 45, 45, 20, -10, 45};
        const double found[] = {(*ball.swing)[0], (*ball.swing)[1], (*ball.swing)[2],
                                (*ball.swing)[3], (*ball.twist)[0], (*ball.twist)[1]};
        for (int i = 0; i < 6; ++i)
            QVERIFY2(std::abs(found[i] * kDegrees - expected[i]) < 1e-12, qPrintable(QString::number(i)));
    }
    tick(w, "joint.ball");
    QVERIFY(!joint(w, "Hinge01").ball && !joint(w, "Hinge02").ball);
    QVERIFY(w.find<QWidget>("joint.turn.x.active")->isVisible());
    while (w.document().history().undoCount() > steps) w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start);
}

void TestJointPanel::rotationsAreShownAndTypedAsVectors()
{
    WindowUnderTest w("lamp");
    const char* names[] = {"channel.rx", "channel.ry", "channel.rz"};
    const auto shown = [&] {
        return Vector3(w.find<NumberField>(names[0])->value(), w.find<NumberField>(names[1])->value(),
                       w.find<NumberField>(names[2])->value());
    };
    const auto turned = [&](const char* name) {
        const FramePtr frame = w.state->frame();
        const auto index = static_cast<std::size_t>(frame->rig->index(joint(w, name).id));
        return Quaternion(joint(w, name).rest.rotation.conjugate() * frame->solved.local.joints[index].rotation);
    };
    w.select("Hinge01");
    for (const auto& [axis, angle] : {std::pair{"x", 50.0}, {"y", 30.0}, {"z", -20.0}})
        QVERIFY(w.document().apply({{"op", "rotate"}, {"joint", "Hinge01"}, {"axis", axis}, {"value", angle}}));
    w.settle();
    QVERIFY((shown() - Vector3(50, 30, -20)).norm() < 1e-9);
    const auto forget = [] { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }; // the old rows
    choose(w, "channels.rotations", "V");
    forget();
    // The axis, as long as the angle: about it, the rotation is the same.
    Eigen::AngleAxisd turn(turned("Hinge01"));
    QVERIFY((shown() - turn.angle() * kDegrees * turn.axis()).norm() < 1e-9);
    QVERIFY((shown() - Vector3(50, 30, -20)).norm() > 1);

    // A typed number is read back exactly, and the others stay; all selected joints get it.
    w.state->selection().select(SelectionItem::of(joint(w, "Hinge02").id));
    w.state->selection().select(SelectionItem::of(joint(w, "Hinge01").id), Selection::How::Add);
    w.settle();
    forget();
    const std::size_t steps = w.document().history().undoCount();
    const Vector3 before = shown();
    type(w, "channel.ry", "73.25");
    QVERIFY((shown() - Vector3(before.x(), 73.25, before.z())).norm() < 1e-9);
    turn = turned("Hinge02");
    QVERIFY((turn.angle() * kDegrees * turn.axis() - Vector3(0, 73.25, 0)).norm() < 1e-9);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY((shown() - before).norm() < 1e-9);
    w.window->commands().run("view.rotations.euler");
    w.settle();
    forget();
    QVERIFY((shown() - Vector3(50, 30, -20)).norm() < 1e-9);
    QCOMPARE(w.find<QComboBox>("channels.rotations")->currentText(), QString("Euler"));

    // A goal's rotation, too.
    WindowUnderTest leg("leg");
    leg.select("FootGoal");
    leg.window->commands().run("view.rotations.vector");
    leg.settle();
    forget();
    type(leg, "goal.rx", "40");
    type(leg, "goal.rz", "-70");
    QVERIFY(std::abs(leg.find<NumberField>("goal.rx")->value() - 40) < 1e-9 &&
            std::abs(leg.find<NumberField>("goal.rz")->value() + 70) < 1e-9);
    const Handle* foot = leg.document().scene().handleNamed("FootGoal");
    turn = leg.state->frame()->find(foot->id)->target.goal.rotation;
    QVERIFY((turn.angle() * kDegrees * turn.axis() - Vector3(40, 0, -70)).norm() < 1e-9);
}

/// Tab goes through the table of a ball joint as it is read.
void TestJointPanel::tabFollowsTheRowsOfABallJoint()
{
    WindowUnderTest w("lamp");
    QVERIFY(w.document().apply({{"op", "setBallJoint"},
                                {"joint", "Hinge01"},
                                {"axis", "y"},
                                {"swing", QJsonArray{40, 45, 50, 55}},
                                {"twist", QJsonArray{-30, 35}}}));
    w.select("Hinge01");
    const QStringList wanted{"joint.ball.swing.limited", "joint.ball.swing.a.minus", "joint.ball.swing.a.plus",
                             "joint.ball.swing.b.minus", "joint.ball.swing.b.plus",  "joint.ball.twist.limited",
                             "joint.ball.twist.from",    "joint.ball.twist.to"};
    auto* first = w.window->findChild<QWidget*>(wanted.front());
    QVERIFY(first != nullptr && first->isVisible());
    QStringList reached{wanted.front()};
    for (QWidget* next = first->nextInFocusChain(); next != first && reached.size() < wanted.size();
         next = next->nextInFocusChain())
        if (next->isVisible() && (next->focusPolicy() & Qt::TabFocus) != 0) reached << next->objectName();
    QCOMPARE(reached, wanted);
}

void TestJointPanel::everyFieldChangesWhatItShowsInAllSelectedJoints_data()
{
    QTest::addColumn<QString>("fields");
    QTest::addColumn<QJsonArray>("before"); // edits of both joints
    QTest::newRow("axes") << "" << QJsonArray{};
    QTest::newRow("ball joint") << "joint.ball"
                                << QJsonArray{QJsonObject{{"op", "setBallJoint"},
                                                          {"axis", "y"},
                                                          {"swing", QJsonArray{40, 45, 50, 55}},
                                                          {"twist", QJsonArray{-30, 35}}}};
    const auto segment = [](const char* kind, const QJsonArray& size) {
        return QJsonArray{
            QJsonObject{{"op", "setSegment"}, {"mass", 2}, {"shape", QJsonObject{{"kind", kind}, {"size", size}}}}};
    };
    QTest::newRow("box") << "joint.segment" << segment("box", {0.1, 0.2, 0.3});
    QTest::newRow("torus") << "joint.segment" << segment("torus", {0.3, 0.1});
}

/// Every number, check box and choice of the joint panel: what is typed reaches both joints, no other field changes,
/// and undo shows all as it was.
void TestJointPanel::everyFieldChangesWhatItShowsInAllSelectedJoints()
{
    QFETCH(QString, fields);
    QFETCH(QJsonArray, before);
    WindowUnderTest w("lamp");
    const char* names[] = {"Hinge01", "Hinge02"};
    for (const char* name : names)
        for (const QJsonValue& edit : before) {
            QJsonObject operation = edit.toObject();
            operation.insert("joint", name);
            QVERIFY(w.document().apply(operation));
        }
    const auto selectBoth = [&] {
        w.state->selection().select(
            {SelectionItem::of(joint(w, names[1]).id), SelectionItem::of(joint(w, names[0]).id)});
        w.settle();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the fields shown before
    };
    const auto fieldsShown = [&] {
        std::map<QString, QString> shown;
        for (const auto* field : w.window->findChildren<QWidget*>(QRegularExpression("^(joint|channel)\\."))) {
            if (!field->isVisible()) continue;
            if (const auto* number = qobject_cast<const NumberField*>(field))
                shown[field->objectName()] = number->text();
            if (const auto* box = qobject_cast<const QCheckBox*>(field))
                shown[field->objectName()] = box->isChecked() ? "on" : "off";
            if (const auto* box = qobject_cast<const QComboBox*>(field))
                shown[field->objectName()] = box->currentText();
        }
        return shown;
    };
    QStringList edited, problems;
    const auto change = [&](QWidget* field) {
        if (auto* number = qobject_cast<NumberField*>(field)) {
            const double most = number->format().maximum;
            const double entered = most <= 1 ? 0.5 * most + 0.25 * number->value() : number->value() + 3;
            number->enter(entered);
            w.settle();
            if (std::abs(number->value() - entered) > 1e-6)
                problems << QStringLiteral("%1 shows %2 instead of %3")
                                .arg(field->objectName())
                                .arg(number->value())
                                .arg(entered);
        } else if (auto* box = qobject_cast<QCheckBox*>(field)) {
            box->click();
        } else if (auto* choice = qobject_cast<QComboBox*>(field)) {
            QTest::keyClick(choice, choice->currentIndex() + 1 < choice->count() ? Qt::Key_Down : Qt::Key_Up);
        }
        w.settle();
    };
    selectBoth();
    const std::map<QString, QString> start = fieldsShown();
    QVERIFY(start.size() > 20);
    const std::size_t steps = w.document().history().undoCount();
    // With these, other fields come and go; they have tests of their own.
    const QRegularExpression apart("^joint\\.(ball|ball\\.\\w+\\.limited|segment\\.shape|.*\\.springBack\\.on)$");
    std::map<QString, QString> last = start;
    for (const auto& [name, text] : start) {
        auto* field = w.window->findChild<QWidget*>(name);
        if (!field->isEnabled() || !name.startsWith(fields) || apart.match(name).hasMatch()) continue;
        change(field);
        edited << name;
        std::map<QString, QString> now = fieldsShown();
        if (now.at(name) == text) problems << name + " keeps its value";
        for (const auto& [other, shown] : now) // a spring that pulls somewhere is on
            if (shown != last.at(other) && other != name && other != name + ".on")
                problems << name + " changes " + other;
        last = std::move(now);
    }
    if (w.document().history().undoCount() != steps + static_cast<std::size_t>(edited.size()))
        problems << "an edit is not one step";
    w.select(names[1]);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const std::map<QString, QString> second = fieldsShown();
    for (const QString& name : edited)
        if (second.at(name) != last.at(name)) problems << name + " does not reach the other joint";
    selectBoth();
    while (w.document().history().undoCount() > steps) QVERIFY(w.document().undo());
    w.settle();
    for (const auto& [name, shown] : fieldsShown())
        if (shown != start.at(name)) problems << name + " is not as before after undo";
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join("; ")));
}

void TestJointPanel::everyGreyFieldSaysWhy()
{
    for (const auto& [sample, selected] : {std::pair{"leg", "Shin"}, {"leg", "FootGoal"}, {"mannequin", "Hand_L"}}) {
        WindowUnderTest w(sample);
        w.select(selected);
        int grey = 0;
        QStringList silent;
        for (const auto* field : w.window->findChildren<QWidget*>(QRegularExpression("^(joint|handle|channel)\\."))) {
            if (!field->isVisible() || field->isEnabled()) continue;
            ++grey;
            const QString tip = field->toolTip();
            if (!tip.contains("No effect with") && !tip.contains("No solver supports") && !tip.contains("cannot") &&
                !tip.contains("Turn on"))
                silent << field->objectName() + ": " + tip;
        }
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join("; ")));
        QVERIFY2(grey > 0, selected);
    }
}

void TestJointPanel::axisEditsLeaveSelectedBallJointsAlone()
{
    WindowUnderTest w("lamp");
    QVERIFY(w.document().apply({{"op", "setBallJoint"}, {"joint", "Hinge02"}}));
    w.select("Hinge02");
    w.state->selection().select(SelectionItem::of(joint(w, "Hinge01").id), Selection::How::Add);
    w.settle();
    const bool wasLimited = joint(w, "Hinge01").turning[1].limited;
    tick(w, "joint.turn.y.limited");
    QVERIFY(joint(w, "Hinge02").ball);
    QCOMPARE(joint(w, "Hinge01").turning[1].limited, !wasLimited);
}

void TestJointPanel::segmentsAreEdited()
{
    WindowUnderTest w("telescope");
    QVERIFY(w.document().apply({{"op", "setSegment"}, {"joint", "Bottom"}, {"shape", QJsonValue()}}));
    w.select("Bottom");
    QVERIFY(!w.find<QWidget>("joint.segment.radius")->isVisible());
    const std::size_t steps = w.document().history().undoCount();
    choose(w, "joint.segment.shape", "Cy");
    // It stands on the joint along the bone to Middle.
    const Segment fitted = joint(w, "Bottom").segment;
    QCOMPARE(fitted.shape, Segment::Shape::Cylinder);
    const Vector3 bone = joint(w, "Middle").rest.translation;
    QVERIFY((fitted.rotation * Vector3(0, fitted.size.y(), 0) - bone).norm() < 1e-12);
    type(w, "joint.segment.radius", "5");
    type(w, "joint.segment.height", "25");
    type(w, "joint.segment.offset.x", "2");
    type(w, "joint.segment.mass", "1.5");
    QCOMPARE(w.document().history().undoCount(), steps + 5);
    const Segment& segment = joint(w, "Bottom").segment;
    QVERIFY((segment.size - Vector3(0.05, 0.25, 0)).norm() < 1e-15);
    QVERIFY((segment.offset - Vector3(0.02, 0, 0)).norm() < 1e-15);
    QVERIFY(segment.rotation.angularDistance(fitted.rotation) < 1e-12); // each edit leaves the rest as it was
    QCOMPARE(segment.mass, 1.5);
    const QString result = w.find<QLabel>("joint.segment.result")->text();
    QVERIFY2(result.contains("Length 30.0 cm, to Middle") && result.contains("volume 1.96 L"), qPrintable(result));
    choose(w, "joint.segment.shape", "B");
    QVERIFY(w.find<QWidget>("joint.segment.size.z")->isVisible() &&
            !w.find<QWidget>("joint.segment.height")->isVisible());
    QTest::keyClick(w.find<QComboBox>("joint.segment.shape"), Qt::Key_Home); // the first is None
    w.settle();
    QCOMPARE(joint(w, "Bottom").segment.shape, Segment::Shape::None);
    QCOMPARE(joint(w, "Bottom").segment.mass, 1.5);
}

void TestJointPanel::limitsAreGuessedAndChosen()
{
    WindowUnderTest w("tree");
    w.select("Left1");
    auto* offer = w.find<QPushButton>("joint.guessLimits");
    QVERIFY(offer->isVisible());
    const Scene before = w.document().scene();
    w.select("Trunk0"); // a root goes where it likes
    QVERIFY(!offer->isVisible());

    w.select("Left1");
    w.state->selection().select(SelectionItem::of(joint(w, "Right1").id), Selection::How::Add);
    w.window->commands().run(QStringLiteral("rig.guessLimits"));
    auto* dialog = w.find<QDialog>("guessLimits");
    QVERIFY(dialog->isVisible());
    auto* list = w.find<QTreeWidget>("guessLimits.list");
    QCOMPARE(list->topLevelItemCount(), 2);
    QVERIFY(list->topLevelItem(0)->text(1).contains(QStringLiteral("bends about z")));
    list->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTest::keyClick(dialog, Qt::Key_Return);
    w.settle();
    QVERIFY(joint(w, "Left1").turning[2].limited && !joint(w, "Left1").turning[0].active);
    QVERIFY(!joint(w, "Right1").turning[2].limited);
    w.window->commands().run(QStringLiteral("edit.undo"));
    w.settle();
    QVERIFY(before == w.document().scene()); // one step
}

/// Below a root that is scaled by 100, as many exporters leave it: what is shown and typed is what a ruler would say.
void TestJointPanel::lengthsBelowAScaledRootAreTrueLengths()
{
    WindowUnderTest w("mannequin");
    w.document().clear();
    const auto apply = [&](const QJsonObject& operation) {
        const auto done = w.document().apply(operation);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
    };
    apply({{"op", "addJoint"}, {"name", "root"}});
    apply({{"op", "setPose"},
           {"joint", "root"},
           {"scale", QJsonArray{100, 100, 100}},
           {"rotation", QJsonArray{0, 0, 30}}});
    apply({{"op", "addJoint"}, {"name", "hips"}, {"parent", "root"}, {"translation", QJsonArray{0, 0.009, 0}}});
    apply({{"op", "addJoint"}, {"name", "thigh"}, {"parent", "hips"}, {"translation", QJsonArray{0, -0.004, 0.0}}});
    apply({{"op", "addJoint"}, {"name", "shin"}, {"parent", "thigh"}, {"translation", QJsonArray{0, -0.004, 0.001}}});
    apply({{"op", "addHandle"}, {"name", "leg"}, {"start", "thigh"}, {"end", "shin"}});
    const auto hips = [&] {
        return Vector3(w.state->finishFrame()->worldFromJoint(joint(w, "hips").id)->translation());
    };
    const auto shown = [&](const char* field) { return w.find<NumberField>(field)->value(); };
    w.select("hips");
    QVERIFY(std::abs(shown("channel.ty") - 90) < 1e-6);
    const Vector3 before = hips();
    type(w, "channel.ty", "+=-5"); // a sum of true centimetres
    QVERIFY2(std::abs((hips() - before).norm() - 0.05) < 1e-9, qPrintable(QString::number((hips() - before).norm())));
    QVERIFY(std::abs(shown("channel.ty") - 85) < 1e-6);
    type(w, "channel.tx", "12");
    QVERIFY(std::abs((hips() - before).norm() - 0.13) < 1e-9);
    // What the gizmo moves by is what the field changes by; the operation speaks of the parent's space.
    const Vector3 from = hips(), along = Eigen::AngleAxisd(30 / kDegrees, Vector3::UnitZ()) * Vector3::UnitY();
    apply({{"op", "drag"},
           {"joint", "hips"},
           {"mode", "fk"},
           {"to", QJsonArray{from.x() - 0.152 * along.x(), from.y() - 0.152 * along.y(), from.z()}}});
    w.settle();
    QVERIFY2(std::abs(shown("channel.ty") - 69.8) < 1e-6, qPrintable(QString::number(shown("channel.ty"))));
    apply({{"op", "slide"}, {"joint", "hips"}, {"axis", "y"}, {"value", 0.009}});
    w.settle();
    QVERIFY(std::abs(shown("channel.ty") - 90) < 1e-6);
    // The bone, its segment, its limits and an effector.
    w.select("thigh");
    const QString result = w.find<QLabel>("joint.segment.result")->text();
    QVERIFY2(result.contains("41.2 cm"), qPrintable(result));
    apply({{"op", "setSegment"},
           {"joint", "thigh"},
           {"shape", QJsonObject{{"kind", "box"}, {"size", QJsonArray{0.001, 0.004, 0.001}}}}});
    w.settle();
    QVERIFY(std::abs(shown("joint.segment.size.y") - 40) < 1e-6);
    type(w, "joint.segment.size.x", "20");
    QVERIFY(std::abs(joint(w, "thigh").segment.size.x() - 0.002) < 1e-12);
    apply({{"op", "setSlidingAxis"},
           {"joint", "hips"},
           {"axis", "y"},
           {"active", true},
           {"limited", true},
           {"from", 0.005}});
    w.select("hips");
    QVERIFY(std::abs(shown("joint.slide.y.from") - 50) < 1e-6);
    type(w, "joint.slide.y.to", "95");
    QVERIFY(std::abs(joint(w, "hips").sliding[1].to - 0.0095) < 1e-12);
    type(w, "joint.sliding.speed", "100");
    QVERIFY(std::abs(joint(w, "hips").slidingRates.speed - 0.01) < 1e-12);
    w.select("leg");
    type(w, "handle.offset.y", "3");
    QVERIFY(std::abs(w.document().scene().handleNamed("leg")->offset.y() - 0.0003) < 1e-12);
    QVERIFY(std::abs(shown("handle.offset.y") - 3) < 1e-6);
    const Vector3 goal = w.state->finishFrame()->handles.front().target.goal.position;
    apply({{"op", "setHandle"}, {"name", "leg"}, {"follow", "root"}});
    w.settle();
    type(w, "goal.x", "+=7");
    const Vector3 moved = w.state->finishFrame()->handles.front().target.goal.position;
    QVERIFY2(std::abs((moved - goal).norm() - 0.07) < 1e-9, qPrintable(QString::number((moved - goal).norm())));
}

TENDON_TEST(TestJointPanel)
#include "tst_joint_panel.moc"
