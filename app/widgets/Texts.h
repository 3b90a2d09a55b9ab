#pragma once

#include "core/base/SmallLength.h"
#include "core/solve/Settings.h"

#include <QString>

#include <string_view>

namespace tendon::editor {

[[nodiscard]] inline QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline QString lengthOf(double metres) { return fromView(smallLength(metres)); }

/// An identifier as words: "levenbergMarquardt" is "Levenberg Marquardt", "normalEquations" is "Normal equations".
[[nodiscard]] inline QString readable(const std::string& identifier)
{
    QString words;
    for (const QChar c : QString::fromStdString(identifier)) {
        if (words.isEmpty())
            words += c.toUpper();
        else if (c.isUpper())
            words += QLatin1Char(' ') + QString(c.toLower());
        else
            words += c == QLatin1Char('-') || c == QLatin1Char('_') ? QLatin1Char(' ') : c;
    }
    for (const char* name : {"marquardt", "newton", "gauss", "cholesky"}) { // people
        const QString small = QLatin1String(name);
        words.replace(' ' + small, ' ' + small.left(1).toUpper() + small.mid(1));
    }
    return words;
}

/// What a solver's plugin says of it, for tips: "FABRIK: forward and backward reaching ...".
[[nodiscard]] inline QString aboutSolver(const SolverInfo& solver)
{
    return QString::fromStdString(solver.name + ": " + solver.summary);
}

} // namespace tendon::editor
