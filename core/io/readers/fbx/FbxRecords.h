#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tendon::fbx {

/// One property of a record. Strings and packed arrays are views into the file's bytes.
struct Value
{
    char type = 0; ///< as in binary files: C I L Y F D scalars, S R strings, f d l i b c arrays
    std::int64_t integer = 0;
    double number = 0;
    std::string_view bytes;     ///< of a string, or of an array's values as stored in the file
    std::uint32_t count = 0;    ///< of an array
    bool isDeflated = false;    ///< an array's bytes
    std::vector<double> listed; ///< an array of a text file
};

/// One record of a binary or text FBX file, with its nested records.
struct Record
{
    std::string_view name;
    std::vector<Value> properties;
    std::vector<Record> children;

    /// The first child with this name, or null.
    [[nodiscard]] const Record* find(std::string_view wanted) const;
    /// 0 or "" if there is no such property.
    [[nodiscard]] std::int64_t integerAt(std::size_t property) const;
    [[nodiscard]] double numberAt(std::size_t property) const;
    [[nodiscard]] std::string_view textAt(std::size_t property) const;
    /// The values of an array, or all numbers if the file lists them one by one; empty if corrupt.
    [[nodiscard]] std::vector<double> numbers() const;
};

/// The file's records, which point into `file`. Errors: not an FBX file, corrupt.
[[nodiscard]] Result<std::vector<Record>> readRecords(std::span<const std::uint8_t> file);

} // namespace tendon::fbx
