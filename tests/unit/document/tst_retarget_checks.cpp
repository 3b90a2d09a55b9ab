#include "core/document/RetargetJob.h"
#include "core/io/import/ModelImport.h"
#include "core/roles/RoleNames.h"
#include "core/roles/Roles.h"
#include "tests/support/Person.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/HeldPerson.h"

#include <QTemporaryDir>

#include <random>
#include <string>

using namespace tendon;
using namespace tendon::test;

/// What a retarget asks people to check of the roles that it goes by, and which files are no motions.
class TestRetargetChecks : public QObject
{
    Q_OBJECT

private slots:
    /// Roles that are guessed without names are named for a check; not those that somebody has said.
    void rolesThatAreNotSureAreNamed()
    {
        std::mt19937 random(5);
        const Person motion = Person(0.8, 1.2, 0.4, 2).move(random).rename();
        const auto check = [&](const QJsonObject& roles) {
            TestDocument test = holding(Person());
            test.document.services.import = [&](const std::string&, const ImportOptions&) -> Result<ImportedModel> {
                ImportedModel model;
                model.scene = motion.rig.scene;
                return model;
            };
            std::string words;
            test.document.services.retargeted = [&](const RetargetOutcome& done) { words = done.rolesToCheck; };
            const auto done = carryOut(test.document, {{"op", "retarget"}, {"file", "nameless.glb"}, {"roles", roles}});
            if (!done) qFatal("%s", done.error().text().c_str());
            if (test.says("guessed and not sure") == words.empty()) qFatal("a script is told otherwise");
            return QString::fromStdString(words);
        };
        const QString words = check({});
        QVERIFY2(words.startsWith("check the role") && words.endsWith("guessed and not sure"), qPrintable(words));
        const SkeletonRoles guessed = guessRoles(motion.rig.scene);
        for (const RoleGuess& guess : guessed.roles) {
            const bool isNamed = words.contains(QString::fromStdString(roleInWords(guess.role)));
            if (guess.confidence >= kSureRole) QVERIFY2(!isNamed, guess.role.c_str());
        }
        QJsonObject roles;
        for (const auto& [role, joints] : motion.roles)
            roles[QString::fromStdString(role)] = QString::fromStdString(motion.rig.scene.find(joints.front())->name);
        QCOMPARE(check(roles), QString());
    }

    void aProjectIsNoMotion()
    {
        QTemporaryDir folder;
        TestDocument test = holding(Person());
        const QString project = folder.filePath("character.tendon");
        QVERIFY(writeProject(projectOf(test.document), project.toStdString()));
        const auto done = carryOut(test.document, {{"op", "retarget"}, {"file", project}});
        QVERIFY(!done);
        QVERIFY2(QString::fromStdString(done.error().text())
                     .endsWith("/character.tendon: this is a project of Tendon, and no model or motion; export its "
                               "clip first, or give the file that it was made from"),
                 done.error().text().c_str());
    }
};

TENDON_TEST(TestRetargetChecks)
#include "tst_retarget_checks.moc"
