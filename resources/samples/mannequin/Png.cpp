#include "resources/samples/mannequin/Png.h"

#include <QByteArray>

#include <array>
#include <cassert>
#include <cstdlib>
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
            for (int bit = 0; bit < 8; ++bit)
                c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
            result[n] = c;
        }
        return result;
    }();
    std::uint32_t c = 0xffffffffu;
    for (std::size_t i = 0; i < size; ++i)
        c = table[(c ^ data[i]) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

void append32(Bytes& out, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void appendChunk(Bytes& out, std::string_view type, const Bytes& data)
{
    append32(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = out.size();
    out.insert(out.end(), type.begin(), type.end());
    out.insert(out.end(), data.begin(), data.end());
    append32(out, crc(out.data() + begin, out.size() - begin));
}

/// PNG's Paeth predictor (ISO 15948, 9.4): of left, above and above left the one nearest to left + above - above left.
int paeth(int left, int above, int aboveLeft)
{
    const int guess = left + above - aboveLeft;
    const int byLeft = std::abs(guess - left), byAbove = std::abs(guess - above), byBoth = std::abs(guess - aboveLeft);
    if (byLeft <= byAbove && byLeft <= byBoth) return left;
    return byAbove <= byBoth ? above : aboveLeft;
}

Bytes filtered(int width, int height, const Bytes& rgb)
{
    const int row = 3 * width;
    Bytes result;
    result.reserve(static_cast<std::size_t>(height) * (row + 1));
    for (int y = 0; y < height; ++y) {
        result.push_back(4); // Paeth
        const auto at = [&](int x, int line) { return x < 0 || line < 0 ? 0 : int(rgb[static_cast<std::size_t>(line) * row + x]); };
        for (int x = 0; x < row; ++x)
            result.push_back(static_cast<std::uint8_t>(at(x, y) - paeth(at(x - 3, y), at(x, y - 1), at(x - 3, y - 1))));
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
    const QByteArray packed = qCompress(pixels.data(), static_cast<qsizetype>(pixels.size()), 9);

    Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    appendChunk(out, "IHDR", header);
    appendChunk(out, "sRGB", {0});
    appendChunk(out, "IDAT", Bytes(packed.begin() + 4, packed.end()));
    appendChunk(out, "IEND", {});
    return out;
}

} // namespace tendon::mannequin
