#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/ExportDialog.h"
#include "core/io/import/ModelImport.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The dialog that exports an animation, opened by its command.
class TestExportDialog : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static ExportDialog* open(WindowUnderTest& w)
    {
        if (w.document().scene().clips.empty()) (void)w.document().apply({{"op", "addClip"}, {"name", "walk"}});
        w.window->commands().run("file.export");
        w.settle();
        return w.find<ExportDialog>("exportDialog");
    }
    template <typename T>
    static T* part(const ExportDialog* dialog, const QString& name)
    {
        T* found = dialog->findChild<T*>(name);
        if (found == nullptr) qFatal("there is no %s", qPrintable(name));
        return found;
    }
    static void type(QLineEdit* line, const QString& text)
    {
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, text);
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void itSaysIntoWhichFolder()
    {
        QTemporaryDir folder;
        WindowUnderTest w("leg");
        ExportDialog* dialog = open(w);
        auto* shown = part<QLabel>(dialog, "export.folder");
        auto* file = part<QLineEdit>(dialog, "export.file");
        QVERIFY(shown->isVisible());
        QCOMPARE(shown->text(), QFileInfo(dialog->operation().value("file").toString()).path());
        QVERIFY(shown->text() != QDir::currentPath()); // a project without a file has nothing to do with that one
        type(file, folder.filePath("a/b.fbx"));
        QCOMPARE(shown->text(), folder.filePath("a"));
        type(file, "walk.fbx"); // a name alone
        QCOMPARE(shown->text(), QDir::currentPath());
        dialog->reject();
    }

    void itIsBesideTheProject()
    {
        QTemporaryDir folder;
        WindowUnderTest w("leg");
        QVERIFY(w.document().saveAs(folder.filePath("p.tendon")));
        ExportDialog* dialog = open(w);
        QCOMPARE(part<QLabel>(dialog, "export.folder")->text(), folder.path());
        dialog->reject();
    }

    /// A project beside its model, under the same name: the model is kept, which is said before, and the name that is
    /// proposed can be written.
    void theModelIsNotWrittenOver()
    {
        QTemporaryDir folder;
        WindowUnderTest w("arm");
        const QString model = folder.filePath("hero.glb");
        QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "walk"}}));
        QVERIFY(w.document().applyNow({{"op", "export"}, {"file", model}}));
        auto read = importModel(model.toStdString(), {});
        QVERIFY(read);
        Project project;
        project.scene = std::move(read->scene);
        w.document().adopt(std::move(project), {}, "hero");
        QVERIFY(w.document().saveAs(folder.filePath("hero.tendon")));
        ExportDialog* dialog = open(w);
        auto* file = part<QLineEdit>(dialog, "export.file");
        auto* accept = part<QAbstractButton>(dialog, "export.accept");
        auto* note = part<QLabel>(dialog, "export.note");
        QCOMPARE(file->text(), folder.filePath("hero-animated.glb"));
        QVERIFY(accept->isEnabled());
        QCOMPARE(accept->text(), QString("Export"));
        auto* rate = part<QComboBox>(dialog, "export.fps");
        rate->setCurrentIndex(3);
        type(file, model);
        QVERIFY2(note->text().startsWith("hero.glb: is the model that the project was made from"),
                 qPrintable(note->text()));
        QVERIFY(!accept->isEnabled());
        QTest::keyClick(file, Qt::Key_Return);
        QVERIFY(dialog->isVisible()); // and keeps what was chosen
        QCOMPARE(rate->currentIndex(), 3);
        type(file, folder.filePath("hero-2.glb"));
        QVERIFY(accept->isEnabled());
        dialog->reject();
    }

    /// The travel may be elsewhere in the file than in the clip.
    void theRootMotionOfTheFileIsChosen()
    {
        WindowUnderTest w("mannequin");
        ExportDialog* dialog = open(w);
        QVERIFY(!dialog->operation().contains("root"));
        auto* root = part<QComboBox>(dialog, "export.root");
        auto* turns = part<QAbstractButton>(dialog, "export.turns");
        QVERIFY(!turns->isEnabled());
        root->setFocus();
        for (int i = 0; i < 2; ++i) QTest::keyClick(root, Qt::Key_Down); // in place
        QCOMPARE(dialog->operation().value("root").toString(), QString("inPlace"));
        QCOMPARE(dialog->operation().value("turns"), QJsonValue(false));
        QTest::keyClick(root, Qt::Key_Down); // on a root bone, which takes the turns, too
        QCOMPARE(dialog->operation().value("root").toString(), QString("bone"));
        QCOMPARE(dialog->operation().value("turns"), QJsonValue(true));
        QTest::mouseClick(turns, Qt::LeftButton, {}, QPoint(8, turns->height() / 2));
        QCOMPARE(dialog->operation().value("turns"), QJsonValue(false));
        dialog->reject();
    }

    void mayaAnd3dsMaxHavePresets_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::newRow("Maya") << "maya";
        QTest::newRow("3ds Max") << "3dsmax";
    }

    void mayaAnd3dsMaxHavePresets()
    {
        QFETCH(QString, preset);
        WindowUnderTest w("leg");
        ExportDialog* dialog = open(w);
        QTest::mouseClick(part<QAbstractButton>(dialog, "export.preset." + preset), Qt::LeftButton);
        const QJsonObject operation = dialog->operation();
        QCOMPARE(operation.value("preset").toString(), preset);
        QVERIFY(operation.value("file").toString().endsWith(".fbx"));
        const ExportPreset* known = findExportPreset(preset.toStdString());
        QVERIFY(known != nullptr);
        QCOMPARE(known->metresPerUnit, 0.01); // centimetres
        QVERIFY(!known->hasArmature);         // which would be one more bone, or a group, there
        dialog->reject();
    }
};

TENDON_TEST(TestExportDialog)
#include "tst_export_dialog.moc"
