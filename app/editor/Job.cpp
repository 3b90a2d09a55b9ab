#include "app/editor/Job.h"

namespace tendon::editor {

Job::Job(std::function<void(Control&)> work, std::function<void()> then, QObject* parent) : QObject(parent), m_then(std::move(then))
{
    m_thread = std::jthread([this, control = m_control, work = std::move(work)] {
        work(*control);
        QMetaObject::invokeMethod(this, [this] {
            m_isRunning = false;
            if (m_then) m_then();
            emit finished();
        }, Qt::QueuedConnection);
    });
}

Job::~Job() { cancel(); }

} // namespace tendon::editor
