#include "app/viewport/render/TextureStore.h"

#include "core/io/import/Pictures.h"

#include <Qt3DRender/QAbstractTexture>
#include <Qt3DRender/QAbstractTextureImage>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QTextureImageData>
#include <Qt3DRender/QTextureImageDataGenerator>

#include <QCoreApplication>
#include <QImage>
#include <QLoggingCategory>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tendon::viewport {
namespace {

// A software renderer samples large textures from memory; at the sizes of a viewport, more than this is not visible.
constexpr std::uint32_t kMaxSide = 2048;

Q_LOGGING_CATEGORY(logTextures, "tendon.viewport.textures", QtWarningMsg)

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

/// The same pixels, owned by the image; null if the picture is empty.
QImage imageOf(Picture picture)
{
    if (picture.rgba.empty()) return {};
    auto* pixels = new Picture(std::move(picture));
    return QImage(
        pixels->rgba.data(), static_cast<int>(pixels->width), static_cast<int>(pixels->height),
        static_cast<qsizetype>(4) * pixels->width, QImage::Format_RGBA8888,
        [](void* owned) { delete static_cast<Picture*>(owned); }, pixels);
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
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
    int awaited = 0;

    struct Wanted
    {
        std::int32_t index;
        TextureUse use;
        QPointer<Qt3DRender::QAbstractTexture> texture;
    };
    std::vector<Wanted> wanted; ///< not yet with a decoder
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
    *m_impl->cancelled = true;
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
    m_impl->wanted.push_back({index, use, texture});
    if (m_impl->wanted.size() == 1) // those that are asked for in one go are decoded together
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [store = std::weak_ptr(m_impl)] {
                if (const auto impl = store.lock()) startDecoding(impl);
            },
            Qt::QueuedConnection);
    return texture;
}

/// Starts a child for each batch: large enough to be worth it, small enough that both threads have work and textures
/// appear one after another.
void TextureStore::startDecoding(const std::shared_ptr<Impl>& impl)
{
    constexpr std::size_t kMaxBatch = 4;
    const std::vector<Impl::Wanted> all = std::exchange(impl->wanted, {});
    for (std::size_t begin = 0; begin < all.size(); begin += kMaxBatch) {
        const std::size_t end = std::min(begin + kMaxBatch, all.size());
        const std::vector<Impl::Wanted> batch(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                              all.begin() + static_cast<std::ptrdiff_t>(end));
        impl->pool.start([store = std::weak_ptr(impl), model = impl->model, cancelled = impl->cancelled, batch] {
            std::vector<std::span<const std::uint8_t>> encoded;
            for (const Impl::Wanted& wanted : batch)
                encoded.push_back(model->textures[static_cast<std::size_t>(wanted.index)].encoded);
            auto pictures = decodePictures(encoded, kMaxSide, cancelled.get());
            if (!pictures) qCWarning(logTextures, "textures are not shown: %s", pictures.error().text().c_str());
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const QImage image = pictures ? imageOf(std::move((*pictures)[i])) : QImage();
                QMetaObject::invokeMethod(
                    QCoreApplication::instance(),
                    [store, wanted = batch[i], image] {
                        const auto alive = store.lock();
                        if (!alive) return;
                        --alive->awaited;
                        if (wanted.texture && !image.isNull()) showImage(wanted.texture, image, wanted.use);
                        alive->arrived();
                    },
                    Qt::QueuedConnection);
            }
        });
    }
}

bool TextureStore::isComplete() const { return m_impl->awaited == 0; }

void TextureStore::waitUntilComplete()
{
    startDecoding(m_impl);
    m_impl->pool.waitForDone();
    while (m_impl->awaited > 0) QCoreApplication::sendPostedEvents(QCoreApplication::instance(), QEvent::MetaCall);
}

} // namespace tendon::viewport
