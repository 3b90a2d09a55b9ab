#pragma once

#include <QDialog>

namespace tendon {
class SolverRegistry;
}

namespace tendon::editor {

/// What the program is: its version, its licence, and what it is built on.
class AboutDialog : public QDialog
{
    Q_OBJECT
public:
    AboutDialog(const SolverRegistry& solvers, QWidget* parent);
};

} // namespace tendon::editor
