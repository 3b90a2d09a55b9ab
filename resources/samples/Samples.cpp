#include "resources/samples/Samples.h"

#include "core/document/Document.h"
#include "core/document/Script.h"

#include <QFile>

#include <algorithm>

// Resources of a static library are found only after this; the macro must stand outside of namespaces.
static void initResources()
{
    Q_INIT_RESOURCE(samples);
    Q_INIT_RESOURCE(mannequin);
}

namespace tendon {

namespace {

constexpr std::string_view kMannequin = "mannequin";

constexpr Sample kSamples[] = {
    {"lamp", "Table lamp",
     "Eight linked parts from support to reflector. Drag a lever with interactive IK: the parts below it follow, the "
     "parts above it turn. Then make a hinge a terminator and drag again."},
    {"arm", "Arm", "Shoulder, elbow and wrist. Move the wrist's goal: shoulder and elbow turn."},
    {"leg", "Leg",
     "A thigh below a dummy, a shin and a foot. Move the goal at the foot, then key it with Auto Key for a first "
     "step."},
    {"telescope", "Telescope", "Three tubes of 30 cm that slide into each other, from 30 to 0, and never rotate."},
    {"mace", "Mace", "A spiked ball on ten rings and a grip. Shows what joint parameters do to a long chain."},
    {"two-goals", "Two goals",
     "Six ball joints and two goals at once, one of them beside its bone. Start pose and goals are drawn at random, "
     "from a seed."},
    {"tree", "Tree",
     "A body with two arms and three goals, one of them beside its bone, solved with FABRIK. Watch it in the tab "
     "Compare, and let the goals contradict each other."},
    {"near-straight", "Near straight",
     "Three arms alike, nearly straight, follow the same goal: the pseudo-inverse flails, damped and selectively "
     "damped "
     "least squares stay calm. Clip: Sway."},
    {"opengl-arm", "Chain and object",
     "A chain of six points, fixed at its start, that reaches for an object. Move the object."},
    {"robot-arm", "Robot arm", "Six axes with limits; the arm picks up a part and puts it down. Clip: Pick."},
    {"dragon-neck", "Dragon's neck", "A neck of twenty-four joints bends down to the floor. Clip: To the floor."},
    {"button-press", "Button press", "A figure reaches out and presses a button. Clip: Press."},
    {kMannequin, "Mannequin",
     "A skinned figure with 52 joints, fingers included, and six handles: hands, feet, head and hips. Clip: Walk, "
     "keyed "
     "on the handles alone."},
};

/// A file of the samples that is built into the program.
Result<std::string> builtIn(std::string_view file)
{
    initResources();
    QFile resource(QStringLiteral(":/tendon/samples/") +
                   QString::fromUtf8(file.data(), static_cast<qsizetype>(file.size())));
    if (!resource.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Internal, "the sample is missing from the program", std::string(file)};
    return resource.readAll().toStdString();
}

Result<Project> runSampleScript(std::string_view name, const SolverRegistry& registry)
{
    const auto text = builtIn(std::string(name) + ".json");
    if (!text) return text.error();
    const auto script = parseScript(*text);
    if (!script) return script.error().within("sample " + std::string(name));
    Document document = openDocument({}, {}, registry);
    if (const auto done = runScript(document, *script); !done)
        return done.error().within("sample " + std::string(name));
    return projectOf(document);
}

/// The mannequin is generated when Tendon is built, and opened here as any project is.
Result<Project> openMannequin()
{
    const std::string file = std::string(kMannequin) + ".tendon";
    const auto bytes = builtIn(file);
    if (!bytes) return bytes.error();
    Issues issues;
    auto project = projectFromBytes(*bytes, file, &issues);
    if (project && !issues.empty())
        return Error{ErrorCode::Internal, issues.front().text, issues.front().where}.within("sample " + file);
    return project;
}

} // namespace

std::span<const Sample> listSamples() { return kSamples; }

Result<Project> makeSample(std::string_view name, const SolverRegistry& registry)
{
    const auto found = std::ranges::find(kSamples, name, &Sample::name);
    if (found == std::end(kSamples)) {
        std::string names;
        for (const Sample& sample : kSamples) names += (names.empty() ? "" : ", ") + std::string(sample.name);
        return Error{ErrorCode::NotFound, "there is no such sample; there are " + names, std::string(name)};
    }
    return name == kMannequin ? openMannequin() : runSampleScript(name, registry);
}

} // namespace tendon
