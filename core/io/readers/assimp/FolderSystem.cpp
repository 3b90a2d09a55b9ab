#include "core/io/readers/assimp/FolderSystem.h"

#include <assimp/MemoryIOWrapper.h>

#include <algorithm>
#include <utility>

namespace tendon::assimp {

FolderSystem::FolderSystem(std::string modelName, std::span<const std::uint8_t> model, ReadBeside beside)
    : m_modelName(std::move(modelName)), m_beside(std::move(beside))
{
    m_files[m_modelName] = model;
}

const std::span<const std::uint8_t>* FolderSystem::find(std::string name) const
{
    std::replace(name.begin(), name.end(), '\\', '/');
    while (name.starts_with("./")) name.erase(0, 2);
    if (const auto known = m_files.find(name); known != m_files.end())
        return known->second.data() == nullptr ? nullptr : &known->second;
    auto& file = m_files[name];
    if (auto bytes = m_beside(name)) {
        const auto& kept = m_read[name] = std::move(*bytes);
        file = kept;
    }
    return file.data() == nullptr ? nullptr : &file;
}

bool FolderSystem::Exists(const char* file) const { return find(file) != nullptr; }

Assimp::IOStream* FolderSystem::Open(const char* file, const char* mode)
{
    if (mode != nullptr && mode[0] != 'r') return nullptr;
    const auto* bytes = find(file);
    return bytes == nullptr ? nullptr : new Assimp::MemoryIOStream(bytes->data(), bytes->size()); // Assimp's to Close()
}

void FolderSystem::Close(Assimp::IOStream* stream) { delete stream; }

} // namespace tendon::assimp
