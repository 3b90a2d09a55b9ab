#pragma once

#include <string>
#include <vector>

namespace tendon::cli {

/// Text in columns. The first column and columns of words are left-aligned, columns of numbers right-aligned.
class Table
{
public:
    explicit Table(std::vector<std::string> heads) : m_rows{std::move(heads)} {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); } ///< one cell per header
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

/// Formats a number with at most `decimals` decimals and no trailing zeros.
[[nodiscard]] std::string shown(double value, int decimals = 3);

} // namespace tendon::cli
