#include "app/cli/Table.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tendon::cli {
namespace {

/// Characters, not bytes.
std::size_t widthOf(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool isNumber(const std::string& text)
{
    double value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return text.empty() || (end.ec == std::errc() && end.ptr == text.data() + text.size());
}

} // namespace

std::string Table::text() const
{
    const std::size_t columns = m_rows[0].size();
    std::vector<std::size_t> width(columns, 0);
    std::vector<bool> isRight(columns, true);
    isRight[0] = false;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            width[c] = std::max(width[c], widthOf(m_rows[r][c]));
            if (r > 0 && !isNumber(m_rows[r][c])) isRight[c] = false;
        }
    std::string all;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string padding(width[c] - widthOf(row[c]), ' ');
            line += (c > 0 ? "  " : "") + (isRight[c] ? padding + row[c] : row[c] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        all += line + "\n";
    }
    return all;
}

std::string shown(double value, int decimals)
{
    std::array<char, 400> buffer; // the longest double has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                   decimals);
    std::string text(buffer.data(), end.ptr);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

} // namespace tendon::cli
