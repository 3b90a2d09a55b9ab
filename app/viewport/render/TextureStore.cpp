#include "app/viewport/render/TextureStore.h"

#include <Qt3DRender/QAbstractTexture>
#include <Qt3DRender/QAbstractTextureImage>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QTextureImageData>
#include <Qt3DRender/QTextureImageDataGenerator>

#include <QCoreApplication>
#include <QImage>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>

#include <map>

namespace tendon::viewport {
namespace {

// A software renderer samples large textures from memory; at the sizes of a viewport, more than this is not visible.
constexpr int kMaxSide = 2048;

Qt3DRender::QTextureImageDataPtr imageData(const QImage& image, TextureUse use)
{
    const auto data = Qt3DRender::QTextureImageDataPtr::create();
    data->setWidth(image.width());
    data->setHeight(image.height());
    data->setDepth(1);
    data->setFaces(1);
    data->setLayers(1);
    data->setMipLevels(1);
    data->setTarget(QOpenGLTexture::Target2D);
    data->setFormat(use == TextureUse::Colour ? QOpenGLTexture::SRGB8_Alpha8 : QOpenGLTexture::RGBA8_UNorm);
    data->setPixelFormat(QOpenGLTexture::RGBA);
    data->setPixelType(QOpenGLTexture::UInt8);
    data->setData(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()), 4);
    return data;
}

/// Gives an image in memory to Qt 3D.
class ImageGenerator : public Qt3DRender::QTextureImageDataGenerator
{
public:
    ImageGenerator(QImage image, TextureUse use) : m_image(std::move(image)), m_use(use) {}

    Qt3DRender::QTextureImageDataPtr operator()() override { return imageData(m_image, m_use); }
    bool operator==(const Qt3DRender::QTextureImageDataGenerator& other) const override
    {
        const auto* same = functor_cast<ImageGenerator>(&other);
        return same != nullptr && same->m_image.cacheKey() == m_image.cacheKey() && same->m_use == m_use;
    }
    QT3D_FUNCTOR(ImageGenerator)

private:
    QImage m_image;
    TextureUse m_use;
};

class MemoryImage : public Qt3DRender::QAbstractTextureImage
{
public:
    MemoryImage(QImage image, TextureUse use, Qt3DCore::QNode* parent)
        : QAbstractTextureImage(parent), m_image(std::move(image)), m_use(use)
    {
    }

    void setImage(QImage image)
    {
        m_image = std::move(image);
        notifyDataGeneratorChanged();
    }

protected:
    Qt3DRender::QTextureImageDataGeneratorPtr dataGenerator() const override
    {
        return Qt3DRender::QTextureImageDataGeneratorPtr(new ImageGenerator(m_image, m_use));
    }

private:
    QImage m_image;
    TextureUse m_use;
};

QImage decoded(const std::vector<std::uint8_t>& bytes)
{
    QImage image = QImage::fromData(bytes.data(), static_cast<int>(bytes.size()));
    if (image.isNull()) return image;
    if (std::max(image.width(), image.height()) > kMaxSide)
        image = image.scaled(kMaxSide, kMaxSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    return std::move(image).convertToFormat(QImage::Format_RGBA8888);
}

QImage onePixel(TextureUse use)
{
    QImage image(1, 1, QImage::Format_RGBA8888);
    image.fill(use == TextureUse::Normal ? QColor(128, 128, 255) : QColor(Qt::white));
    return image;
}

void showImage(Qt3DRender::QAbstractTexture* texture, const QImage& image, TextureUse use)
{
    // Keeps the object and changes its content: if the object were replaced, Qt 3D would draw the following frames
    // without it.
    texture->setSize(image.width(), image.height());
    if (const auto images = texture->textureImages(); !images.isEmpty())
        static_cast<MemoryImage*>(images.first())->setImage(image);
    else
        texture->addTextureImage(new MemoryImage(image, use, texture));
}

} // namespace

struct TextureStore::Impl
{
    std::shared_ptr<const ModelAsset> model;
    std::function<void()> arrived;
    std::map<std::pair<std::int32_t, TextureUse>, Qt3DRender::QAbstractTexture*> textures;
    QThreadPool pool;
    int awaited = 0;
};

TextureStore::TextureStore(std::shared_ptr<const ModelAsset> model, std::function<void()> arrived)
    : m_impl(std::make_shared<Impl>())
{
    m_impl->model = std::move(model);
    m_impl->arrived = std::move(arrived);
    m_impl->pool.setMaxThreadCount(2);
}

TextureStore::~TextureStore()
{
    m_impl->pool.clear();
    m_impl->pool.waitForDone();
}

Qt3DRender::QAbstractTexture* TextureStore::texture(std::int32_t index, TextureUse use)
{
    const auto key = std::pair(index, use);
    if (const auto found = m_impl->textures.find(key); found != m_impl->textures.end()) return found->second;

    // Has no parent: the first QParameter that holds it adopts it. Elsewhere in the tree Qt 3D would ignore it.
    auto* texture = new Qt3DRender::QTexture2D();
    texture->setFormat(use == TextureUse::Colour ? Qt3DRender::QAbstractTexture::SRGB8_Alpha8
                                                 : Qt3DRender::QAbstractTexture::RGBA8_UNorm);
    texture->setWrapMode(Qt3DRender::QTextureWrapMode(Qt3DRender::QTextureWrapMode::Repeat));
    texture->setMagnificationFilter(Qt3DRender::QAbstractTexture::Linear);
    texture->setMinificationFilter(Qt3DRender::QAbstractTexture::LinearMipMapLinear);
    texture->setGenerateMipMaps(true);
    showImage(texture, onePixel(use), use);
    m_impl->textures[key] = texture;

    if (index < 0 || static_cast<std::size_t>(index) >= m_impl->model->textures.size()) return texture;
    ++m_impl->awaited;
    const std::weak_ptr<Impl> store = m_impl;
    const auto model = m_impl->model;
    const QPointer<Qt3DRender::QAbstractTexture> shown = texture;
    m_impl->pool.start([store, model, index, use, shown] {
        const QImage image = decoded(model->textures[static_cast<std::size_t>(index)].encoded);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [store, shown, image, use] {
                const auto impl = store.lock();
                if (!impl) return;
                --impl->awaited;
                if (shown && !image.isNull()) showImage(shown, image, use);
                impl->arrived();
            },
            Qt::QueuedConnection);
    });
    return texture;
}

bool TextureStore::isComplete() const { return m_impl->awaited == 0; }

void TextureStore::waitUntilComplete()
{
    m_impl->pool.waitForDone();
    while (m_impl->awaited > 0) QCoreApplication::sendPostedEvents(QCoreApplication::instance(), QEvent::MetaCall);
}

} // namespace tendon::viewport
