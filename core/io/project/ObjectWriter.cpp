#include "core/io/project/ObjectWriter.h"

#include "core/json/JsonReader.h"

#include <cmath>

namespace tendon::project {

ObjectWriter::ObjectWriter(std::string pointer, const std::string& place, WriteState& state)
    : m_unknown(state.unknown.value(QString::fromStdString(place)).toObject()), m_pointer(std::move(pointer)),
      m_state(state)
{
}

QJsonValue ObjectWriter::checked(double value, const std::string& pointer)
{
    if (!(std::abs(value) <= kMaxNumber) && !m_state.error)
        m_state.error = Error{ErrorCode::InvalidArgument,
                              std::isfinite(value) ? "is too large to be saved; numbers go up to 1e12"
                                                   : "is not a finite number and cannot be saved",
                              pointer};
    return value == 0 ? 0.0 : value; // -0 compares equal and must not make another file
}

void ObjectWriter::put(std::string_view name, const QJsonValue& value)
{
    m_object.insert(QString::fromUtf8(name), value);
}

void ObjectWriter::string(std::string_view name, const std::string& value, const std::string& standard)
{
    if (value != standard) put(name, QString::fromStdString(value));
}

void ObjectWriter::boolean(std::string_view name, bool value, bool standard)
{
    if (value != standard) put(name, value);
}

void ObjectWriter::integer(std::string_view name, std::int64_t value, std::optional<std::int64_t> standard)
{
    if (value != standard) put(name, static_cast<qint64>(value));
}

void ObjectWriter::number(std::string_view name, double value, std::optional<double> standard)
{
    if (value != standard) put(name, checked(value, pointer(name)));
}

void ObjectWriter::numbers(std::string_view name, std::span<const double> values)
{
    QJsonArray array;
    for (const double value : values)
        array.append(std::abs(value) <= kMaxNumber
                         ? QJsonValue(value == 0 ? 0.0 : value)
                         : checked(value, pointer(name) + "/" + std::to_string(array.size())));
    put(name, array);
}

void ObjectWriter::vector(std::string_view name, const Vector3& value, const Vector3& standard)
{
    if (value != standard) numbers(name, std::span(value.data(), 3));
}

void ObjectWriter::quaternion(std::string_view name, const Quaternion& value, const Quaternion& standard)
{
    if (value.coeffs() != standard.coeffs()) numbers(name, std::span(value.coeffs().data(), 4));
}

void ObjectWriter::object(std::string_view name, const ObjectWriter& object)
{
    const QJsonObject written = object.take();
    if (!written.isEmpty()) put(name, written);
}

QJsonObject ObjectWriter::take() const
{
    QJsonObject object = m_object;
    for (auto it = m_unknown.begin(); it != m_unknown.end(); ++it)
        if (!object.contains(it.key())) object.insert(it.key(), it.value());
    return object;
}

} // namespace tendon::project
