#include "app/widgets/AboutDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "core/solve/Settings.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

QPlainTextEdit* textOf(const QString& name, const QString& text)
{
    auto* view = new QPlainTextEdit(text);
    view->setReadOnly(true);
    view->setAccessibleName(name);
    view->setTabChangesFocus(true);
    return view;
}

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

AboutDialog::AboutDialog(const SolverRegistry& solvers, QWidget* parent) : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("about"));
    setWindowTitle(tr("About Tendon"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(10));
    auto* top = new QHBoxLayout;
    top->setSpacing(theme.px(14));
    auto* logo = new QLabel;
    logo->setPixmap(
        iconPixmap(QStringLiteral("tendon"), QStringLiteral("accent.text"), theme.px(40), devicePixelRatioF()));
    top->addWidget(logo);
    auto* words = new QLabel(tr("<b>Tendon %1</b><br>An editor for rigs with inverse kinematics")
                                 .arg(QCoreApplication::applicationVersion()));
    words->setObjectName(QStringLiteral("about.version"));
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(words, 1);
    column->addLayout(top);
    // A package with Ceres is another one before the law.
    const bool hasCeres = solvers.find("ceres") != nullptr;
    auto* licence = new QLabel(
        hasCeres ? tr("Tendon is free software under the MIT licence. The solver plugin Ceres that is loaded here uses "
                      "parts of SuiteSparse under the GPL; a package that contains it falls under the GPL.")
                 : tr("Tendon is free software under the MIT licence."));
    licence->setObjectName(QStringLiteral("about.licence"));
    licence->setWordWrap(true);
    column->addWidget(licence);

    auto* pages = new QTabWidget;
    pages->tabBar()->setAccessibleName(tr("Pages"));
    pages->addTab(textOf(tr("Licence"), read(QStringLiteral(":/tendon/LICENSE"))), tr("Licence"));
    QStringList parts = {tr("Qt %1 - LGPL 3").arg(QLatin1String(qVersion())),
                         tr("Eigen - MPL 2.0"),
                         tr("Assimp - BSD 3-Clause"),
                         tr("Draco - Apache 2.0"),
                         tr("meshoptimizer - MIT"),
                         tr("urdfdom - BSD 3-Clause"),
                         tr("CLI11 - BSD 3-Clause"),
                         tr("JSON for Modern C++ - MIT"),
                         tr("libpng, libjpeg-turbo, zlib, libseccomp - see the documentation of their packages"),
                         tr("Inter, the typeface - SIL Open Font License 1.1, see the page Inter")};
    if (hasCeres) parts << tr("Ceres Solver - BSD 3-Clause; SuiteSparse - LGPL and GPL");
    pages->addTab(textOf(tr("Libraries"), parts.join('\n')), tr("Libraries"));
    if (const QString font = read(QStringLiteral(":/tendon/fonts/copyright")); !font.isEmpty())
        pages->addTab(textOf(tr("Inter"), font), tr("Inter"));
    column->addWidget(pages, 1);

    auto* buttons = new QDialogButtonBox;
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(theme.px(520), theme.px(400));
}

} // namespace tendon::editor
