#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/InspectorTarget.h"
#include "core/math/Degrees.h"

#include <QCheckBox>
#include <QLabel>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The inspector's joint parameters: what is greyed and why, and which joints an edit reaches.
class TestJointPanel : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void rotationAxesOfABallJointAreGreyed();
    void slidingIsGreyedWhereTheSolverCannotSlide();
    void anEditReachesEverySelectedJoint();
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
    // One that slides all the same can be turned off, and the window says why its handle is not solved.
    QVERIFY(w.document().apply({{"op", "setSlidingAxis"}, {"joint", "Shin"}, {"axis", "y"}, {"active", true}}));
    w.settle();
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

TENDON_TEST(TestJointPanel)
#include "tst_joint_panel.moc"
