#include <QDir>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace {

struct Outcome
{
    int exit = -1;
    QByteArray error;
};

/// The command line as a render farm runs it: without a display.
Outcome render(const QStringList& arguments, const QString& path = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"}) environment.remove(QString::fromLatin1(name));
    if (!path.isEmpty()) environment.insert(QStringLiteral("PATH"), path);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TENDON_PROGRAM), QStringList(QStringLiteral("render")) + arguments);
    if (!process.waitForFinished(100000)) return {};
    return {process.exitCode(), process.readAllStandardError()};
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// `tendon render` without a display, with the real programs.
class TestRender : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_project = m_folder.filePath(QStringLiteral("mannequin.tendon"));
        QCOMPARE(
            QProcess::execute(QStringLiteral(TENDON_PROGRAM), {QStringLiteral("samples"), QStringLiteral("mannequin"),
                                                               QStringLiteral("-o"), m_project}),
            0);
    }

    void aFrameIsDrawnToTheSameBytesTwice()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const QString first = m_folder.filePath(QStringLiteral("a.png")),
                      again = m_folder.filePath(QStringLiteral("b.png")),
                      later = m_folder.filePath(QStringLiteral("c.png"));
        const auto draw = [&](const QString& file, const char* frame) {
            const Outcome outcome = render({m_project, QStringLiteral("--frame"), QString::fromLatin1(frame),
                                            QStringLiteral("--side"), QStringLiteral("right"), QStringLiteral("--size"),
                                            QStringLiteral("320x240"), QStringLiteral("-o"), file});
            QVERIFY2(outcome.exit == 0, outcome.error.constData());
        };
        draw(first, "1");
        draw(again, "1");
        draw(later, "13");
        const QImage image(first);
        QCOMPARE(image.size(), QSize(320, 240));
        QCOMPARE(bytesOf(first), bytesOf(again));
        QVERIFY2(bytesOf(first) != bytesOf(later), "half a step later it stands otherwise");
        // The figure is light on a dark background, in the middle, and fills most of the height.
        int rows = 0;
        for (int y = 0; y < image.height(); ++y) {
            bool isLight = false;
            for (int x = 80; x < 240; ++x) isLight = isLight || image.pixelColor(x, y).lightness() > 120;
            rows += isLight;
        }
        QVERIFY2(rows > 150 && rows < 230, qPrintable(QString::number(rows)));
        QVERIFY(image.pixelColor(4, 4).lightness() < 90 && image.pixelColor(315, 235).lightness() < 90);
    }

    void aModelIsDrawnAsItIsImportedAndARigWithoutMeshesAsBones()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        QFile bones(m_folder.filePath(QStringLiteral("bones.bvh")));
        QVERIFY(bones.open(QIODevice::WriteOnly));
        bones.write("HIERARCHY\nROOT Hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT "
                    "Knee\n{\nOFFSET 0 1 0\n"
                    "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n"
                    "MOTION\nFrames: 1\nFrame Time: 0.04\n0 0 0 0 0 0\n");
        bones.close();
        const QString picture = m_folder.filePath(QStringLiteral("bones.png"));
        const Outcome outcome = render(
            {bones.fileName(), QStringLiteral("--size"), QStringLiteral("128x128"), QStringLiteral("-o"), picture});
        QVERIFY2(outcome.exit == 0, outcome.error.constData());
        const QImage image(picture);
        int light = 0; // the bones go up through the middle
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) light += image.pixelColor(x, y).lightness() > 120;
        QVERIFY2(light > 100, qPrintable(QString::number(light)));
    }

    void aSequenceIsSeenFromOnePlace()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const auto file = [&](const char* name) { return m_folder.filePath(QString::fromLatin1(name)); };
        const Outcome outcome = render({m_project, QStringLiteral("--frames"), QStringLiteral("1..49"),
                                        QStringLiteral("--side"), QStringLiteral("right"), QStringLiteral("--size"),
                                        QStringLiteral("320x160"), QStringLiteral("-o"), file("walk.####.png")});
        QVERIFY2(outcome.exit == 0, outcome.error.constData());
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("walk.*.png")}).size(), 49);
        // It walks to the right and out of its place, and is as tall at the end as at the beginning.
        const auto extent = [&](const char* name) {
            const QImage image(file(name));
            QRect rect;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).lightness() > 120) rect |= QRect(x, y, 1, 1);
            return rect;
        };
        const QRect first = extent("walk.0001.png"), last = extent("walk.0049.png");
        QVERIFY2(std::abs(first.center().x() - last.center().x()) > 80, "the camera goes along");
        QVERIFY2(std::abs(first.height() - last.height()) <= 3, "the camera comes nearer");
    }

    /// What ffmpeg is given: the pictures of the sequence, in their order.
    void aFilmIsMadeOfTheSamePictures()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const auto file = [&](const char* name) { return m_folder.filePath(QString::fromLatin1(name)); };
        // Keeps what it reads, and what it was asked for.
        const QString path = insteadOfFfmpeg("bin",
                                             "echo \"$@\" > \"$0.asked\"\nfor last; do :; done\ncat > \"$last\"\n");
        const QStringList common = {m_project,
                                    QStringLiteral("--frames"),
                                    QStringLiteral("5..7"),
                                    QStringLiteral("--size"),
                                    QStringLiteral("160x120"),
                                    QStringLiteral("-o")};
        Outcome outcome = render(common + QStringList{file("film.mp4")}, path);
        QVERIFY2(outcome.exit == 0, outcome.error.constData());
        outcome = render(common + QStringList{file("film.####.png")});
        QVERIFY2(outcome.exit == 0, outcome.error.constData());
        const QByteArray film = bytesOf(file("film.mp4")), asked = bytesOf(file("bin/ffmpeg.asked"));
        QVERIFY2(asked.contains("-video_size 160x120") && asked.contains("-framerate 24/1") &&
                     asked.contains("libx264"),
                 asked.constData());
        QCOMPARE(film.size(), qsizetype{3} * 160 * 120 * 4);
        for (int frame = 0; frame < 3; ++frame) {
            const QImage seen(reinterpret_cast<const uchar*>(film.constData()) + qsizetype{frame} * 160 * 120 * 4, 160,
                              120, QImage::Format_ARGB32);
            const QImage picture(file(frame == 0 ? "film.0005.png" : frame == 1 ? "film.0006.png" : "film.0007.png"));
            QVERIFY(!picture.isNull());
            QCOMPARE(seen.convertToFormat(QImage::Format_RGB32), picture.convertToFormat(QImage::Format_RGB32));
        }
        QVERIFY(!QFile::exists(file("film.mp4.part")));
    }

    void aFilmThatCannotBeMadeSaysWhyAndLeavesNothing()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const QString path = insteadOfFfmpeg("fails", "cat > /dev/null\necho 'Unknown encoder' >&2\nexit 1\n");
        const Outcome outcome = render({m_project, QStringLiteral("--frames"), QStringLiteral("1..2"),
                                        QStringLiteral("--size"), QStringLiteral("64x64"), QStringLiteral("-o"),
                                        m_folder.filePath(QStringLiteral("no.webm"))},
                                       path);
        QCOMPARE(outcome.exit, 1);
        QVERIFY2(outcome.error.contains("ffmpeg could not make the film: Unknown encoder") &&
                     outcome.error.count('\n') == 1,
                 outcome.error.constData());
        QVERIFY(QDir(m_folder.path()).entryList({QStringLiteral("no.webm*")}).isEmpty());
    }

    void aMissingProjectIsReportedAndNothingIsWritten()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const QString out = m_folder.filePath(QStringLiteral("none.png"));
        const Outcome outcome = render({m_folder.filePath(QStringLiteral("none.tendon")), QStringLiteral("--frame"),
                                        QStringLiteral("1"), QStringLiteral("-o"), out});
        QCOMPARE(outcome.exit, 1);
        QVERIFY2(outcome.error.contains("none.tendon: there is no such file") && outcome.error.count('\n') == 1,
                 outcome.error.constData());
        QVERIFY(!QFile::exists(out));
    }

    void aPoseThatASolverIsMissingForIsNotDrawn()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const QString project = m_folder.filePath(QStringLiteral("foreign.tendon")),
                      out = m_folder.filePath(QStringLiteral("foreign.png"));
        QByteArray text = bytesOf(m_project);
        QVERIFY(text.contains("\"two-bone\""));
        text.replace("\"two-bone\"", "\"no-such\"");
        QFile file(project);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const Outcome outcome = render(
            {project, QStringLiteral("--frame"), QStringLiteral("1"), QStringLiteral("-o"), out});
        QCOMPARE(outcome.exit, 1);
        QVERIFY2(outcome.error.contains("no such solver: 'no-such'") && outcome.error.count('\n') == 1,
                 outcome.error.constData());
        QVERIFY(!QFile::exists(out));
    }

    void thePictureReplacesNeitherTheProjectNorItsModel()
    {
        if (!hasXvfb()) QSKIP("there is no Xvfb");
        const auto run = [](const QStringList& arguments) {
            return QProcess::execute(QStringLiteral(TENDON_PROGRAM), arguments);
        };
        const QString model = m_folder.filePath(QStringLiteral("m.glb")),
                      project = m_folder.filePath(QStringLiteral("made.tendon"));
        QCOMPARE(run({QStringLiteral("bake"), m_project, QStringLiteral("-o"), model}), 0);
        QCOMPARE(run({QStringLiteral("import"), model, QStringLiteral("-o"), project}), 0);
        for (const QString& file : {project, model}) {
            const QByteArray before = bytesOf(file);
            const Outcome outcome = render({project, QStringLiteral("--frame"), QStringLiteral("1"),
                                            QStringLiteral("--size"), QStringLiteral("64x64"), QStringLiteral("-o"),
                                            file});
            QCOMPARE(outcome.exit, 1);
            QVERIFY2(outcome.error.contains(file.toUtf8()) && outcome.error.count('\n') == 1,
                     outcome.error.constData());
            QCOMPARE(bytesOf(file), before);
        }
    }

    void withoutADisplayTheErrorSaysWhatToDo()
    {
        const QString out = m_folder.filePath(QStringLiteral("nowhere.png"));
        const Outcome outcome = render(
            {m_project, QStringLiteral("--frame"), QStringLiteral("1"), QStringLiteral("-o"), out}, m_folder.path());
        QCOMPARE(outcome.exit, 1);
        QVERIFY2(outcome.error.contains("xvfb-run") && outcome.error.count('\n') == 1, outcome.error.constData());
        QVERIFY(!QFile::exists(out));
    }

private:
    static bool hasXvfb() { return !QStandardPaths::findExecutable(QStringLiteral("Xvfb")).isEmpty(); }

    /// A PATH on which a script is found before any ffmpeg.
    QString insteadOfFfmpeg(const char* folder, const char* script)
    {
        const QString bin = m_folder.filePath(QString::fromLatin1(folder));
        QDir().mkpath(bin);
        QFile file(bin + QStringLiteral("/ffmpeg"));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no script");
        file.write("#!/bin/sh\n");
        file.write(script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return bin + QLatin1Char(':') + qEnvironmentVariable("PATH");
    }

    QTemporaryDir m_folder;
    QString m_project;
};

QTEST_GUILESS_MAIN(TestRender)
#include "tst_render.moc"
