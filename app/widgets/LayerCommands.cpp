#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"

#include <QJsonArray>
#include <QJsonObject>

#include <set>

namespace tendon::editor {

void addLayerCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const QStringList menu = {Command::tr("Animate"), Command::tr("Corrections")};
    const auto needsClip = [document]() -> UserText {
        return document->clip() == nullptr ? Command::tr("There is no clip yet. Set a key first") : QString();
    };
    const auto needsCorrections = [document, needsClip]() -> UserText {
        if (const UserText reason = needsClip(); !reason.isEmpty()) return reason;
        return document->clip()->hasCorrections()
                   ? QString()
                   : Command::tr("The clip has no corrections. Turn on Edit corrections, then pose and key");
    };
    table.add({.id = "layer.edit",
               .menu = menu,
               .text = Command::tr("Edit corrections"),
               .tip = Command::tr(
                   "Put new keys into the corrections, on top of the clip's own keys; off: into the clip's own keys"),
               .icon = "layers",
               .run =
                   [document] {
                       const bool isEdited = document->edit().layer == Layer::Corrections;
                       (void)document->apply({{"op", "editLayer"}, {"layer", isEdited ? "keys" : "corrections"}});
                   },
               .isOn = [document] { return document->edit().layer == Layer::Corrections; }});
    table.add({.id = "layer.on",
               .menu = menu,
               .text = Command::tr("Show corrections"),
               .tip = Command::tr("Show the corrections, or the clip without them"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "setCorrections"}, {"on", !document->clip()->hasCorrectionsOn}});
                   },
               .whyNot = needsClip,
               .isOn = [document] { return document->clip() != nullptr && document->clip()->hasCorrectionsOn; }});
    const auto corrected = [document] {
        std::set<ObjectId> objects;
        for (const auto& [channel, keys] : document->clip()->channels)
            if (channel.layer == Layer::Corrections) objects.insert(channel.target);
        return objects;
    };
    table.add({.id = "layer.keyZero",
               .menu = menu,
               .text = Command::tr("Key zero"),
               .tip = Command::tr("Key zero corrections at this frame for the selection, or for all that is corrected "
                                  "if nothing is selected: before and after a correction, to confine it to the "
                                  "frames between"),
               .run =
                   [document, editor, corrected] {
                       std::set<ObjectId> objects;
                       for (const SelectionItem& item : editor->selection().items()) objects.insert(item.object);
                       if (objects.empty()) objects = corrected();
                       std::vector<QJsonObject> operations;
                       for (const ObjectId object : objects)
                           operations.push_back({{"op", "key"}, {"target", nameIn(*document, object)}, {"zero", true}});
                       (void)document->applyAsOne(operations);
                   },
               .whyNot = [editor, document, needsClip]() -> UserText {
                   if (const UserText reason = needsClip(); !reason.isEmpty()) return reason;
                   return editor->selection().isEmpty() && !document->clip()->hasCorrections()
                              ? Command::tr("Select a joint or a handle first: nothing is corrected yet")
                              : QString();
               }});
    table.add({.id = "layer.keyWeight",
               .menu = menu,
               .text = Command::tr("Key weight"),
               .tip = Command::tr("Key the weight of the corrections at this frame"),
               .icon = "key-add",
               .run =
                   [document] {
                       (void)document->apply({{"op", "key"},
                                              {"target", QString::fromStdString(document->clip()->name)},
                                              {"channels", QJsonArray{"weight"}}});
                   },
               .whyNot = needsClip});
    table.add({.id = "layer.merge",
               .menu = menu,
               .text = Command::tr("Merge down"),
               .tip = Command::tr("Merge the corrections into the clip's own keys; the motion stays the same"),
               .run =
                   [document] {
                       (void)document->apply({{"op", "mergeCorrections"}});
                   },
               .whyNot = needsCorrections,
               .beginsGroup = true});
}

} // namespace tendon::editor
