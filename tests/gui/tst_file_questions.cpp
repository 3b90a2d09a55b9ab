#include "app/editor/DocumentFile.h"
#include "app/editor/RecentFiles.h"
#include "app/editor/Recovery.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/TimelineView.h"
#include "core/scene/KeyEdit.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

using namespace tendon;
using namespace tendon::editor;
using namespace tendon::test;

namespace {

/// Presses a button of the question that is shown, once it is; returns the question's name.
QString answer(const QString& button)
{
    QMessageBox* box = nullptr;
    if (!QTest::qWaitFor(
            [&] { return (box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) != nullptr; }))
        return "no question";
    const QString name = box->objectName();
    for (QAbstractButton* each : box->buttons())
        if (each->text() == button) {
            each->click();
            return name;
        }
    box->reject();
    return name + " has no " + button;
}

/// The same for a question that is waited for where it is asked.
void answerLater(const QString& button, QString* question)
{
    QTimer::singleShot(0, qApp, [button, question] { *question = answer(button); });
}

} // namespace

/// What the window asks when others work on the same file.
class TestFileQuestions : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void savingOverAnotherProgramsChangeAsksFirst();
    void recoveryNamesTheFolderAndWhatIsNotOpened();
    void aFileThatIsOpenElsewhereIsOfferedAsACopy();
    void theWindowIsUsedWhileALongClipIsSaved();
    void closingAsksAboutAnExportThatRuns();
};

/// A frame is chosen with the mouse and a key is set with the keyboard before the file is there.
void TestFileQuestions::theWindowIsUsedWhileALongClipIsSaved()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("long.tendon");
    WindowUnderTest w("lamp");
    QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "long"}}));
    Scene scene = w.document().scene();
    const Joint joint = scene.joints->back();
    const ClipId clip = w.document().edit().currentClip;
    std::vector<Key> keys;
    for (int i = 0; i < 600'000; ++i)
        keys.push_back({.time = scene.fps.timeOf(1 + 2 * i), .value = {1e-7 * i, 0.1 / (3.0 + i), 0, 1}});
    auto keyed = replaceKeys(std::move(scene), clip, {joint.id.value, Property::Rotation}, std::move(keys));
    QVERIFY(keyed.has_value());
    w.document().adopt({*keyed, {clip, 1}}, file.toStdString(), "long");
    w.select(joint.name.c_str());
    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "mine"}}));
    w.select(joint.name.c_str());

    bool isUsed = false, isModal = false;
    QTimer user;
    QElapsedTimer since;
    connect(&user, &QTimer::timeout, this, [&] {
        if (isUsed || since.elapsed() < 400 || QFileInfo::exists(file)) return;
        isUsed = true;
        isModal = QApplication::activeModalWidget() != nullptr;
        auto* line = w.find<TimelineView>("timeline");
        QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(qRound(line->axis().x(20)), line->height() / 2));
        w.key(Qt::Key_S);
        QVERIFY(!w.window->close()); // only when it is saved, and says so
        QVERIFY(w.find<QLabel>("status.text")->text().contains("still running"));
    });
    user.start(10);
    since.start();
    w.key(Qt::Key_S, Qt::ControlModifier);
    user.stop();
    if (!isUsed) QSKIP("this machine saved it at once");
    QVERIFY(!isModal);
    QCOMPARE(w.document().edit().frame, 20);
    // The file has what there was when the save began; what came after it is still to be saved.
    QVERIFY(w.document().isModified());
    const auto saved = readProject(file.toStdString());
    QVERIFY(saved.has_value());
    QVERIFY(saved->scene.jointNamed("mine"));
    QVERIFY(!(saved->scene == w.document().scene()));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"long.tendon"});
}

void TestFileQuestions::savingOverAnotherProgramsChangeAsksFirst()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("p.tendon"), backup = folder.filePath("p~1.tendon");
    WindowUnderTest w("arm");
    QVERIFY(w.document().saveAs(file));
    Editor other(w.solvers);
    QVERIFY(other.document().openSample("leg") && other.document().saveAs(file));
    QCOMPARE(answer("Decide Later"), QString("changedOnDisk"));

    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "mine"}}));
    QString question;
    answerLater("Cancel", &question);
    QVERIFY(!w.window->files().save());
    QCOMPARE(question, QString("replace"));
    QVERIFY(!(readProject(file.toStdString())->scene == w.document().scene()));
    answerLater("Overwrite", &question);
    QVERIFY(w.window->files().save());
    QVERIFY(readProject(file.toStdString())->scene == w.document().scene());
    QVERIFY(readProject(backup.toStdString())->scene == other.document().scene()); // theirs is not lost either

    question.clear();
    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "more"}}));
    QVERIFY(w.window->files().save()); // nobody came between
    QVERIFY(question.isEmpty() && readProject(backup.toStdString())->scene.jointNamed("mine"));
    FileActions::setBackupCount(0);
    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "last"}}));
    QVERIFY(w.window->files().save() && !readProject(backup.toStdString())->scene.jointNamed("more"));
    FileActions::setBackupCount(FileActions::kDefaultBackups);

    QVERIFY(other.document().apply({{"op", "addJoint"}, {"name", "other"}}) && other.document().save());
    QVERIFY(!w.document().isModified());
    QCOMPARE(answer("Keep Mine"), QString("changedOnDisk"));
    QTRY_VERIFY(w.document().isModified()); // the file no longer holds it
    QVERIFY(w.window->files().save());

    QVERIFY(other.document().apply({{"op", "addJoint"}, {"name", "theirs"}}) && other.document().save());
    QCOMPARE(answer("Load Theirs"), QString("changedOnDisk"));
    QTRY_VERIFY(w.document().scene() == other.document().scene());
}

void TestFileQuestions::closingAsksAboutAnExportThatRuns()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("long.glb");
    WindowUnderTest w("mannequin");
    QVERIFY(w.document().applyNow({{"op", "setRange"}, {"from", 1}, {"to", 200'000}}));
    QVERIFY(w.document().applyNow({{"op", "setFrame"}, {"value", 200'000}}));
    QVERIFY(w.document().applyNow({{"op", "key"}, {"target", "HandIK_R"}}));
    QVERIFY(w.document().saveAs(folder.filePath("p.tendon")));
    w.window->files().exportTo(file, false);
    QString question;
    answerLater("Keep Going", &question);
    QVERIFY(!w.window->close());
    QCOMPARE(question, QString("running"));
    answerLater("Cancel It and Close", &question);
    QVERIFY(w.window->close());
    QCOMPARE(question, QString("running"));
    QVERIFY(!QFile::exists(file));
}

/// Work of one file is left, and the program is started with another one of the same name.
void TestFileQuestions::recoveryNamesTheFolderAndWhatIsNotOpened()
{
    QTemporaryDir folder, elsewhere;
    const QString left = folder.filePath("p.tendon"), wanted = elsewhere.filePath("p.tendon");
    const QString copies = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery";
    SolverRegistry solvers;
    solvers.scan();
    const QString crashed = folder.filePath("crashed");
    {
        Editor other(solvers);
        QVERIFY(other.document().openSample("arm") && other.document().saveAs(left));
        QVERIFY(other.document().apply({{"op", "addJoint"}, {"name", "mine"}}));
        Recovery recovery(other.document(), crashed);
        QVERIFY(recovery.writeNow());
        // What a process that is killed leaves: its copies, without the lock that it held.
        QVERIFY(QDir().mkpath(copies));
        for (const QString& name : QDir(crashed).entryList(QDir::Files))
            QVERIFY(QFile::copy(crashed + "/" + name, copies + "/" + name));
    }
    WindowUnderTest w("leg");
    QVERIFY(w.document().saveAs(wanted));
    QString text;
    QTimer::singleShot(300, qApp, [&] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr || box->objectName() != "recovery") return;
        text = box->informativeText();
        for (auto* button : box->buttons())
            if (button->text() == "Recover") button->click();
    });
    QVERIFY(w.window->offerRecovery(wanted));
    QVERIFY2(text.contains(QDir::toNativeSeparators(folder.path())) && text.contains("instead of p.tendon"),
             qPrintable(text));
    QVERIFY(w.document().scene().jointNamed("mine"));
    QCOMPARE(RecentFiles::list().value(0), wanted);
}

void TestFileQuestions::aFileThatIsOpenElsewhereIsOfferedAsACopy()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("p.tendon");
    WindowUnderTest first("arm");
    QVERIFY(first.document().saveAs(file));
    WindowUnderTest second("leg");
    QVERIFY(second.window->files().openFile(file));
    QCOMPARE(answer("Open a Copy"), QString("openedElsewhere"));
    QTRY_VERIFY(second.document().path().empty());
    QVERIFY(second.document().isModified() && second.document().title().contains("p.tendon"));
    QVERIFY(second.document().scene() == first.document().scene());
    QString question;
    answerLater("Cancel", &question); // on the way out: it is a document of its own, and not saved
    QVERIFY(!second.window->close());
    QCOMPARE(question, QString("unsaved"));
}

TENDON_TEST(TestFileQuestions)
#include "tst_file_questions.moc"
