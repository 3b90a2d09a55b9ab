#pragma once

#include "core/scene/ModelAsset.h"

#include <functional>
#include <memory>

namespace Qt3DRender {
class QAbstractTexture;
}

namespace tendon::viewport {

enum class TextureUse { Colour, Normal, Data }; ///< Colour: sRGB; the others hold numbers

/// The textures of one model, decoded off the GUI thread. One that is not ready, or cannot be decoded, is a plain white
/// (or flat) pixel: the material shows without it.
class TextureStore
{
public:
    TextureStore(std::shared_ptr<const ModelAsset> model, std::function<void()> arrived);
    ~TextureStore();
    TextureStore(const TextureStore&) = delete;
    TextureStore& operator=(const TextureStore&) = delete;

    /// The texture `index` of the model, as it will be drawn: owned by the first parameter it is given to. Asking for
    /// it begins its decoding.
    [[nodiscard]] Qt3DRender::QAbstractTexture* texture(std::int32_t index, TextureUse use);

    [[nodiscard]] bool isComplete() const;
    void waitUntilComplete();

private:
    struct Impl;
    std::shared_ptr<Impl> m_impl; ///< shared with the decoding under way
};

} // namespace tendon::viewport
