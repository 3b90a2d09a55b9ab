#include "core/conformance/Examination.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <signal.h>
#include <unistd.h>

#include <utility>

namespace tendon::conformance {
namespace {

constexpr int kMaxDeaths = 4; ///< a plugin that keeps dying is left alone
constexpr int kLook = 100;    ///< [ms] between looks at whether it is cancelled

/// The counter stands beside the program, or in lib/tendon/conformance when installed; empty when it is not there.
QString counterLibrary(const QString& program)
{
    const QString folder = QFileInfo(program).absolutePath();
    for (const QString& file : {folder + QStringLiteral("/tendon-allocations.so"),
                                folder + QStringLiteral("/../lib/tendon/conformance/tendon-allocations.so")})
        if (QFile::exists(file)) return file;
    return {};
}

std::string howItEnded(const QProcess& child)
{
    return child.exitStatus() == QProcess::CrashExit
               ? "it crashed its process"
               : "it ended its process with exit code " + std::to_string(child.exitCode());
}

QJsonObject objectIn(const QByteArray& json) { return QJsonDocument::fromJson(json).object(); }

} // namespace

const char* verdictName(Verdict verdict)
{
    return verdict == Verdict::Passed ? "passed" : verdict == Verdict::Failed ? "failed" : "skipped";
}

QJsonObject toJson(const Check& check)
{
    return {{QStringLiteral("name"), QString::fromStdString(check.name)},
            {QStringLiteral("verdict"), QString::fromLatin1(verdictName(check.verdict))},
            {QStringLiteral("tried"), static_cast<qint64>(check.tried)},
            {QStringLiteral("failed"), static_cast<qint64>(check.failed)},
            {QStringLiteral("detail"), QString::fromStdString(check.detail)},
            {QStringLiteral("place"), QString::fromStdString(check.place)}};
}

Check checkFrom(const QJsonObject& json)
{
    const QString verdict = json.value(QLatin1String("verdict")).toString();
    Check check;
    check.name = json.value(QLatin1String("name")).toString().toStdString();
    check.verdict = verdict == QLatin1String("passed")   ? Verdict::Passed
                    : verdict == QLatin1String("failed") ? Verdict::Failed
                                                         : Verdict::Skipped;
    check.detail = json.value(QLatin1String("detail")).toString().toStdString();
    check.place = json.value(QLatin1String("place")).toString().toStdString();
    check.tried = json.value(QLatin1String("tried")).toInteger();
    check.failed = json.value(QLatin1String("failed")).toInteger();
    return check;
}

Check failedCheck(const char* name, std::string detail, std::string place)
{
    Check check;
    check.name = name;
    check.verdict = Verdict::Failed;
    check.detail = std::move(detail);
    check.place = std::move(place);
    check.tried = check.failed = 1;
    return check;
}

void tellChecks(const std::function<void(const std::string& line)>& say, const std::vector<Check>& checks)
{
    QJsonArray array;
    for (const Check& check : checks) array.append(toJson(check));
    say("checks " + QJsonDocument(array).toJson(QJsonDocument::Compact).toStdString());
}

Options tellingOptions(const std::function<void(const std::string& line)>& say, const std::string& shownCheck)
{
    Options options;
    options.began = [say](const std::string& place) { say("began " + place); };
    options.ended = [say](const std::vector<Check>& checks) { tellChecks(say, checks); };
    if (shownCheck.empty()) return options;
    const auto sayProblem = [say](const char* what, const PosedProblem& problem) {
        say(what + QJsonDocument(toJson(problem)).toJson(QJsonDocument::Compact).toStdString());
    };
    options.solving = [sayProblem](const PosedProblem& problem) { sayProblem("solving ", problem); };
    options.failed = [say, sayProblem, shownCheck](const std::string& check, const PosedProblem* problem) {
        if (check == shownCheck && problem != nullptr) sayProblem("shown ", *problem);
    };
    return options;
}

Examination::Examination(std::string plugin, ExaminationOptions options)
    : m_plugin(std::move(plugin)), m_options(std::move(options))
{
    if (m_options.program.empty()) m_options.program = QCoreApplication::applicationFilePath().toStdString();
}

std::vector<Check> Examination::run()
{
    m_checks.clear();
    m_after.clear();
    for (int deaths = 0; runChild(); ++deaths) {
        const std::string group = m_place.substr(0, m_place.find('/'));
        if (group.empty() || isCancelled()) return m_checks; // it does not even load
        if (deaths + 1 == kMaxDeaths) {
            merge(m_checks,
                  {failedCheck("examined", "stopped after " + std::to_string(kMaxDeaths) +
                                               " crashes or hangs; the groups after " + group + " were not checked")});
            return m_checks;
        }
        m_after = group;
    }
    return m_checks;
}

bool Examination::runChild()
{
    QProcess child;
    start(child, m_options.onlyPlace, {});
    std::vector<Check> found; // by this child so far
    m_place.clear();
    const auto tell = [&] {
        if (!progress) return;
        std::vector<Check> all = m_checks;
        merge(all, found);
        progress(m_place, all);
    };
    const std::optional<Check> death = listen(child, [&](const QByteArray& line) {
        if (line.startsWith("began ")) m_place = line.mid(6).toStdString();
        if (line.startsWith("checks ")) {
            found.clear();
            for (const QJsonValue& value : QJsonDocument::fromJson(line.mid(7)).array())
                found.push_back(checkFrom(value.toObject()));
        }
        tell();
        return true;
    });
    merge(m_checks, found);
    if (death) merge(m_checks, {*death});
    return death.has_value();
}

std::optional<PosedProblem> Examination::show(const Check& check)
{
    QProcess child;
    start(child, check.place, check.name);
    std::optional<PosedProblem> solving, shown;
    m_place.clear();
    const std::optional<Check> death = listen(child, [&](const QByteArray& line) {
        if (line.startsWith("began ")) m_place = line.mid(6).toStdString();
        if (line.startsWith("solving ")) solving = posedProblemFrom(objectIn(line.mid(8)));
        if (line.startsWith("shown ")) shown = posedProblemFrom(objectIn(line.mid(6)));
        return !shown;
    });
    if (shown || !death || !solving) return shown;
    solving->outcome = death->detail.substr(0, death->detail.find(','));
    return solving;
}

std::optional<Check> Examination::listen(QProcess& child, const std::function<bool(const QByteArray& line)>& take)
{
    bool isWhole = false, isEnough = false;
    QElapsedTimer silence;
    silence.start();
    const auto isPatient = [&] { return static_cast<double>(silence.elapsed()) < m_options.patience * 1000; };
    while (!isEnough && !isWhole && !isCancelled() && isPatient()) {
        const bool isReady = child.canReadLine() || child.waitForReadyRead(kLook);
        if (!isReady && child.state() == QProcess::NotRunning) break;
        while (!isEnough && child.canReadLine()) {
            silence.restart();
            const QByteArray line = child.readLine().trimmed();
            isWhole |= line == "done";
            isEnough = !isWhole && !take(line);
        }
    }
    std::optional<Check> death;
    const std::string where = m_place.empty() ? "while it was loaded" : "in " + m_place;
    const bool isStopped = isEnough || isCancelled();
    if (child.state() != QProcess::NotRunning && (isStopped || !child.waitForFinished(1000))) {
        child.kill();
        child.waitForFinished();
        if (!isStopped)
            death = failedCheck("ends",
                                "it did not respond within " + std::to_string(static_cast<int>(m_options.patience)) +
                                    " s, " + where,
                                m_place);
    } else if (!isWhole && !isStopped) {
        death = failedCheck("survives", howItEnded(child) + ", " + where, m_place);
    }
    if (m_group > 0) ::kill(static_cast<pid_t>(-m_group), SIGKILL); // what it may have started
    return death;
}

void Examination::start(QProcess& child, const std::string& place, const std::string& shownCheck)
{
    const QString program = QString::fromStdString(m_options.program);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (const QString counter = counterLibrary(program); !counter.isEmpty())
        environment.insert(QStringLiteral("LD_PRELOAD"), counter);
    child.setProcessEnvironment(environment);
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QStringList line = {QStringLiteral("plugins"),    QStringLiteral("check"),         QString::fromStdString(m_plugin),
                        QStringLiteral("--as-child"), QStringLiteral("--seed"),        QString::number(m_options.seed),
                        QStringLiteral("--cases"),    QString::number(m_options.cases)};
    if (!place.empty()) line << QStringLiteral("--case") << QString::fromStdString(place);
    if (shownCheck.empty() && !m_after.empty()) line << QStringLiteral("--after") << QString::fromStdString(m_after);
    if (!shownCheck.empty()) line << QStringLiteral("--show") << QString::fromStdString(shownCheck);
    child.setChildProcessModifier([] { ::setpgid(0, 0); });
    child.start(program, line);
    child.waitForStarted();
    m_group = child.processId();
}

} // namespace tendon::conformance
