#include "core/io/readers/pictures/PictureDecoder.h"

#include "core/io/formats/PictureType.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>
#include <png.h>

namespace tendon {
namespace {

constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 26;

bool isAllowed(std::uint64_t width, std::uint64_t height)
{
    return width > 0 && height > 0 && width <= kMaxPixels && height <= kMaxPixels && width * height <= kMaxPixels;
}

void allocate(Picture& picture, std::uint32_t width, std::uint32_t height)
{
    picture.width = width;
    picture.height = height;
    picture.rgba.resize(std::size_t{4} * width * height);
}

Picture decodePng(std::span<const std::uint8_t> encoded)
{
    Picture picture;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, encoded.data(), encoded.size()) == 0) return {};
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    if (isAllowed(image.width, image.height)) {
        allocate(picture, image.width, image.height);
        if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0) picture = {};
    }
    png_image_free(&image);
    return picture;
}

struct JpegErrors
{
    jpeg_error_mgr manager; ///< first: libjpeg hands on a pointer to it
    std::jmp_buf back;
};

/// libjpeg reports errors by a jump to `errors.back`: so nothing here has a destructor.
bool readJpeg(std::span<const std::uint8_t> encoded, std::uint32_t maxSide, jpeg_decompress_struct& jpeg,
              JpegErrors& errors, Picture& picture)
{
    if (setjmp(errors.back) != 0) return false;
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, encoded.data(), encoded.size());
    jpeg_read_header(&jpeg, TRUE);
    if (!isAllowed(jpeg.image_width, jpeg.image_height)) return false;
    jpeg.scale_num = jpeg.scale_denom = 1; // what is much too large is decoded smaller
    while (jpeg.scale_denom < 8 && std::max(jpeg.image_width, jpeg.image_height) / (2 * jpeg.scale_denom) >= maxSide)
        jpeg.scale_denom *= 2;
    const bool isCmyk = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
    jpeg.out_color_space = isCmyk ? JCS_CMYK : JCS_EXT_RGBA; // four bytes a pixel either way
    jpeg_start_decompress(&jpeg);
    allocate(picture, jpeg.output_width, jpeg.output_height);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = picture.rgba.data() + std::size_t{4} * jpeg.output_width * jpeg.output_scanline;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    if (!isCmyk) return true;
    const unsigned flip = jpeg.saw_Adobe_marker != 0 ? 0 : 255; // Adobe stores ink inverted
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        const unsigned black = picture.rgba[i + 3] ^ flip;
        for (std::size_t k = 0; k < 3; ++k)
            picture.rgba[i + k] = static_cast<std::uint8_t>((picture.rgba[i + k] ^ flip) * black / 255);
        picture.rgba[i + 3] = 255;
    }
    return true;
}

Picture decodeJpeg(std::span<const std::uint8_t> encoded, std::uint32_t maxSide)
{
    jpeg_decompress_struct jpeg{};
    JpegErrors errors{};
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = [](j_common_ptr info) {
        std::longjmp(reinterpret_cast<JpegErrors*>(info->err)->back, 1);
    };
    errors.manager.output_message = [](j_common_ptr) {}; // warnings are no news to anybody
    Picture picture;
    if (!readJpeg(encoded, maxSide, jpeg, errors, picture)) picture = {};
    jpeg_destroy_decompress(&jpeg);
    return picture;
}

/// Each pixel is the mean of those that it covers.
Picture scaledTo(const Picture& picture, std::uint32_t width, std::uint32_t height)
{
    Picture small;
    allocate(small, width, height);
    const auto bound = [](std::uint64_t i, std::uint32_t from, std::uint32_t to) {
        return static_cast<std::size_t>(i * from / to);
    };
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            std::uint64_t sums[4] = {}, count = 0;
            for (std::size_t v = bound(y, picture.height, height); v < bound(y + 1, picture.height, height); ++v)
                for (std::size_t u = bound(x, picture.width, width); u < bound(x + 1, picture.width, width);
                     ++u, ++count)
                    for (std::size_t k = 0; k < 4; ++k) sums[k] += picture.rgba[4 * (v * picture.width + u) + k];
            for (std::size_t k = 0; k < 4; ++k)
                small.rgba[4 * (std::size_t{y} * width + x) + k] = static_cast<std::uint8_t>((sums[k] + count / 2) /
                                                                                             count);
        }
    return small;
}

} // namespace

Picture decodePicture(std::span<const std::uint8_t> encoded, std::uint32_t maxSide)
{
    const auto type = pictureTypeOf(encoded);
    Picture picture = type == "image/png"    ? decodePng(encoded)
                      : type == "image/jpeg" ? decodeJpeg(encoded, maxSide)
                                             : Picture{};
    const std::uint64_t longer = std::max(picture.width, picture.height);
    if (longer <= maxSide) return picture;
    const auto fitted = [&](std::uint64_t side) {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, side * maxSide / longer));
    };
    return scaledTo(picture, fitted(picture.width), fitted(picture.height));
}

} // namespace tendon
