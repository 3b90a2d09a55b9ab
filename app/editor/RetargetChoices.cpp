#include "app/editor/RetargetChoices.h"

#include "core/document/MakeOperation.h"

#include <QJsonArray>

#include <filesystem>

namespace tendon::editor {

std::string RetargetSource::name() const
{
    return file.empty() ? from : std::filesystem::path(file).filename().string();
}

bool RetargetSource::isMotion() const { return model == nullptr ? !from.empty() : !clips().empty(); }

std::vector<std::string> RetargetSource::clips() const
{
    std::vector<std::string> names;
    if (model == nullptr) return {from};
    for (const auto& clip : model->scene.clips)
        if (clip->hasKeys()) names.push_back(clip->name);
    return names;
}

QJsonObject operationOf(const RetargetSource& source, const RetargetChoices& choices)
{
    const auto text = [](const std::string& words) { return QString::fromStdString(words); };
    QJsonObject operation{{"op", "retarget"}};
    if (source.model != nullptr) {
        operation["file"] = text(source.file);
        if (source.model->scene.clips.size() > 1) operation["clip"] = text(choices.clip);
    } else {
        operation["from"] = text(source.from);
    }
    if (!choices.map.empty()) operation["map"] = text(choices.map);
    if (!choices.roles.empty()) {
        QJsonObject roles;
        for (const auto& [role, joints] : choices.roles) {
            QJsonArray names;
            for (const std::string& joint : joints) names.append(text(joint));
            roles[text(role)] = joints.empty()       ? QJsonValue()
                                : joints.size() == 1 ? QJsonValue(names.first())
                                                     : QJsonValue(names);
        }
        operation["roles"] = roles;
    }
    operation["align"] = choices.align == RestAlign::Frame  ? "frame"
                         : choices.align == RestAlign::Rest ? "rest"
                                                            : "directions";
    if (choices.align == RestAlign::Frame) operation["frame"] = choices.frame;
    if (choices.armSpread != 0 || !choices.map.empty()) operation["armSpread"] = choices.armSpread;
    operation["root"] = choices.travel == RootTravel::Bone      ? "bone"
                        : choices.travel == RootTravel::InPlace ? "inPlace"
                                                                : "travels";
    if (choices.travel == RootTravel::Bone && !choices.rootBone.empty()) operation["rootBone"] = text(choices.rootBone);
    if (choices.travel != RootTravel::Travels) operation["turns"] = choices.turns;
    if (choices.scale) operation["scale"] = *choices.scale;
    if (!choices.handReach) operation["handReach"] = false;
    if (choices.onFrames) operation["keys"] = "project";
    if (choices.keepsLimits) operation["keepLimits"] = true;
    return operation;
}

QJsonObject wholeOperationOf(const RetargetSource& source, const RetargetChoices& choices)
{
    const std::vector<std::string> clips = source.clips();
    if (!choices.takesAll || clips.size() < 2) return operationOf(source, choices);
    std::vector<QJsonObject> each;
    RetargetChoices one = choices;
    for (const std::string& clip : clips) {
        one.clip = clip;
        each.push_back(operationOf(source, one));
    }
    return ops::group(each);
}

std::string findableName(const Scene& scene, JointId joint)
{
    std::string path;
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent)) {
        path = path.empty() ? at->name : at->name + "/" + path;
        if (const auto found = scene.jointNamed(path); found && *found == joint) break;
    }
    return path;
}

} // namespace tendon::editor
