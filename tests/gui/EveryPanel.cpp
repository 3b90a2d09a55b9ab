#include "tests/gui/EveryPanel.h"

#include "app/widgets/FileActions.h"
#include "app/widgets/poses/PosesPanel.h"
#include "app/widgets/task/Tasks.h"
#include "tests/support/WalkBvh.h"

#include <QDialog>
#include <QFile>
#include <QJsonArray>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressDialog>
#include <QTabWidget>
#include <QTest>
#include <QTimer>

namespace tendon::test {

using namespace editor;

namespace {

const QString kPrefix = QStringLiteral("mixamorig:a_character_with_long_names_");

QString longName(const QString& name) { return kPrefix + name; }

QDialog* openDialog(const QWidget& window)
{
    for (QWidget* each : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QDialog*>(each);
        if (dialog != nullptr && dialog != &window && dialog->isVisible() &&
            qobject_cast<QProgressDialog*>(dialog) == nullptr)
            return dialog;
    }
    return nullptr;
}

} // namespace

EveryPanel::EveryPanel(MainWindow& window, std::function<void()> settle, Look look)
    : m_window(window), m_document(window.editor().document()), m_settle(std::move(settle)), m_look(std::move(look))
{
}

void EveryPanel::visit()
{
    prepare();
    inspector();
    bottom();
    layers();
    poses();
    overlays();
    dialogs();
    files();
    tasks();
}

void EveryPanel::prepare()
{
    const Scene scene = m_document.scene(); // renaming changes it
    for (const Joint& joint : *scene.joints)
        apply({{"op", "rename"},
               {"target", QString::fromStdString(joint.name)},
               {"to", longName(QString::fromStdString(joint.name))}});
    for (const Handle& handle : *scene.handles)
        apply({{"op", "rename"},
               {"target", QString::fromStdString(handle.name)},
               {"to", longName(QString::fromStdString(handle.name))}});
    apply({{"op", "addMarker"}, {"name", "contact of the left foot"}, {"frame", 20}});
}

void EveryPanel::apply(const QJsonObject& operation)
{
    if (const auto done = m_document.applyNow(operation); !done) qFatal("%s", done.error().text().c_str());
}

void EveryPanel::run(const char* command)
{
    m_window.commands().run(QLatin1StringView(command));
    m_settle();
}

void EveryPanel::look(const QString& name)
{
    m_settle();
    m_settle();
    m_look(name, nullptr);
}

void EveryPanel::select(const QStringList& names)
{
    const Scene& scene = m_document.scene();
    m_window.editor().selection().clear();
    for (const QString& name : names) {
        const std::string given = longName(name).toStdString();
        const Handle* handle = scene.handleNamed(given);
        const auto joint = scene.jointNamed(given);
        if (handle == nullptr && !joint) qFatal("no %s", given.c_str());
        m_window.editor().selection().select(
            handle != nullptr ? SelectionItem::of(handle->id) : SelectionItem::of(*joint), Selection::How::Add);
    }
    m_settle();
}

void EveryPanel::lookAtDialog(const QString& name, const std::function<void()>& open,
                              const std::function<void(QWidget&)>& pages)
{
    bool isSeen = false;
    QTimer watch; // many dialogs have an event loop of their own
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        QDialog* dialog = openDialog(m_window);
        if (dialog == nullptr || std::exchange(isSeen, true)) return;
        watch.stop();
        for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
        m_look(name, dialog);
        if (pages) pages(*dialog);
        dialog->close();
    });
    watch.start(10);
    open();
    if (!QTest::qWaitFor([&] { return isSeen; }, 30000)) qFatal("the dialog %s does not open", qPrintable(name));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::setActiveWindow(&m_window); // as a window manager does
    m_settle();
}

void EveryPanel::inspector()
{
    run("time.first");
    look("window");
    select({"HandIK_R"});
    look("handle");
    select({"Forearm_R"});
    look("joint");
    select({"UpperArm_R"});
    look("ball-joint");
    select({"Thumb1_R", "Thumb2_R", "Index1_R"});
    look("several-joints");
    select({"HandIK_R", "FootIK_L"});
    look("several-handles");
    apply({{"op", "addHandle"},
           {"name", longName("Head looks at the hand")},
           {"end", longName("Head")},
           {"solver", "aim"},
           {"follow", longName("Hand_R")}});
    select({"Head looks at the hand"});
    look("constraint");
    apply({{"op", "setGoal"}, {"handle", longName("HandIK_R")}, {"position", QJsonArray{-3, 3, 1}}});
    select({"HandIK_R"});
    look("goal-out-of-reach");
    apply({{"op", "undo"}});
}

void EveryPanel::bottom()
{
    const std::pair<const char*, const char*> tabs[] = {{"window.dope", "dope-sheet"},
                                                        {"window.graph", "graph"},
                                                        {"window.compare", "compare"},
                                                        {"window.log", "log"},
                                                        {"window.script", "script"}};
    select({"FootIK_L"});
    for (const auto& [command, name] : tabs) {
        run(command);
        look(QLatin1StringView(name));
    }
    run("window.timeline");
}

void EveryPanel::layers()
{
    run("layer.edit");
    select({"HandIK_L"});
    run("key.set");
    run("window.dope");
    look("corrections");
    run("window.timeline");
    run("layer.edit");
}

void EveryPanel::poses()
{
    run("window.dock.poses");
    auto* panel = m_window.findChild<PosesPanel*>(QStringLiteral("poses"));
    panel->setFolder(m_folder.path());
    auto* field = m_window.findChild<QLineEdit*>(QStringLiteral("poses.name"));
    for (const char* name : {"a wide stance with both arms up", "rest"}) {
        field->setText(QLatin1StringView(name));
        QTest::keyClick(field, Qt::Key_Return);
        if (!QTest::qWaitFor([&] { return !panel->isReading(); }, 30000)) qFatal("the poses are not read");
    }
    look("poses");
    m_window.findChild<QListWidget*>(QStringLiteral("poses.list"))->setCurrentRow(0);
    look("pose-chosen");
    run("window.dock.poses");
}

void EveryPanel::overlays()
{
    run("help.search");
    look("search");
    QTest::keyClick(m_window.focusWidget(), Qt::Key_Escape);
    run("help.tour");
    look("tour");
    QTest::keyClick(m_window.focusWidget(), Qt::Key_Escape);
    m_settle();
}

void EveryPanel::dialogs()
{
    const auto pagesOf = [this](const char* name) {
        return [this, name](QWidget& dialog) {
            auto* pages = dialog.findChild<QTabWidget*>();
            for (int page = 1; page < pages->count(); ++page) {
                pages->setCurrentIndex(page);
                QCoreApplication::processEvents();
                m_look(QStringLiteral("%1-%2").arg(QLatin1StringView(name)).arg(page + 1), &dialog);
            }
        };
    };
    lookAtDialog(
        "preferences", [this] { run("edit.preferences"); }, pagesOf("preferences"));
    lookAtDialog(
        "about", [this] { run("help.about"); }, pagesOf("about"));
    for (const auto& [command, name] :
         std::initializer_list<std::pair<const char*, const char*>>{{"edit.history", "undo-history"},
                                                                    {"animate.closeLoop", "close-loop"},
                                                                    {"help.newPlugin", "new-plugin"},
                                                                    {"help.checkPlugin", "check-plugin"},
                                                                    {"help.benchmark", "benchmark"},
                                                                    {"file.playblast", "playblast"},
                                                                    {"file.export", "export"}}) {
        if (QLatin1StringView(name) == QLatin1StringView("playblast") && !m_window.viewport().playblast)
            continue; // no film without a view
        lookAtDialog(QLatin1StringView(name), [this, command = command] { run(command); });
    }
    select({"Hand_R", "Forearm_R", "Index1_R"});
    lookAtDialog("guess-limits", [this] { run("rig.guessLimits"); });
    select({"FootIK_L"});
    run("window.graph");
    lookAtDialog("smooth-keys", [this] { run("graph.smoothKeys"); });
    lookAtDialog("reduce-keys", [this] { run("graph.reduce"); });
    run("window.timeline");
}

void EveryPanel::files()
{
    const QString model = m_folder.filePath("a_character_with_a_long_name.glb");
    lookAtDialog("export-report", [&] { m_window.files().exportTo(model, false); });
    lookAtDialog("import", [&] { m_window.files().openFile(model); });
    lookAtDialog("unsaved", [this] { run("file.new"); });
}

void EveryPanel::tasks()
{
    const QString motion = m_folder.filePath("a_walk_with_a_long_name.bvh");
    QFile file(motion);
    if (!file.open(QIODevice::WriteOnly) || file.write(walkBvh(12)) <= 0) qFatal("no motion");
    file.close();
    const auto isAtRest = [this] { return m_window.tasks().current() != nullptr && !m_window.tasks().isWorking(); };
    const auto leave = [this] {
        m_window.tasks().leave();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_settle();
    };
    m_window.files().openFile(motion);
    QWidget* card = nullptr;
    const auto isShown = [&] {
        card = m_window.findChild<QWidget*>(QStringLiteral("motionCard"));
        return card != nullptr && card->isVisible();
    };
    if (!QTest::qWaitFor(isShown, 30000)) qFatal("no card for a motion");
    look("motion-card");
    QTest::keyClick(card, Qt::Key_Escape);
    m_window.files().readMotion(motion);
    if (!QTest::qWaitFor(isAtRest, 30000)) qFatal("Retarget does not open");
    look("retarget");
    leave();
    run("edit.selectHandles");
    run("edit.delete");
    run("rig.rigIt");
    if (!QTest::qWaitFor(isAtRest, 30000)) qFatal("Rig it does not open");
    look("rig-it");
    leave();
}

} // namespace tendon::test
