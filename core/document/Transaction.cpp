#include "core/document/Transaction.h"

#include "core/document/Operation.h"

namespace tendon {

Result<void> Transaction::carryOut(const QJsonObject& operation)
{
    return tendon::carryOut(m_draft, operation, m_stage);
}

Result<void> Transaction::commit()
{
    if (const auto written = m_stage.commit(); !written) return written;
    m_document = std::move(m_draft);
    return {};
}

} // namespace tendon
