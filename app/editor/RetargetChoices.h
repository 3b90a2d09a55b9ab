#pragma once

#include "core/io/import/ModelImport.h"
#include "core/retarget/Retargeter.h"
#include "core/retarget/RootMotion.h"

#include <QJsonObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendon::editor {

/// A motion to put onto the character: a file that has been read, or a clip of the project.
struct RetargetSource
{
    std::string file;                           ///< absolute; "" = a clip of the project
    std::shared_ptr<const ImportedModel> model; ///< what was read of the file
    std::string from;                           ///< the clip's name

    [[nodiscard]] std::string name() const;                      ///< "walk_02.bvh"
    [[nodiscard]] bool isMotion() const;                         ///< something moves in it
    [[nodiscard]] std::vector<std::string> clips() const;        ///< of the file, those with keys
    [[nodiscard]] const Scene& scene(const Scene& project) const ///< the motion's own
    {
        return model != nullptr ? model->scene : project;
    }
};

/// All that a person decides of a retarget, as plain data: one operation `retarget`, or one for each clip.
struct RetargetChoices
{
    std::string clip;                                      ///< of the source
    bool takesAll = false;                                 ///< every clip of the file
    std::string map;                                       ///< path of a saved map; "" = guessed
    std::map<std::string, std::vector<std::string>> roles; ///< what is not as guessed or mapped; empty = no joint
    RestAlign align = RestAlign::Directions;
    double frame = 1;     ///< of RestAlign::Frame, at the motion's rate
    double armSpread = 0; ///< [degrees]
    RootTravel travel = RootTravel::Travels;
    std::string rootBone; ///< "" = as it comes
    bool turns = false;   ///< turning goes with the travel
    std::optional<double> scale;
    bool handReach = true;
    bool onFrames = false;    ///< keys at the project's frames alone
    bool keepsLimits = false; ///< joints stop at their limits

    bool operator==(const RetargetChoices&) const = default;
};

/// The operation for the chosen clip.
[[nodiscard]] QJsonObject operationOf(const RetargetSource& source, const RetargetChoices& choices);
/// What Apply carries out: that one, or a group of one for each clip of the file.
[[nodiscard]] QJsonObject wholeOperationOf(const RetargetSource& source, const RetargetChoices& choices);

/// A name by which an operation finds the joint: its path where the name is not enough.
[[nodiscard]] std::string findableName(const Scene& scene, JointId joint);

} // namespace tendon::editor
