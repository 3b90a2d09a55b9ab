#include "resources/solver-template/SolverTemplate.h"

#include "core/io/base/Files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <cctype>

// Resources of a static library are found only after this; the macro must stand outside of namespaces.
static void initTemplate() { Q_INIT_RESOURCE(template); }

namespace tendon {
namespace {

constexpr const char* kClass = "ReachSolver";
constexpr const char* kName = "Reach";
constexpr const char* kAlias = "reach";

QString guide()
{
    initTemplate();
    QFile file(QStringLiteral(":/tendon/plugin-guide.md"));
    (void)file.open(QIODevice::ReadOnly);
    return QString::fromUtf8(file.readAll());
}

/// The block of the guide whose fence names a file: ```cpp ReachSolver.h
QString block(const QString& guide, const QString& name)
{
    const QString fence = QStringLiteral(" %1\n").arg(name);
    const qsizetype begin = guide.indexOf(fence) + fence.size();
    return guide.mid(begin, guide.indexOf(QStringLiteral("```"), begin) - begin);
}

/// MyReachSolver
QString classOf(std::string_view name)
{
    QString words;
    bool begins = true;
    for (const char c : name) {
        const bool isPart = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isPart) words += begins ? QChar::fromLatin1(c).toUpper() : QChar::fromLatin1(c);
        begins = !isPart;
    }
    return words + (words.endsWith(QStringLiteral("Solver")) ? QString() : QStringLiteral("Solver"));
}

/// `text` with the words of this plugin in the place of @name@, @alias@, @class@ and @sdk@.
std::string filled(QString text, std::string_view name, std::string_view sdk)
{
    const auto fill = [&text](const char* word, const QString& value) { text.replace(QLatin1StringView(word), value); };
    const auto shown = [](std::string_view utf8) {
        return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
    };
    fill("@name@", shown(name));
    fill("@alias@", QString::fromStdString(aliasOf(name)));
    fill("@class@", classOf(name));
    fill("@sdk@", shown(sdk));
    return text.toStdString();
}

QString templateFile(const char* name)
{
    QFile file(QStringLiteral(":/tendon/solver-template/") + QLatin1StringView(name));
    (void)file.open(QIODevice::ReadOnly);
    return QString::fromUtf8(file.readAll());
}

} // namespace

std::string aliasOf(std::string_view name)
{
    std::string alias(name);
    for (char& c : alias)
        c = c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return alias;
}

std::string sdkFolder()
{
    const QString program = QCoreApplication::applicationDirPath();
    for (const char* folder : {"/../sdk", "/.."}) {
        const QString prefix = QFileInfo(program + QLatin1StringView(folder)).canonicalFilePath();
        if (QFileInfo::exists(prefix + QStringLiteral("/lib/cmake/TendonSdk"))) return prefix.toStdString();
    }
    return "/usr";
}

Result<std::vector<TemplateFile>> solverTemplate(std::string_view name, std::string_view sdk)
{
    const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto isSign = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '-' || c == '_';
    };
    if (name.empty() || !isLetter(name.front()) || name.back() == ' ' || !std::all_of(name.begin(), name.end(), isSign))
        return Error{ErrorCode::InvalidArgument,
                     "must begin with a letter and have only letters, digits, blanks, - and _; such as \"My Reach\"",
                     "name \"" + std::string(name) + "\""};

    const QString page = guide(), className = classOf(name);
    const std::string alias = aliasOf(name), shown(name);
    const auto renamed = [&](QString text) {
        text.replace(QLatin1StringView(kClass), className);
        text.replace(QStringLiteral("\"%1\"").arg(QLatin1StringView(kName)),
                     QStringLiteral("\"%1\"").arg(QString::fromStdString(shown)));
        text.replace(QStringLiteral("\"%1\"").arg(QLatin1StringView(kAlias)),
                     QStringLiteral("\"%1\"").arg(QString::fromStdString(alias)));
        text.replace(QStringLiteral("org.example.reach"),
                     QStringLiteral("org.example.") + QString::fromStdString(alias));
        text.replace(QStringLiteral("NAME reach"), QStringLiteral("NAME ") + QString::fromStdString(alias));
        return text.toStdString();
    };
    std::vector<TemplateFile> files;
    for (const char* file : {"ReachSolver.h", "solver.json", "CMakeLists.txt"})
        files.push_back({renamed(QLatin1StringView(file)), renamed(block(page, QLatin1StringView(file)))});
    files.push_back({"build.sh", filled(templateFile("build.sh.in"), name, sdk), true});
    files.push_back({"README.md", filled(templateFile("README.md.in"), name, sdk)});
    return files;
}

Result<void> writeSolverTemplate(std::string_view name, const std::string& folder)
{
    const auto files = solverTemplate(name, sdkFolder());
    if (!files) return files.error();
    const QString target = QDir::cleanPath(QFileInfo(QString::fromStdString(folder)).absoluteFilePath());
    if (QFileInfo::exists(target))
        return Error{ErrorCode::InvalidArgument, "is there already; name a new folder", folder};
    QTemporaryDir made(target + QStringLiteral(".XXXXXX")); // beside it, so that the renaming is all or nothing
    if (!made.isValid()) return Error{ErrorCode::Io, made.errorString().toStdString(), folder};
    for (const TemplateFile& file : *files) {
        const QString path = made.filePath(QString::fromStdString(file.name));
        if (const auto written = writePlainFile(path.toStdString(), file.text); !written) return written;
        constexpr auto kRead = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther;
        constexpr auto kRun = QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther;
        QFile::setPermissions(path, file.isProgram ? kRead | kRun : kRead);
    }
    constexpr auto kFolder = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup |
                             QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;
    QFile::setPermissions(made.path(), kFolder);
    if (!QDir().rename(made.path(), target)) return Error{ErrorCode::Io, "cannot be made", folder};
    made.setAutoRemove(false);
    return {};
}

} // namespace tendon
