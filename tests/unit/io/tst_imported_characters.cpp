#include "core/io/import/ModelImport.h"
#include "tests/support/CompareWithReference.h"
#include "tests/support/GltfReference.h"
#include "tests/support/TestProgram.h"

#include <QDirIterator>
#include <QElapsedTimer>

using namespace tendon;
using namespace tendon::test;

/// Every glTF character of the shared collection, against an evaluation of the file that shares no code with the
/// import.
class TestImportedCharacters : public QObject
{
    Q_OBJECT

private slots:
    void everyCharacterIsPosedAndMovesAsInItsFile()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const QString folder = shared + "/assets/characters";
        if (!QDir(folder).exists())
            QSKIP(qPrintable("no characters to read: TENDON_SHARED names no folder with assets/characters (" + shared +
                             ")"));
        QStringList files, failed;
        for (QDirIterator it(folder, {"*.glb", "*.gltf", "*.vrm", "*.vrma"}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();)
            files << it.next();
        files.sort();
        int read = 0, draco = 0, poses = 0;
        double worstJoint = 0, worstVertex = 0;
        qint64 slowest = 0;
        for (const QString& file : files) {
            if (GltfReference(file).needsDraco()) {
                ++draco;
                continue;
            }
            QElapsedTimer timer;
            timer.start();
            const auto model = importModel(file.toStdString());
            slowest = std::max(slowest, timer.elapsed());
            if (!model) {
                failed << QString::fromStdString(model.error().text());
                continue;
            }
            const Deviation deviation = compareWithReference(*model, file, 3);
            worstJoint = std::max(worstJoint, deviation.joints);
            worstVertex = std::max(worstVertex, deviation.vertices);
            poses += deviation.poses;
            if (deviation.joints > 1e-5 || deviation.vertices > 1e-4)
                failed << QString("%1: joints %2, vertices %3, %4")
                              .arg(file)
                              .arg(deviation.joints)
                              .arg(deviation.vertices)
                              .arg(deviation.worst);
            else
                ++read;
        }
        qInfo("characters: %d of %d agree (%d Draco left out), %d poses, largest joint error %.1e and vertex error "
              "%.1e of the radius, slowest import %lld ms",
              read, int(files.size()) - draco, draco, poses, worstJoint, worstVertex, slowest);
        QVERIFY2(failed.isEmpty(), qPrintable(failed.join("\n")));
    }
};

TENDON_TEST(TestImportedCharacters)
#include "tst_imported_characters.moc"
