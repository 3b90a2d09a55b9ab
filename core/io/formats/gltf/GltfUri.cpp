#include "core/io/formats/gltf/GltfUri.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

namespace tendon::gltf {

bool isDataUri(std::string_view uri) { return uri.starts_with("data:"); }

Result<Bytes> decodeDataUri(std::string_view uri)
{
    const std::size_t comma = uri.find(',');
    if (!isDataUri(uri) || comma == std::string_view::npos)
        return Error{ErrorCode::InvalidArgument, "incomplete data URI", ""};
    const std::string_view text = uri.substr(comma + 1);
    const QByteArray encoded(text.data(), static_cast<qsizetype>(text.size()));
    if (!uri.substr(0, comma).ends_with(";base64")) {
        const QByteArray plain = QByteArray::fromPercentEncoding(encoded);
        return Bytes(plain.begin(), plain.end());
    }
    const auto alphabet = text.find_first_of("-_") == std::string_view::npos ? QByteArray::Base64Encoding
                                                                             : QByteArray::Base64UrlEncoding;
    const auto decoded = QByteArray::fromBase64Encoding(encoded, alphabet | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) return Error{ErrorCode::InvalidArgument, "invalid base64 in a data URI", ""};
    return Bytes(decoded.decoded.begin(), decoded.decoded.end());
}

std::optional<std::string> localFileOf(std::string_view uri)
{
    const std::string name =
        QByteArray::fromPercentEncoding(QByteArray(uri.data(), static_cast<qsizetype>(uri.size()))).toStdString();
    if (name.empty() || name.front() == '/' || name.back() == '/') return std::nullopt;
    for (const char c : name)
        if (c == '\\' || c == ':' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return std::nullopt;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        if (part.empty() || part == "." || part == "..") return std::nullopt;
        begin = end + 1;
    }
    return name;
}

std::string uriOf(const std::string& fileName)
{
    return QUrl::toPercentEncoding(QString::fromStdString(fileName), "/").toStdString();
}

} // namespace tendon::gltf
