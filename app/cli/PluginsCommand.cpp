#include "app/cli/PluginsCommand.h"

#include "app/cli/Solvers.h"
#include "resources/solver-template/SolverTemplate.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <memory>

namespace tendon::cli {

namespace {

QJsonArray texts(const std::vector<std::string>& values)
{
    QJsonArray array;
    for (const std::string& value : values) array.append(text(value));
    return array;
}

const char* kindName(SolverParameter::Kind kind)
{
    switch (kind) {
    case SolverParameter::Kind::Real: return "real";
    case SolverParameter::Kind::Integer: return "integer";
    case SolverParameter::Kind::Bool: return "bool";
    case SolverParameter::Kind::Enum: return "enum";
    }
    return "";
}

/// A parameter's value as --set takes it.
QJsonValue valueOf(const SolverParameter& parameter, double value)
{
    if (parameter.kind == SolverParameter::Kind::Bool) return value != 0;
    if (parameter.kind == SolverParameter::Kind::Enum) return text(parameter.values[static_cast<std::size_t>(value)]);
    return value;
}

QJsonObject toJson(const SolverParameter& parameter)
{
    QJsonObject object{{QStringLiteral("id"), text(parameter.id)},
                       {QStringLiteral("label"), text(parameter.label)},
                       {QStringLiteral("group"), text(parameter.group)},
                       {QStringLiteral("unit"), text(parameter.unit)},
                       {QStringLiteral("kind"), text(kindName(parameter.kind))},
                       {QStringLiteral("default"), valueOf(parameter, parameter.defaultValue)},
                       {QStringLiteral("doc"), text(parameter.doc)}};
    if (parameter.kind == SolverParameter::Kind::Real || parameter.kind == SolverParameter::Kind::Integer) {
        object.insert(QStringLiteral("min"), parameter.minimum);
        object.insert(QStringLiteral("max"), parameter.maximum);
        object.insert(QStringLiteral("scale"),
                      parameter.isLogarithmic ? QStringLiteral("log") : QStringLiteral("linear"));
    }
    if (parameter.kind == SolverParameter::Kind::Enum) object.insert(QStringLiteral("values"), texts(parameter.values));
    return object;
}

QJsonObject toJson(const SolverInfo& info)
{
    QJsonArray parameters;
    for (const SolverParameter& parameter : info.parameters) parameters.append(toJson(parameter));
    return {{QStringLiteral("id"), text(info.id)},
            {QStringLiteral("alias"), text(info.alias)},
            {QStringLiteral("name"), text(info.name)},
            {QStringLiteral("version"), text(info.version)},
            {QStringLiteral("summary"), text(info.summary)},
            {QStringLiteral("default"), info.alias == SolverRegistry::kDefaultAlias},
            {QStringLiteral("jointKinds"), texts(info.jointKinds)},
            {QStringLiteral("features"), texts(info.features)},
            {QStringLiteral("parameters"), parameters},
            {QStringLiteral("file"), text(info.file)}};
}

std::string joined(const std::vector<std::string>& values)
{
    std::string line;
    for (const std::string& value : values) line += (line.empty() ? "" : ", ") + value;
    return line;
}

std::string describe(const SolverParameter& parameter)
{
    const auto shown = [&parameter](double value) {
        const QJsonValue json = valueOf(parameter, value);
        return (json.isString() ? json.toString()
                : json.isBool() ? QString(json.toBool() ? "true" : "false")
                                : QString::number(value))
            .toStdString();
    };
    std::string range;
    if (parameter.kind == SolverParameter::Kind::Enum)
        range = joined(parameter.values);
    else if (parameter.kind == SolverParameter::Kind::Bool)
        range = "true, false";
    else
        range = shown(parameter.minimum) + " ... " + shown(parameter.maximum);
    const std::string unit = parameter.unit.empty() ? "" : " " + parameter.unit;
    return "    " + parameter.id + " = " + shown(parameter.defaultValue) + unit + "  (" + range + ")  " +
           parameter.doc + "\n";
}

std::string describe(const SolverInfo& info)
{
    std::string lines = info.alias + "  " + info.name + " " + info.version +
                        (info.alias == SolverRegistry::kDefaultAlias ? "  [default]" : "") + "\n  " + info.summary +
                        "\n  id: " + info.id + "\n  file: " + info.file + "\n  moves: " + joined(info.jointKinds) +
                        "\n  features: " + joined(info.features) + "\n";
    for (const SolverParameter& parameter : info.parameters) lines += describe(parameter);
    return lines;
}

Exit listPlugins(const Cli& cli)
{
    SolverRegistry registry = makeRegistry(cli);
    registry.scan();
    if (!cli.json) {
        printIssues(cli, registry.issues());
        for (const SolverInfo& info : registry.solvers()) print(describe(info));
        if (registry.solvers().empty()) print("No solvers found.\n");
        return Exit::Done;
    }
    QJsonArray solvers;
    for (const SolverInfo& info : registry.solvers()) solvers.append(toJson(info));
    printJson({{QStringLiteral("solvers"), solvers}, {QStringLiteral("issues"), issuesAsJson(registry.issues())}});
    return Exit::Done;
}

struct NewArguments
{
    std::string name, folder;
};

Exit writePlugin(const NewArguments& arguments)
{
    if (const auto written = writeSolverTemplate(arguments.name, arguments.folder); !written)
        return fail(written.error().within("plugins new"));
    print("Wrote " + arguments.folder + ". Build it: " + arguments.folder + "/build.sh\n");
    return Exit::Done;
}

} // namespace

void addPluginsCommand(CLI::App& app, Cli& cli)
{
    struct State
    {
        CheckArguments check;
        NewArguments made;
        CLI::App *checkCommand = nullptr, *newCommand = nullptr;
        bool asChild = false;
    };
    const auto state = std::make_shared<State>();
    const char* summary = "List the solvers found, check plugins, or begin a new one";
    CLI::App* command = addCommand(app, cli, "plugins", summary, [&cli, state] {
        if (state->newCommand->parsed()) return writePlugin(state->made);
        if (!state->checkCommand->parsed()) return listPlugins(cli);
        return state->asChild ? runCheckAsChild(state->check) : runCheck(cli, state->check);
    });
    command->require_subcommand(0, 1);
    command->add_subcommand("list", "List the solvers found, with their features and parameters (the default)")
        ->fallthrough();
    state->newCommand =
        command->add_subcommand("new", "Write the files of a new solver plugin, which builds as it is")->fallthrough();
    state->newCommand->add_option("NAME", state->made.name, "Name of the solver, as people will see it")->required();
    state->newCommand->add_option("-o,--output", state->made.folder, "New folder to write")->required();
    CLI::App* check = command->add_subcommand("check", "Run the conformance suite on plugins")->fallthrough();
    state->checkCommand = check;
    check->add_option("FILE", state->check.files,
                      "Plugin libraries (.so) or aliases of solvers (default: all plugins found)");
    check->add_option(
        "--case", state->check.onlyPlace,
        "Run only this case, GROUP/RIG/GOALS/CASE as a failure prints it, or all cases that begin with this");
    check->add_option("--seed", state->check.seed, "Seed of the random problems")->capture_default_str();
    check->add_option("--cases", state->check.cases, "Number of problems per rig and goal")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    check
        ->add_option("--patience", state->check.patience,
                     "Seconds without progress after which a plugin counts as hanging")
        ->capture_default_str();
    check->add_flag("--in-this-process", state->check.inThisProcess,
                    "For debuggers: use no child process and do not count allocations");
    check->add_flag("--as-child", state->asChild)->group("");
    check->add_option("--after", state->check.afterGroup)->group("");
    check->add_option("--show", state->check.shownCheck)->group("");
}

} // namespace tendon::cli
