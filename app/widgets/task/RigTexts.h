#pragma once

#include "app/editor/Marks.h"
#include "core/document/AutoRig.h"
#include "core/document/LimitGuess.h"
#include "core/roles/Roles.h"

#include <QCoreApplication>
#include <QString>

namespace tendon::editor {

/// What the task Rig it says of limbs, limits and joints that could not be told.
struct RigTexts
{
    Q_DECLARE_TR_FUNCTIONS(RigTexts)
public:
    [[nodiscard]] static QString titleOf(const Limb& limb); ///< "Left leg"
    [[nodiscard]] static QString chainOf(const Scene& scene, const SkeletonRoles& roles,
                                         const Limb& limb); ///< "Thigh_L › Shin_L › Foot_L"
    /// Why a limb gets no handle.
    [[nodiscard]] static QString noHandleOf(const LimbWithoutHandle& limb);
    [[nodiscard]] static QString percent(double confidence);      ///< "98 %"
    [[nodiscard]] static QString partsOf(const RoleParts& parts); ///< "From names 0.55, shape 0.31, mirror 0.12"

    [[nodiscard]] static QString kindTitle(const std::string& kind); ///< "Knees", of jointKind()
    [[nodiscard]] static QString limitsOf(const Joint& joint);       ///< "hinge X, 0 to 150°"
    [[nodiscard]] static QString shortLimitsOf(const Joint& joint);  ///< the cone alone, or the first axis
    [[nodiscard]] static QString rangeOf(const Joint& joint);        ///< "0 to 150°": of a hinge; else ""
    [[nodiscard]] static QString preferredOf(const Joint& joint);    ///< "12.0°", "none"

    [[nodiscard]] static QString namesOf(const Scene& scene, const UnknownJoints& unknown); ///< "Bag_01 › Bag_03"
    /// What they are, and why that could not be told: "Bag_01 › Bag_03 hang from Chest".
    [[nodiscard]] static QString titleOf(const Scene& scene, const UnknownJoints& unknown);
    [[nodiscard]] static QString reasonOf(const UnknownJoints& unknown);
    [[nodiscard]] static QString useOf(JointUse use); ///< "Leave as joints"

    /// Why no limbs were found: "14 joints in one line, no branches, and the names say nothing."
    [[nodiscard]] static QString whyNone(const Scene& scene, const SkeletonRoles& roles);
};

} // namespace tendon::editor
