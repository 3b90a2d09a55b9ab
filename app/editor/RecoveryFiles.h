#pragma once

#include "core/base/Result.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

namespace tendon::editor {

/// Held by one process at a time; the system lets go of it when that process ends, however it ends.
class RecoveryLock
{
public:
    explicit RecoveryLock(const QString& path);
    ~RecoveryLock();
    RecoveryLock(const RecoveryLock&) = delete;
    RecoveryLock& operator=(const RecoveryLock&) = delete;

    [[nodiscard]] bool isHeld() const { return m_isHeld; }

private:
    int m_file;
    bool m_isHeld;
};

/// The files of one document's recovery copies: SESSION.NUMBER.recovery.tendon for each (Tendon 0.1 had one, without a
/// number), the same with .json for what is known about it, and one picture and one lock for all.
class RecoveryFiles
{
public:
    RecoveryFiles() = default;
    /// `session`: the path that all names begin with, its last part without a point.
    explicit RecoveryFiles(QString session) : m_session(std::move(session)) {}
    /// Those of every session in a folder, whether their process lives or not.
    [[nodiscard]] static std::vector<RecoveryFiles> allIn(const QString& folder);

    [[nodiscard]] std::shared_ptr<RecoveryLock> lock() const; ///< to be asked whether it is held
    [[nodiscard]] QString picture() const;
    [[nodiscard]] QStringList copies() const; ///< the newest first

    /// Writes the bytes of a project that is `about` this as a copy, and then removes all but the `kept` newest. Error:
    /// nothing was written, and all older ones are there.
    [[nodiscard]] Result<void> writeCopy(int number, const std::string& bytes, const QJsonObject& about,
                                         int kept) const;
    /// Where a copy with this number is, for the paths that its project refers to.
    [[nodiscard]] QString copy(int number) const;

    /// What a copy was said to be about; empty if that is not known.
    [[nodiscard]] static QJsonObject aboutCopy(const QString& copy);
    /// Whether a copy is as it was written.
    [[nodiscard]] static bool isWhole(const QString& copy);

    void removeAll() const;

private:
    [[nodiscard]] QString lockFile() const;

    QString m_session;
};

} // namespace tendon::editor
