#pragma once

#include "app/editor/EditorDocument.h"
#include "core/scene/Check.h"

#include <QString>

namespace tendon::editor {

[[nodiscard]] inline QString nameIn(const EditorDocument& document, ObjectId object)
{
    return QString::fromStdString(nameOf(document.scene(), object));
}

/// `base`, followed by a number if the name is taken in the scene.
[[nodiscard]] inline QString freeName(const Scene& scene, const QString& base)
{
    for (int i = 1;; ++i) {
        const QString name = i == 1 ? base : base + QString::number(i);
        if (checkNameIsFree(scene, name.toStdString(), 0)) return name;
    }
}

} // namespace tendon::editor
