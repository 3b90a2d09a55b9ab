#pragma once

#include "core/scene/ViewSetup.h"

#include <QObject>
#include <QSize>
#include <QString>

namespace tendon::editor {

/// What a playblast draws, and where to.
struct PlayblastOptions
{
    QString output; ///< NAME.mp4, NAME.webm, or pictures NAME.####.png with the frame's number in place of the #
    QSize size{1280, 720};
    int first = 1, last = 1;
    bool hidesRig = true; ///< the meshes alone
    ViewCamera camera;
};

/// One playblast that runs beside the window. GUI thread.
class PlayblastRun : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void cancel() = 0;

signals:
    void progressed(int done, int total); ///< frames
    void finished(const QString& error);  ///< "" = it is there; nothing follows
};

} // namespace tendon::editor
