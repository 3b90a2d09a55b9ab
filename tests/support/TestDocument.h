#pragma once

#include "core/document/Arguments.h"
#include "core/document/Document.h"
#include "core/document/Operation.h"
#include "core/document/Script.h"
#include "core/io/project/ProjectFile.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/solve/SolvedPoses.h"
#include "tests/support/LinkedSolvers.h"

#include <QJsonDocument>
#include <QTest>

#include <algorithm>
#include <string>

namespace tendon::test {

inline QJsonObject json(const char* text)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (problem.error != QJsonParseError::NoError) qFatal("%s in %s", qPrintable(problem.errorString()), text);
    return document.object();
}

/// A document that tests edit by operations in JSON.
class TestDocument
{
public:
    TestDocument() : document(openDocument({}, {}, solvers())) {}

    static const SolverRegistry& solvers()
    {
        static const SolverRegistry registry = shippedSolvers();
        return registry;
    }

    /// Carries out an operation that must succeed.
    TestDocument& operator()(const char* operation)
    {
        const auto done = carryOut(document, json(operation));
        if (!done) qFatal("%s\n  %s", operation, done.error().text().c_str());
        return *this;
    }

    /// The error of an operation that must fail; "CHANGED" if the operation changed anything.
    std::string error(const char* operation)
    {
        const Scene scene = document.scene();
        const EditState edit = document.edit;
        const std::size_t steps = document.history.undoCount();
        const auto done = carryOut(document, json(operation));
        if (done) return "NO ERROR";
        if (!(scene == document.scene()) || !(edit == document.edit) || steps != document.history.undoCount())
            return "CHANGED";
        return done.error().text();
    }

    /// True if a message of the operations so far contains `text`.
    [[nodiscard]] bool says(const char* text) const
    {
        return std::any_of(document.messages.begin(), document.messages.end(),
                           [&](const Issue& issue) { return issue.text.find(text) != std::string::npos; });
    }

    [[nodiscard]] const Scene& scene() const { return document.scene(); }
    [[nodiscard]] const Joint& joint(const char* name) const { return *scene().find(*scene().jointNamed(name)); }
    [[nodiscard]] const Handle& handle(const char* name) const { return *scene().handleNamed(name); }
    [[nodiscard]] ObjectId id(const char* name) const
    {
        const Handle* handle = scene().handleNamed(name);
        return handle != nullptr ? handle->id.value : joint(name).id.value;
    }

    /// worldFromJoint of the solved pose at the current frame.
    [[nodiscard]] Affine world(const char* name) const { return worldAt(name, document.edit.frame); }
    [[nodiscard]] Affine worldAt(const char* name, double frame) const
    {
        const PendingValues none;
        const auto pose = document.poses->at(scene(), document.clip(),
                                             frame == document.edit.frame ? document.edit.pending : none,
                                             scene().fps.timeOf(frame));
        if (!pose) qFatal("%s", pose.error().text().c_str());
        return (*pose)->model.modelFromJoint[at(document.poses->rig()->index(joint(name).id))];
    }

    [[nodiscard]] const KeyList* keys(const char* target, Property property) const
    {
        return document.clip() == nullptr ? nullptr : document.clip()->find({id(target), property});
    }
    [[nodiscard]] std::vector<double> frames(const char* target, Property property) const
    {
        std::vector<double> list;
        if (const KeyList* found = keys(target, property))
            for (const Key& key : found->toVector()) list.push_back(scene().fps.frameAt(key.time));
        return list;
    }
    [[nodiscard]] double keyed(const char* target, Property property, double frame) const
    {
        return sampleKeys(*keys(target, property), property, scene().fps.timeOf(frame))[0];
    }
    [[nodiscard]] ChannelValue still(const char* target, Property property) const
    {
        return scene().staticValue({id(target), property});
    }

    Document document;
};

/// shoulder at (0,1,0), elbow and wrist, each half a metre further along x.
inline TestDocument arm()
{
    TestDocument test;
    test(R"({"op": "addJoint", "name": "shoulder", "translation": [0, 1, 0]})");
    test(R"({"op": "addJoint", "name": "elbow", "parent": "shoulder", "translation": [0.5, 0, 0]})");
    test(R"({"op": "addJoint", "name": "wrist", "parent": "elbow", "translation": [0.5, 0, 0]})");
    return test;
}

inline double distance(const Affine& a, const Affine& b) { return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff(); }

} // namespace tendon::test
