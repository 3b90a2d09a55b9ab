#pragma once

#include "core/base/Result.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tendon {

/// Why a text is not JSON that has one meaning.
struct JsonFlaw
{
    std::size_t offset = 0; ///< [bytes]
    std::string pointer;    ///< JSON pointer to the object or value; none in text that is not JSON at all
    std::string message;    ///< with a remedy if the text is JSON
    bool isJson = false;
};

struct ParsedJson
{
    QJsonDocument document; ///< null if there is a flaw
    std::optional<JsonFlaw> flaw;
};

/// Parses UTF-8. Stricter than JSON: an object that gives a member twice, and a string with half of a surrogate pair,
/// are flaws, because programs read them in different ways, and neither can be written back.
[[nodiscard]] ParsedJson parseJson(std::string_view text);

/// The object that a file is. `kind`: what the file should be, such as "a Tendon project". The errors name the place.
[[nodiscard]] Result<QJsonObject> parseJsonObject(std::string_view text, const std::string& kind);

/// The line in which a byte is, from 1.
[[nodiscard]] int lineOf(std::string_view text, std::size_t offset);

} // namespace tendon
