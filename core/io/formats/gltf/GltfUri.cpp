#include "core/io/formats/gltf/GltfUri.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

namespace tendon::gltf {

bool isData(std::string_view uri) { return uri.substr(0, 5) == "data:"; }

Result<Bytes> dataOf(std::string_view uri)
{
    const auto comma = uri.find(',');
    if (comma == std::string_view::npos || uri.substr(0, comma).find(";base64") == std::string_view::npos)
        return Error{ErrorCode::InvalidArgument, "is a data URI without base64 data", {}};
    const std::string_view text = uri.substr(comma + 1);
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray(text.data(), static_cast<qsizetype>(text.size())),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) return Error{ErrorCode::InvalidArgument, "holds base64 data that cannot be decoded", {}};
    return Bytes(decoded.decoded.begin(), decoded.decoded.end());
}

std::string mediaTypeOf(std::string_view dataUri)
{
    const std::string_view rest = dataUri.substr(std::string_view("data:").size());
    return std::string(rest.substr(0, rest.find_first_of(";,")));
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
