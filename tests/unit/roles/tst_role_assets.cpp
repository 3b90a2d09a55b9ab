#include "core/io/import/ModelImport.h"
#include "core/roles/Roles.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/roles/RoleTruth.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace tendon;

namespace {

/// How many roles of a body a guess has right, against role_truth.txt.
struct Tally
{
    int roles = 0, right = 0, rightAndSure = 0;
    QStringList wrongAndSure;

    [[nodiscard]] double share() const { return static_cast<double>(right) / std::max(1, roles); }
    [[nodiscard]] double sureShare() const { return static_cast<double>(rightAndSure) / std::max(1, right); }
};

constexpr double kSure = 0.9;

bool isOfTrunkOrLimb(const std::string& role)
{
    for (const char* part : {"Thumb", "Index", "Middle", "Ring", "Little", "Eye"})
        if (role.find(part) != std::string::npos) return false;
    return true;
}

/// The scene with numbers for names, and no roles decided.
Scene blanked(const Scene& scene)
{
    std::vector<Joint> joints = scene.joints->toVector();
    int number = 0;
    for (Joint& joint : joints) joint.name = std::to_string(++number);
    Scene result = scene;
    result.joints = std::move(joints);
    result.roles = RoleMap();
    return result;
}

void count(const Scene& named, const SkeletonRoles& guesses, const test::RoleTruth& truth, const std::string& file,
           Tally& tally)
{
    const auto nameOf = [&](JointId id) { return named.find(id)->name; };
    const auto isRight = [&](const RoleGuess& guess, const std::vector<std::string>& allowed) {
        return std::any_of(guess.joints.begin(), guess.joints.end(), [&](JointId joint) {
            return std::find(allowed.begin(), allowed.end(), nameOf(joint)) != allowed.end();
        });
    };
    for (const auto& [role, allowed] : truth.joints) {
        if (!isOfTrunkOrLimb(role)) continue;
        ++tally.roles;
        const RoleGuess* guess = guesses.find(role);
        if (guess == nullptr || !isRight(*guess, allowed)) continue;
        ++tally.right;
        tally.rightAndSure += guess->confidence > kSure;
    }
    const auto body = bodyRoles();
    for (const RoleGuess& guess : guesses.roles) {
        if (guess.confidence <= kSure || !isOfTrunkOrLimb(guess.role) || guess.role == "jaw") continue;
        if (std::find(body.begin(), body.end(), guess.role) == body.end()) continue;
        const auto allowed = truth.joints.find(guess.role);
        if (allowed == truth.joints.end() || !isRight(guess, allowed->second))
            tally.wrongAndSure << QString::fromStdString(file + ": " + guess.role + " = " +
                                                         nameOf(guess.joints.front()));
    }
}

} // namespace

/// The humanoids of the shared assets: how many roles are guessed right, and what a confidence is worth.
class TestRoleAssets : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const QDir assets(shared + "/assets");
        if (!assets.exists())
            QSKIP(qPrintable("no models to read: TENDON_SHARED names no folder with assets (" + shared + ")"));
        for (const test::RoleTruth& truth : test::readRoleTruth(TENDON_SOURCE_DIR "/tests/unit/roles/role_truth.txt"))
            for (const std::string& file : truth.files) {
                auto model = importModel(assets.filePath(QString::fromStdString(file)).toStdString());
                QVERIFY2(model, model ? "" : model.error().text().c_str());
                m_cases.push_back({truth, file, std::move(model->scene)});
            }
    }

    void namesAndShapeTellAlmostAll()
    {
        Tally tally;
        for (const Case& one : m_cases) {
            Scene scene = one.scene;
            scene.roles = RoleMap(); // what the file itself says is not guessed
            count(one.scene, guessRoles(scene), one.truth, one.file, tally);
        }
        check(tally, 0.98);
    }

    /// Animals: four legs of as many joints on either side, each where its name says.
    void animalsStandOnFourLegs_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("hind");
        QTest::addColumn<QString>("front");
        const auto row = [](const char* file, const char* hind, const char* front) {
            QTest::addRow("%s", file) << QString("characters/") + file << QString(hind) << QString(front);
        };
        row("assimp/Testwuson.X", "HindLeg_L_01", "ForeLeg_L_01");
        row("converted/frog.dae", "BackUpLeg.L", "FrontUpLeg.L");
        row("quaternius/easy_enemies_pack_Frog.glb", "BackUpLeg.L", "FrontUpLeg.L");
        row("converted/wolf.fbx", "BackUpperLeg.L", "FrontUpperLeg.L");
        row("khronos/Fox.glb", "b_LeftLeg01_015", "b_LeftUpperArm_09");
    }
    void animalsStandOnFourLegs()
    {
        QFETCH(QString, file);
        QFETCH(QString, hind);
        QFETCH(QString, front);
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const auto model = importModel((shared + "/assets/" + file).toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const SkeletonRoles guesses = guessRoles(model->scene);
        QCOMPARE(guesses.plan, BodyPlan::Quadruped);
        for (const char* limb : {"HindLeg", "FrontLeg"}) {
            const Limb *left = guesses.limb(std::string("left") + limb),
                       *right = guesses.limb(std::string("right") + limb);
            QVERIFY(left != nullptr && right != nullptr && left->joints.size() == right->joints.size());
            QVERIFY(left->joints.size() >= 3 && left->confidence > 0.75);
        }
        for (const auto& [role, joint] : {std::pair("leftHindUpperLeg", hind), {"leftFrontUpperLeg", front}}) {
            const RoleGuess* guess = guesses.find(role);
            QVERIFY(guess != nullptr);
            QCOMPARE(QString::fromStdString(model->scene.find(guess->joints.front())->name), joint);
        }
    }

    /// What exporters and people do to skeletons: a name in front of all names, and siblings in another order.
    void prefixesAndOrderCostLittle()
    {
        const char* const prefixes[] = {"Hero_R_", "L_Walker_", "Rig1:", "R2D2 ", "Left4Dead_", "npc07_"};
        Tally tally;
        std::size_t next = 0;
        for (const Case& one : m_cases) {
            Scene scene = one.scene;
            scene.roles = RoleMap();
            std::vector<Joint> joints;
            std::vector<std::vector<std::size_t>> children(scene.joints->size());
            std::vector<std::size_t> open;
            std::map<JointId, std::size_t> place;
            for (std::size_t j = 0; j < scene.joints->size(); ++j) place[(*scene.joints)[j].id] = j;
            for (std::size_t j = 0; j < scene.joints->size(); ++j)
                if (const auto parent = place.find((*scene.joints)[j].parent); parent != place.end())
                    children[parent->second].push_back(j);
                else
                    open.push_back(j);
            const std::string prefix = prefixes[next++ % std::size(prefixes)];
            while (!open.empty()) { // the last child first
                const std::size_t j = open.back();
                open.pop_back();
                Joint joint = (*scene.joints)[j];
                open.insert(open.end(), children[j].begin(), children[j].end());
                joint.name = prefix + joint.name;
                joints.push_back(joint);
            }
            scene.joints = std::move(joints);
            count(one.scene, guessRoles(scene), one.truth, one.file, tally);
        }
        check(tally, 0.98);
    }

    /// Rigs for games carry helpers: a joint without children under each joint, called after it.
    void helpersUnderJointsCostLittle()
    {
        const char* const ends[] = {"_helper", "_hlp", "Helper", ".offset"};
        Tally tally;
        std::size_t next = 0;
        for (const Case& one : m_cases) {
            Scene scene = one.scene;
            scene.roles = RoleMap();
            std::vector<Joint> joints = scene.joints->toVector();
            const std::size_t count = joints.size();
            const char* const end = ends[next++ % std::size(ends)];
            for (std::size_t j = 0; j < count; ++j) {
                Joint helper;
                helper.id.value = scene.takeId();
                helper.name = joints[j].name + end;
                helper.parent = joints[j].id;
                helper.rest.translation = 0.2 * joints[j].rest.translation;
                joints.push_back(helper);
            }
            scene.joints = std::move(joints);
            ::count(scene, guessRoles(scene), one.truth, one.file, tally);
        }
        check(tally, 0.98);
    }

    void shapeTellsMostWhereNamesSayNothing()
    {
        Tally tally;
        for (const Case& one : m_cases) count(one.scene, guessRoles(blanked(one.scene)), one.truth, one.file, tally);
        check(tally, 0.9);
    }

private:
    static void check(const Tally& tally, double least)
    {
        qInfo("%d of %d roles right (%.1f %%), %.1f %% of them above %.1f", tally.right, tally.roles,
              100 * tally.share(), 100 * tally.sureShare(), kSure);
        QVERIFY(tally.roles > 1000);
        QVERIFY2(tally.share() >= least, qPrintable(QString::number(tally.share())));
        QVERIFY2(tally.wrongAndSure.isEmpty(), qPrintable(tally.wrongAndSure.join("; ")));
        QVERIFY2(tally.sureShare() >= 0.8, qPrintable(QString::number(tally.sureShare())));
    }

    struct Case
    {
        test::RoleTruth truth;
        std::string file;
        Scene scene;
    };
    std::vector<Case> m_cases;
};

TENDON_TEST(TestRoleAssets)
#include "tst_role_assets.moc"
