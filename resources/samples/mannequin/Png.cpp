#include "resources/samples/mannequin/Png.h"

#include <QByteArray>

#include <array>
#include <cassert>
#include <string_view>

namespace tendon::mannequin {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// CRC of PNG (ISO 15948, annex D).
std::uint32_t crc(const std::uint8_t* data, std::size_t size)
{
    static const std::array<std::uint32_t, 256> table = [] {
        std::array<std::uint32_t, 256> result{};
        for (std::uint32_t n = 0; n < 256; ++n) {
            std::uint32_t c = n;
            for (int bit = 0; bit < 8; ++bit) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
            result[n] = c;
        }
        return result;
    }();
    std::uint32_t c = 0xffffffffu;
    for (std::size_t i = 0; i < size; ++i) c = table[(c ^ data[i]) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

void append32(Bytes& out, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void appendChunk(Bytes& out, std::string_view type, const Bytes& data)
{
    append32(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = out.size();
    out.insert(out.end(), type.begin(), type.end());
    out.insert(out.end(), data.begin(), data.end());
    append32(out, crc(out.data() + begin, out.size() - begin));
}

/// Each row as differences to the row above (filter "Up"; ISO 15948, 9.2), which suits smooth pictures.
Bytes filtered(int width, int height, const Bytes& rgb)
{
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    Bytes result;
    result.reserve(static_cast<std::size_t>(height) * (row + 1));
    for (std::size_t i = 0; i < rgb.size(); ++i) {
        if (i % row == 0) result.push_back(2);
        result.push_back(static_cast<std::uint8_t>(rgb[i] - (i < row ? 0 : rgb[i - row])));
    }
    return result;
}

} // namespace

std::vector<std::uint8_t> pngBytes(int width, int height, const std::vector<std::uint8_t>& rgb)
{
    assert(rgb.size() == static_cast<std::size_t>(width) * height * 3);
    Bytes header;
    append32(header, static_cast<std::uint32_t>(width));
    append32(header, static_cast<std::uint32_t>(height));
    header.insert(header.end(), {8, 2, 0, 0, 0}); // bits a channel, RGB, deflate, adaptive filters, not interlaced

    // qCompress writes the length in four bytes and then a zlib stream, which is what PNG wants.
    const Bytes pixels = filtered(width, height, rgb);
    const QByteArray packed = qCompress(pixels.data(), static_cast<qsizetype>(pixels.size()), 6);

    Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    appendChunk(out, "IHDR", header);
    appendChunk(out, "sRGB", {0});
    appendChunk(out, "IDAT", Bytes(packed.begin() + 4, packed.end()));
    appendChunk(out, "IEND", {});
    return out;
}

} // namespace tendon::mannequin
