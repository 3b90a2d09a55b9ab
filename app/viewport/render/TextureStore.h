#pragma once

#include "core/scene/ModelAsset.h"

#include <functional>
#include <memory>

namespace Qt3DRender {
class QAbstractTexture;
}

namespace tendon::viewport {

enum class TextureUse { Colour, Normal, Data }; ///< Colour: sRGB; the others: numbers

/// The textures of one model, decoded in the background by child processes. A texture that is not ready or cannot be
/// decoded is a white (or flat) pixel, so that the material looks as if it had none.
class TextureStore
{
public:
    TextureStore(std::shared_ptr<const ModelAsset> model, std::function<void()> arrived);
    ~TextureStore();
    TextureStore(const TextureStore&) = delete;
    TextureStore& operator=(const TextureStore&) = delete;

    /// The texture `index` of the model. The first call for a texture starts decoding it. Owned by the first parameter
    /// that it is given to.
    [[nodiscard]] Qt3DRender::QAbstractTexture* texture(std::int32_t index, TextureUse use);

    [[nodiscard]] bool isComplete() const;
    void waitUntilComplete();

private:
    struct Impl;
    static void startDecoding(const std::shared_ptr<Impl>& impl);

    std::shared_ptr<Impl> m_impl; ///< shared with running decoders
};

} // namespace tendon::viewport
