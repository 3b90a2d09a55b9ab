#pragma once

#include "core/document/Document.h"
#include "core/io/base/FileStage.h"

#include <QJsonObject>

namespace tendon {

/// Operations on a document and its files that all take effect, or none of them. They are carried out on a copy, and
/// the files that they write are staged, until commit(). Without commit() nothing has happened.
class Transaction
{
public:
    /// `document` outlives the transaction and is not changed by others meanwhile.
    explicit Transaction(Document& document) : m_document(document), m_draft(document) {}

    /// Errors: as tendon::carryOut(). After one, do not commit.
    [[nodiscard]] Result<void> carryOut(const QJsonObject& operation);

    /// Files that no operation writes over, as FileStage::keep(). Those that operations have read are kept already.
    void keep(const std::string& path, std::string what) { m_stage.keep(path, std::move(what)); }

    [[nodiscard]] Document& draft() { return m_draft; } ///< the document as it will be

    /// Puts the files in their places and the draft in the document's. On an error neither has happened.
    [[nodiscard]] Result<void> commit();

private:
    Document& m_document;
    Document m_draft;
    FileStage m_stage;
};

} // namespace tendon
