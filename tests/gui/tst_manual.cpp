#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/ManualBrowser.h"
#include "app/widgets/ManualDialog.h"

#include <QDir>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The manual in the window is the one in the repository, and all its links work.
class TestManual : public QObject
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

    void everyPageOfTheRepositoryIsInTheManual()
    {
        const ManualPages manual;
        const QDir folder(TENDON_SOURCE_DIR "/resources/docs/user");
        const QStringList files = folder.entryList({"*.md"}, QDir::Files);
        QCOMPARE(manual.pages().size(), files.size()); // the index links every page
        for (const QString& name : files) {
            QVERIFY2(manual.pages().contains("resources/docs/user/" + name), qPrintable(name + " is not in index.md"));
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(ManualPages::text("resources/docs/user/" + name) == QString::fromUtf8(file.readAll()),
                     qPrintable(name));
        }
    }

    void everyLinkAndPictureExists()
    {
        const ManualPages manual;
        static const QRegularExpression link(R"(\]\(([^)#\s]*)(?:#([^)\s]*))?\))");
        int count = 0;
        for (const QString& page : manual.pages())
            for (auto matches = link.globalMatch(ManualPages::text(page)); matches.hasNext(); ++count) {
                const auto match = matches.next();
                const QString target = match.captured(1), heading = match.captured(2);
                if (target.startsWith("http")) continue;
                const QString file = target.isEmpty() ? page : QDir::cleanPath(QFileInfo(page).path() + '/' + target);
                QVERIFY2(QFile::exists(":/tendon/manual/" + file),
                         qPrintable(page + ": " + target + " is not in manual.qrc"));
                QVERIFY2(QFile::exists(QStringLiteral(TENDON_SOURCE_DIR "/") + file), qPrintable(page + ": " + target));
                if (heading.isEmpty()) continue;
                const bool isThere = std::any_of(
                    manual.sections().begin(), manual.sections().end(),
                    [&](const ManualSection& s) { return s.page == file && s.slug == heading; });
                QVERIFY2(isThere, qPrintable(page + ": " + target + '#' + heading));
            }
        QVERIFY(count > 20);
    }

    void thePageOfKeysMatchesTheTableOfCommands()
    {
        WindowUnderTest w("arm");
        QFile file(TENDON_SOURCE_DIR "/resources/docs/user/keys.md");
        if (qEnvironmentVariableIsSet("TENDON_UPDATE_DOCS")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(w.window->commands().asMarkdown().toUtf8());
            file.close();
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(QString::fromUtf8(file.readAll()) == w.window->commands().asMarkdown(),
                 "resources/docs/user/keys.md is not what the table says; run with TENDON_UPDATE_DOCS=1");
    }

    void f1OpensTheManualAndItsLinksAndSearchWork()
    {
        WindowUnderTest w("arm");
        w.window->viewport().widget->setFocus();
        w.key(Qt::Key_F1);
        auto* dialog = w.find<ManualDialog>("manual");
        QVERIFY(dialog->isVisible() && !dialog->isModal()); // it stays open beside the work
        auto* page = dialog->findChild<ManualBrowser*>("manual.page");
        QCOMPARE(page->page(), QString("resources/docs/user/index.md"));
        QVERIFY(page->toPlainText().contains("A model has joints"));

        page->setSource(page->source().resolved(QUrl("export.md"))); // as a click does
        QCOMPARE(page->page(), QString("resources/docs/user/export.md"));
        auto* contents = dialog->findChild<QTreeWidget*>("manual.contents");
        QCOMPARE(contents->currentItem()->text(0), QString("Exporting animation"));

        // A section of another page: it begins at the top of the page that is shown.
        QTest::keyClicks(dialog->findChild<QLineEdit*>("manual.search"), "source stays byte Draco");
        QVERIFY(contents->topLevelItemCount() > 0);
        const QString found = contents->topLevelItem(0)->text(0);
        QVERIFY2(found.contains("Your file stays your file"), qPrintable(found));
        contents->setCurrentItem(contents->topLevelItem(0));
        QVERIFY(page->textCursor().block().text().contains("Your file stays your file"));
        QVERIFY(!page->extraSelections().isEmpty()); // the words are marked
        QTest::keyClicks(dialog->findChild<QLineEdit*>("manual.search"), " xyzzy");
        QVERIFY(contents->topLevelItem(0)->flags() == Qt::NoItemFlags);

        w.window->commands().run("help.keys");
        QCOMPARE(w.window->findChildren<ManualDialog*>().size(), 1); // the same window, at another page
        QCOMPARE(page->page(), QString("resources/docs/user/keys.md"));
        QVERIFY(page->toPlainText().contains("Interactive IK"));
    }
};

TENDON_TEST(TestManual)
#include "tst_manual.moc"
