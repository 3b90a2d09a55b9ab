#include "core/io/readers/meshopt/MeshoptView.h"

#include <meshoptimizer.h>

namespace tendon {
namespace {

Error damaged(const std::string& what)
{
    return {ErrorCode::InvalidArgument, "its meshopt data " + what + "; the file is damaged", ""};
}

bool isStrideOf(const MeshoptView& view)
{
    if (view.mode != "ATTRIBUTES") return view.stride == 2 || view.stride == 4;
    if (view.filter == "OCTAHEDRAL") return view.stride == 4 || view.stride == 8;
    if (view.filter == "QUATERNION") return view.stride == 8;
    return view.stride > 0 && view.stride % 4 == 0 && view.stride <= 256;
}

} // namespace

Result<std::vector<std::uint8_t>> decodeMeshopt(std::span<const std::uint8_t> bytes, const MeshoptView& view,
                                                std::size_t maxBytes)
{
    const bool isTriangles = view.mode == "TRIANGLES", isAttributes = view.mode == "ATTRIBUTES";
    if (!isTriangles && !isAttributes && view.mode != "INDICES") return damaged("has no mode that is known");
    const bool isFiltered = view.filter != MeshoptView::kAsIs;
    if (isFiltered &&
        (!isAttributes || (view.filter != "OCTAHEDRAL" && view.filter != "QUATERNION" && view.filter != "EXPONENTIAL")))
        return damaged("has no filter that is known");
    if (!isStrideOf(view) || view.count == 0 || (isTriangles && view.count % 3 != 0))
        return damaged("has a size that its mode cannot have");
    if (view.count > maxBytes / view.stride)
        return Error{ErrorCode::LimitExceeded, "its meshopt data is too large to read", ""};

    std::vector<std::uint8_t> decoded(view.count * view.stride);
    const int failure =
        isAttributes ? meshopt_decodeVertexBuffer(decoded.data(), view.count, view.stride, bytes.data(), bytes.size())
        : isTriangles
            ? meshopt_decodeIndexBuffer(decoded.data(), view.count, view.stride, bytes.data(), bytes.size())
            : meshopt_decodeIndexSequence(decoded.data(), view.count, view.stride, bytes.data(), bytes.size());
    if (failure != 0) return damaged("cannot be decoded");
    if (view.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(decoded.data(), view.count, view.stride);
    if (view.filter == "QUATERNION") meshopt_decodeFilterQuat(decoded.data(), view.count, view.stride);
    if (view.filter == "EXPONENTIAL") meshopt_decodeFilterExp(decoded.data(), view.count, view.stride);
    return decoded;
}

} // namespace tendon
