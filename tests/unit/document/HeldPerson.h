#pragma once

#include "tests/support/Person.h"
#include "tests/support/TestDocument.h"

#include <algorithm>

namespace tendon::test {

/// A document of the person, whose roles are decided.
inline TestDocument holding(const Person& person)
{
    TestDocument test;
    Project project;
    project.scene = person.rig.scene;
    project.scene.roles = Shared(person.roles);
    if (!project.scene.clips.empty()) project.state.currentClip = project.scene.clips.front()->id;
    test.document = openDocument(project, {}, TestDocument::solvers());
    return test;
}

/// How far the poses of two clips are apart [m], [rad], at most.
inline double difference(const TestDocument& a, const TestDocument& b)
{
    double largest = 0;
    for (const Joint& joint : *a.scene().joints)
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Affine left = a.worldAt(joint.name.c_str(), frame), right = b.worldAt(joint.name.c_str(), frame);
            largest = std::max({largest, (left.translation() - right.translation()).norm(),
                                rotationOf(left).angularDistance(rotationOf(right))});
        }
    return largest;
}

} // namespace tendon::test
