#pragma once

#include <string>
#include <vector>

namespace tendon::cli {

/// Text in columns for people to read: the first column to the left, as are all that hold words; numbers to the right.
class Table
{
public:
    explicit Table(std::vector<std::string> heads) : m_rows{std::move(heads)} {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); } ///< as many as there are heads
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

/// A number with at most `decimals` behind the point and no zeros at its end.
[[nodiscard]] std::string shown(double value, int decimals = 3);

} // namespace tendon::cli
