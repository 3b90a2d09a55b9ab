#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tendon::fbx {

/// One property of a record. Texts and packed arrays are views into the file's bytes.
struct Value
{
    char type = 0; ///< as in binary files: C I L Y F D scalars, S R texts, f d l i b c arrays
    std::int64_t integer = 0;
    double number = 0;
    std::string_view bytes;     ///< of a text, or of an array's values as they stand in the file
    std::uint32_t count = 0;    ///< of an array
    bool isDeflated = false;    ///< an array's bytes
    std::vector<double> listed; ///< an array of a text file
};

/// One record of an FBX file, binary or text, with the records inside.
struct Record
{
    std::string_view name;
    std::vector<Value> properties;
    std::vector<Record> children;

    /// The first child of a name, or null.
    [[nodiscard]] const Record* find(std::string_view wanted) const;
    /// 0 and "" where there is no such property.
    [[nodiscard]] std::int64_t integerAt(std::size_t property) const;
    [[nodiscard]] double numberAt(std::size_t property) const;
    [[nodiscard]] std::string_view textAt(std::size_t property) const;
    /// The values of an array, or of all numbers where a file lists them one by one; empty when damaged.
    [[nodiscard]] std::vector<double> numbers() const;
};

/// The file's records, which point into `file`. Error: it is no FBX file or does not hold together.
[[nodiscard]] Result<std::vector<Record>> readRecords(std::span<const std::uint8_t> file);

} // namespace tendon::fbx
