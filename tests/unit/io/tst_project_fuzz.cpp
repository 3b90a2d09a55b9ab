#include "core/io/project/ProjectFile.h"
#include "tests/support/RandomScene.h"
#include "tests/support/TestProgram.h"

using namespace tendon;

namespace {

constexpr unsigned kSeed = 20240607;
constexpr int kRounds = 3000;

/// A few of the things that go wrong with files, at random places.
std::string damaged(std::string bytes, std::mt19937& random)
{
    static const std::vector<std::string> kPieces = {
        "null",  "-1",   "1e400",   "99999999999999999999", "[]", "{}", "\"\"", "0.5", "true", "-0",
        "\"x\"", "[[[[", "\\u0000", "9007199254740993",     ",",  "]"};
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    for (std::size_t i = 1 + below(3); i > 0; --i) {
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
        case 0: bytes[at] = static_cast<char>(below(256)); break;
        case 1: bytes.erase(at, 1 + below(20)); break;
        case 2: bytes.insert(at, bytes.substr(below(bytes.size()), below(200))); break;
        case 3: bytes.resize(at + 1); break;
        default: { // a number or word becomes something else: the damage that JSON does not notice
            const std::size_t begin = bytes.find_first_of("-0123456789\"tfn[{", at);
            if (begin == std::string::npos) break;
            const std::size_t end = bytes.find_first_of(",]}\n", begin);
            bytes.replace(begin, end == std::string::npos ? 1 : end - begin, kPieces[below(kPieces.size())]);
        }
        }
        if (bytes.empty()) bytes = "{";
    }
    return bytes;
}

} // namespace

class TestProjectFuzz : public QObject
{
    Q_OBJECT

private slots:
    /// Never a crash, never a silent failure: an error with a place and a message, or a project that can be saved and
    /// read.
    void damagedProjectsAreRefusedOrValid()
    {
        qInfo("seed %u", kSeed);
        const std::string path = "/nowhere/damaged.tendon";
        std::mt19937 random(kSeed);
        int accepted = 0;
        for (int round = 0; round < kRounds; ++round) {
            const auto sound = projectBytes(test::randomProject(random, 4), path);
            QVERIFY(sound);
            const std::string bytes = damaged(*sound, random);
            const auto project = projectFromBytes(bytes, path, nullptr, {.loadsMeshes = false});
            if (!project) {
                QVERIFY(project.error().where.starts_with(path));
                QVERIFY(!project.error().message.empty());
                continue;
            }
            ++accepted;
            const auto again = projectBytes(*project, path);
            QVERIFY2(again, qPrintable(QString("round %1: read, but cannot be saved").arg(round)));
            const auto back = projectFromBytes(*again, path, nullptr, {.loadsMeshes = false});
            QVERIFY2(
                back,
                qPrintable(QString("round %1: saved, but %2").arg(round).arg(back ? "" : back.error().text().c_str())));
            QVERIFY(back->state == project->state);
            QVERIFY2(projectBytes(*back, path).value() == *again,
                     qPrintable(QString("round %1: not the same again").arg(round)));
        }
        qInfo("%d of %d were still projects", accepted, kRounds);
        QVERIFY(accepted > kRounds / 100 && accepted < kRounds);
    }
};

TENDON_TEST(TestProjectFuzz)
#include "tst_project_fuzz.moc"
