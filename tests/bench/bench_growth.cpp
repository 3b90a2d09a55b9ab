/// bench_growth PROGRAM [--csv FILE] [--page FILE] [--plot FILE] [--smoke]
///
/// How the cost of what `tendon` does grows with the size of the project: runs the program on projects of doubling
/// size, and prints the processor time of each run and the exponent between the last two sizes. 1 is in proportion, 2
/// is four times as long for twice as much. --smoke: small sizes, one exit code: 1 if an exponent is far above 1.
#include <QByteArray>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Options
{
    std::string program, csv, page, plot;
    bool isSmoke = false;
};

std::string number(double value, const char* format = "%.3g")
{
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Runs the program on files of one folder.
class Runner
{
public:
    explicit Runner(std::string program) : m_program(std::move(program)) {}

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder.filePath(name.c_str()).toStdString();
    }

    void write(const std::string& name, const std::string& text) const
    {
        QFile file(path(name).c_str());
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qsizetype(text.size())) < 0)
            fail("cannot write " + path(name));
    }

    /// [s] of the processor, of the program and those it starts. Exit codes 0 and 3 (with findings) are successes.
    double run(const std::vector<std::string>& arguments) const
    {
        std::vector<char*> argv{const_cast<char*>(m_program.c_str())};
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        const pid_t child = ::fork();
        if (child == 0) {
            if (::chdir(m_folder.path().toLocal8Bit().constData()) != 0) ::_exit(125);
            const int nothing = ::open("/dev/null", O_WRONLY);
            ::dup2(nothing, 1);
            ::dup2(nothing, 2);
            ::execv(argv[0], argv.data());
            ::_exit(126);
        }
        int status = 0;
        struct rusage used = {};
        if (child < 0 || ::wait4(child, &status, 0, &used) != child) fail("cannot run " + m_program);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        if (code != 0 && code != 3) {
            std::string all = m_program;
            for (const std::string& argument : arguments) all += " " + argument;
            fail(all + " ended with " + std::to_string(code));
        }
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(used.ru_utime) + seconds(used.ru_stime);
    }

    [[noreturn]] static void fail(const std::string& what)
    {
        std::fprintf(stderr, "bench_growth: %s\n", what.c_str());
        std::exit(2);
    }

private:
    std::string m_program;
    QTemporaryDir m_folder;
};

// Projects, as scripts and files

std::string addJoint(const std::string& name, const std::string& parent, const std::string& translation)
{
    return R"({"op": "addJoint", "name": ")" + name + R"(", )" +
           (parent.empty() ? "" : R"("parent": ")" + parent + R"(", )") + R"("translation": [)" + translation + "]}\n";
}

/// A metre of chain.
std::string chainOf(int joints)
{
    std::string script;
    const std::string step = "0, " + number(1.0 / joints, "%.9g") + ", 0";
    for (int i = 0; i < joints; ++i)
        script += addJoint("j" + std::to_string(i), i == 0 ? "" : "j" + std::to_string(i - 1),
                           i == 0 ? "0, 0, 0" : step);
    return script;
}

std::string brushOf(int joints)
{
    std::string script = addJoint("j0", "", "0, 0, 0");
    for (int i = 1; i < joints; ++i) script += addJoint("j" + std::to_string(i), "j0", number(0.1 * i) + ", 1, 0");
    return script;
}

/// Arms of three joints on one root, each with a handle.
std::string armsWithHandles(int handles)
{
    std::string script = addJoint("root", "", "0, 0, 0"), last;
    for (int i = 0; i < handles; ++i) {
        const std::string n = std::to_string(i);
        script += addJoint("a" + n, "root", n + ", 1, 0") + addJoint("b" + n, "a" + n, "0, 1, 0.1") +
                  addJoint("c" + n, "b" + n, "0, 1, -0.1");
        last += R"({"op": "addHandle", "name": "h)" + n + R"(", "start": "a)" + n + R"(", "end": "c)" + n + "\"}\n" +
                R"({"op": "setGoal", "handle": "h)" + n + R"(", "position": [)" + number(i + 0.5) + ", 2.4, 0.2]}\n";
    }
    return script + last;
}

/// Arms of three joints, each with a handle that is keyed at frames 1 and 12: half a second to be solved as a whole.
std::string armsWithKeys(int handles)
{
    std::string script = armsWithHandles(handles) + R"({"op": "addClip", "name": "wave"})" + "\n";
    const auto keyAll = [&](int frame) {
        for (int i = 0; i < handles; ++i)
            script += R"({"op": "key", "target": "h)" + std::to_string(i) + R"(", "frame": )" + std::to_string(frame) +
                      "}\n";
    };
    keyAll(1);
    script += R"({"op": "setFrame", "value": 12})"
              "\n";
    for (int i = 0; i < handles; ++i)
        script += R"({"op": "setGoal", "handle": "h)" + std::to_string(i) + R"(", "position": [)" + number(i + 0.7) +
                  ", 2.2, 0.1]}\n";
    keyAll(12);
    return script;
}

/// Handles whose chains of three joints overlap: one problem.
std::string overlappingHandles(int handles)
{
    std::string script = chainOf(handles + 3);
    for (int i = 0; i < handles; ++i)
        script += R"({"op": "addHandle", "name": "h)" + std::to_string(i) + R"(", "start": "j)" + std::to_string(i) +
                  R"(", "end": "j)" + std::to_string(i + 2) + "\"}\n";
    return script;
}

/// Handles that all move one joint.
std::string handlesOfOneJoint(int handles)
{
    std::string script = addJoint("root", "", "0, 0, 0") + addJoint("spine", "root", "0, 1, 0"), last;
    for (int i = 0; i < handles; ++i) {
        const std::string n = std::to_string(i);
        script += addJoint("b" + n, "spine", number(0.1 * i) + ", 1, 0.1") + addJoint("c" + n, "b" + n, "0, 1, 0");
        last += R"({"op": "addHandle", "name": "h)" + n + R"(", "start": "spine", "end": "c)" + n + "\"}\n";
    }
    return script + last;
}

/// Each joint has three below it.
std::string treeOf(int joints)
{
    std::string script;
    for (int i = 0; i < joints; ++i)
        script += addJoint("j" + std::to_string(i), i == 0 ? "" : "j" + std::to_string((i - 1) / 3), "0, 1, 0");
    return script;
}

std::string removalsFrom(int joints)
{
    std::string script;
    for (int i = joints - 1; i > joints / 2; --i)
        script += R"({"op": "removeJoint", "joint": "j)" + std::to_string(i) + "\"}\n";
    return script;
}

std::string keysOfAll(int joints)
{
    std::string script = R"({"op": "addClip", "name": "still"})"
                         "\n";
    for (int i = 0; i < joints; ++i)
        script += R"({"op": "key", "target": "j)" + std::to_string(i) + R"(", "frame": 1})" + "\n";
    return script;
}

std::string goalOfChain(int joints, double distance, const std::string& solver = "dls")
{
    return chainOf(joints) + R"({"op": "addHandle", "name": "h", "start": "j0", "end": "j)" +
           std::to_string(joints - 1) + R"(", "solver": ")" + solver + "\"}\n" +
           R"({"op": "setGoal", "handle": "h", "position": [)" + number(0.7 * distance) + ", " +
           number(0.6 * distance) + ", " + number(0.4 * distance) + "]}\n";
}

/// A hundred joints, each with so many keys of one angle that there are `keys` together.
std::string projectOfKeys(int keys)
{
    constexpr int kJoints = 100;
    constexpr long long kTicks = 29'400'000; // of a frame at 24 fps
    std::string joints, channels, times, values;
    for (int k = 0; k < keys / kJoints; ++k) {
        times += (k == 0 ? "" : ", ") + std::to_string(kTicks * (k + 1));
        values += (k == 0 ? "" : ", ") + number(std::sin(0.1 * k));
    }
    for (int j = 0; j < kJoints; ++j) {
        const std::string id = std::to_string(j + 1);
        joints += (j == 0 ? "" : ", ") + (R"({"id": )" + id + R"(, "name": "j)" + id + "\"}");
        channels += (j == 0 ? "" : ", ") + (R"({"target": )" + id + R"(, "channel": "rx", "times": [)" + times +
                                            R"(], "values": [)" + values + "]}");
    }
    return R"({"schema": "tendon.project", "version": 1, "nextId": 1000, "joints": [)" + joints +
           R"(], "clips": [{"id": 500, "name": "long", "channels": [)" + channels + "]}]}";
}

/// What is measured: `prepare` makes the files for a size, `arguments` are those of the measured run.
struct Case
{
    const char* name;
    const char* unit;
    int largest, smokeLargest; ///< 0: not in the smoke test
    std::function<void(const Runner&, int size)> prepare;
    std::vector<std::string> arguments;
};

std::vector<Case> allCases()
{
    const auto script = [](std::string (*make)(int)) {
        return [make](const Runner& runner, int size) { runner.write("s.json", make(size)); };
    };
    const auto project = [](auto make) {
        return [make](const Runner& runner, int size) {
            runner.write("s.json", make(size));
            (void)runner.run({"run", "s.json", "-o", "p.tendon"});
        };
    };
    const auto near = [](int joints) { return goalOfChain(joints, 0.7); };
    const auto hd = [](int joints) { return goalOfChain(joints, 0.7, "hd"); };
    const auto onTree = [](std::string (*make)(int)) {
        return [make](const Runner& runner, int size) {
            runner.write("t.json", treeOf(size));
            (void)runner.run({"run", "t.json", "-o", "p.tendon"});
            runner.write("s.json", make(size));
        };
    };
    const std::vector<std::string> runOn = {"run", "s.json", "-p", "p.tendon", "-o", "q.tendon"};
    const auto far = [](int joints) { return goalOfChain(joints, 1.5); };
    const std::vector<std::string> run = {"run", "s.json", "-o", "p.tendon"}, validate = {"validate", "p.tendon"},
                                   pose = {"pose", "p.tendon", "--frame", "1", "--json"},
                                   glb = {"bake", "p.tendon", "-o", "o.glb"}, bvh = {"bake", "p.tendon", "-o", "o.bvh"};
    return {
        {"add joints, a chain", "joints", 10'000, 4000, script(chainOf), run},
        {"add joints, side by side", "joints", 10'000, 0, script(brushOf), run},
        {"add handles", "handles", 1000, 400, script(armsWithHandles), run},
        {"add handles, overlapping", "handles", 400, 200, script(overlappingHandles), run},
        {"add handles, of one joint", "handles", 400, 0, script(handlesOfOneJoint), run},
        {"remove joints", "joints", 5000, 2000, onTree(removalsFrom), runOn},
        {"key each joint", "joints", 10'000, 2000, onTree(keysOfAll), runOn},
        {"open and save",
         "joints",
         10'000,
         0,
         project(chainOf),
         {"run", "empty.json", "-p", "p.tendon", "-o", "q.tendon"}},
        {"open and save",
         "keys",
         1'000'000,
         0,
         [](const Runner& runner, int size) { runner.write("p.tendon", projectOfKeys(size)); },
         {"run", "empty.json", "-p", "p.tendon", "-o", "q.tendon"}},
        {"validate, a chain", "joints", 10'000, 0, project(chainOf), validate},
        {"validate", "handles", 1000, 400, project(armsWithHandles), validate},
        {"pose, a chain", "joints", 10'000, 0, project(chainOf), pose},
        {"pose", "handles", 1000, 0, project(armsWithHandles), pose},
        {"bake .glb, a chain", "joints", 10'000, 0, project(chainOf), glb},
        {"bake .bvh, a chain", "joints", 10'000, 2000, project(chainOf), bvh},
        {"bake .glb", "handles", 1000, 400, project(armsWithHandles), glb},
        {"bake .glb, keyed", "handles", 1000, 128, project(armsWithKeys), glb},
        {"hd, goal in reach", "joints", 2000, 500, project(hd), pose},
        {"dls, goal in reach", "joints", 4000, 0, project(near), pose},
        {"dls, goal out of reach", "joints", 4000, 2000, project(far), pose},
    };
}

struct Growth
{
    const Case* what;
    std::vector<int> sizes;
    std::vector<double> seconds; ///< without starting the program

    /// Between the last two sizes.
    [[nodiscard]] double exponent() const
    {
        const std::size_t n = sizes.size();
        return std::log(seconds[n - 1] / seconds[n - 2]) / std::log(static_cast<double>(sizes[n - 1]) / sizes[n - 2]);
    }
    [[nodiscard]] std::string title() const { return std::string(what->name) + " (" + what->unit + ")"; }
};

Growth measure(const Runner& runner, const Case& what, const Options& options)
{
    constexpr double kLeast = 1e-3; // [s] less than this is not told apart
    const int doublings = options.isSmoke ? 1 : 3, repeats = options.isSmoke ? 2 : 3;
    Growth growth{&what, {}, {}};
    double start = 1e9;
    for (int i = 0; i < repeats; ++i) start = std::min(start, runner.run({"--version"}));
    for (int d = doublings; d >= 0; --d) {
        const int size = (options.isSmoke ? what.smokeLargest : what.largest) >> d;
        what.prepare(runner, size);
        double least = 1e9;
        for (int i = 0; i < repeats; ++i) least = std::min(least, runner.run(what.arguments));
        growth.sizes.push_back(size);
        growth.seconds.push_back(std::max(kLeast, least - start));
    }
    return growth;
}

// What is made of it

std::string csvOf(const std::vector<Growth>& all)
{
    std::string text = "what,unit,size,seconds,exponent\n";
    for (const Growth& growth : all)
        for (std::size_t i = 0; i < growth.sizes.size(); ++i)
            text += "\"" + std::string(growth.what->name) + "\"," + growth.what->unit + "," +
                    std::to_string(growth.sizes[i]) + "," + number(growth.seconds[i]) + "," +
                    (i + 1 == growth.sizes.size() ? number(growth.exponent(), "%.2f") : "") + "\n";
    return text;
}

std::string pageOf(const std::vector<Growth>& all)
{
    std::string text =
        "# How cost grows\n\n"
        "Processor time of `tendon` on projects of doubling size, without the time that it takes to start. The\n"
        "exponent is that between the last two sizes: 1 is in proportion, 2 is four times as long for twice as\n"
        "much. `tests/bench/run --growth` makes this page; its figures depend on the machine.\n\n"
        "![Processor time by size](pictures/growth.svg)\n\n"
        "| what | size | seconds | exponent |\n|---|---|---|---|\n";
    for (const Growth& growth : all) {
        std::string seconds;
        for (const double each : growth.seconds) seconds += (seconds.empty() ? "" : " · ") + number(each);
        text += "| " + std::string(growth.what->name) + " | " + std::to_string(growth.sizes.front()) + " to " +
                std::to_string(growth.sizes.back()) + " " + growth.what->unit + " | " + seconds + " | " +
                number(growth.exponent(), "%.2f") + " |\n";
    }
    return text;
}

/// Both axes logarithmic, so that a power is a straight line.
std::string plotOf(const std::vector<Growth>& all)
{
    constexpr double kWidth = 900, kHeight = 560, kLeft = 60, kRight = 290, kTop = 20, kBottom = 50;
    constexpr double kMinSize = 100, kMaxSize = 1e6, kMinTime = 1e-3, kMaxTime = 10;
    constexpr std::array kColors = {"#d1495b", "#00798c", "#edae49", "#30638e", "#8f5db7", "#5b8c5a", "#7a6f5d"};
    const auto x = [&](double size) {
        return kLeft + (kWidth - kLeft - kRight) * std::log(size / kMinSize) / std::log(kMaxSize / kMinSize);
    };
    const auto y = [&](double seconds) {
        return kHeight - kBottom -
               (kHeight - kTop - kBottom) * std::log(seconds / kMinTime) / std::log(kMaxTime / kMinTime);
    };
    const auto at = [](double value) { return number(value, "%.1f"); };
    const auto line = [&](double x1, double y1, double x2, double y2, const std::string& style) {
        return "<line x1='" + at(x1) + "' y1='" + at(y1) + "' x2='" + at(x2) + "' y2='" + at(y2) + "' " + style +
               "/>\n";
    };
    const auto text = [&](double left, double top, const std::string& said, const std::string& style) {
        return "<text x='" + at(left) + "' y='" + at(top) + "' " + style + ">" + said + "</text>\n";
    };
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 560' font-family='sans-serif' "
                      "font-size='12'>\n<rect width='900' height='560' fill='white'/>\n";
    for (double size = kMinSize; size <= kMaxSize * 1.01; size *= 10)
        svg += line(x(size), kTop, x(size), kHeight - kBottom, "stroke='#ddd'") +
               text(x(size), kHeight - kBottom + 18, number(size, "%.0f"), "text-anchor='middle'");
    for (double time = kMinTime; time <= kMaxTime * 1.01; time *= 10)
        svg += line(kLeft, y(time), kWidth - kRight, y(time), "stroke='#ddd'") +
               text(kLeft - 6, y(time) + 4, number(time), "text-anchor='end'");
    svg += line(x(1e3), y(1e-2), x(1e6), y(10), "stroke='#999' stroke-dasharray='2 4'") +
           line(x(1e3), y(1e-2), x(1e3 * std::sqrt(1e3)), y(10), "stroke='#999' stroke-dasharray='2 4'") +
           text(x(3e5), y(4.5), "in proportion", "fill='#777' text-anchor='end'") +
           text(x(1.6e4), y(4.5), "squared", "fill='#777' text-anchor='end'") +
           text((kLeft + kWidth - kRight) / 2, kHeight - 12, "joints, handles or keys", "text-anchor='middle'") +
           text(kLeft, kTop - 6, "seconds", "text-anchor='start'");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Growth& growth = all[i];
        const std::string color = kColors[i % kColors.size()];
        const std::string style = "stroke='" + color + "' stroke-width='2' fill='none'" +
                                  (i < kColors.size() ? "" : " stroke-dasharray='6 3'");
        std::string points;
        for (std::size_t s = 0; s < growth.sizes.size(); ++s)
            points += at(x(growth.sizes[s])) + "," + at(y(growth.seconds[s])) + " ";
        const double row = kTop + 14 + 20 * static_cast<double>(i), left = kWidth - kRight + 16;
        svg += "<polyline points='" + points + "' " + style + "/>\n" + line(left, row - 4, left + 24, row - 4, style) +
               text(left + 32, row, growth.title() + ": " + number(growth.exponent(), "%.2f"), "");
    }
    return svg + "</svg>\n";
}

void writeFile(const std::string& path, const std::string& text)
{
    QFile file(path.c_str());
    if (path.empty()) return;
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qsizetype(text.size())) < 0)
        Runner::fail("cannot write " + path);
}

Options parse(const QStringList& arguments)
{
    Options options;
    for (int i = 1; i < arguments.size(); ++i) {
        std::string* file = arguments[i] == "--csv"    ? &options.csv
                            : arguments[i] == "--page" ? &options.page
                            : arguments[i] == "--plot" ? &options.plot
                                                       : nullptr;
        if (arguments[i] == "--smoke")
            options.isSmoke = true;
        else if (file != nullptr && i + 1 < arguments.size())
            *file = arguments[++i].toStdString();
        else
            options.program = QFileInfo(arguments[i]).absoluteFilePath().toStdString();
    }
    if (options.program.empty()) Runner::fail("say which program to run");
    return options;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const Options options = parse(QCoreApplication::arguments());
    const Runner runner(options.program);
    runner.write("empty.json", "");
    const std::vector<Case> cases = allCases();
    std::vector<Growth> all;
    bool isFar = false;
    for (const Case& what : cases) {
        if (options.isSmoke && what.smokeLargest == 0) continue;
        all.push_back(measure(runner, what, options));
        const Growth& growth = all.back();
        std::printf("%-36s", growth.title().c_str());
        for (std::size_t i = 0; i < growth.sizes.size(); ++i)
            std::printf(" %8d: %-8s", growth.sizes[i], (number(growth.seconds[i]) + " s").c_str());
        std::printf(" exponent %.2f\n", growth.exponent());
        std::fflush(stdout);
        constexpr double kMaxExponent = 1.7; // of one doubling on a busy machine; what is squared shows 2 or more
        isFar = isFar || growth.exponent() > kMaxExponent;
    }
    writeFile(options.csv, csvOf(all));
    writeFile(options.page, pageOf(all));
    writeFile(options.plot, plotOf(all));
    return options.isSmoke && isFar ? 1 : 0;
}
