#pragma once

#include "core/io/model/ByteStream.h"
#include "core/io/model/Picture.h"

#include <cstdint>
#include <vector>

namespace tendon {

// What decodePictures() and its child send each other: PictureFiles to the child, then one Picture after another back.

struct PictureFile
{
    std::vector<std::uint8_t> encoded;
};

struct PictureFiles
{
    std::uint32_t maxSide = 0;
    std::vector<PictureFile> files;
};

template <typename Archive>
void describe(Archive& a, PictureFile& file)
{
    a(file.encoded);
}

template <typename Archive>
void describe(Archive& a, PictureFiles& files)
{
    a(files.maxSide);
    a(files.files);
}

template <typename Archive>
void describe(Archive& a, Picture& picture)
{
    a(picture.width);
    a(picture.height);
    a(picture.rgba);
}

} // namespace tendon
