#pragma once

#include "core/io/readers/assimp/AssimpModel.h"

#include <assimp/IOSystem.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tendon::assimp {

/// The files that Assimp may open: the model itself, from memory, and those that `beside` returns. Nothing is written.
class FolderSystem : public Assimp::IOSystem
{
public:
    /// `model` outlives this.
    FolderSystem(std::string modelName, std::span<const std::uint8_t> model, ReadBeside beside);

    bool Exists(const char* file) const override;
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* file, const char* mode) override;
    void Close(Assimp::IOStream* stream) override;

private:
    [[nodiscard]] const std::span<const std::uint8_t>* find(std::string name) const;

    std::string m_modelName;
    ReadBeside m_beside;
    mutable std::map<std::string, std::vector<std::uint8_t>> m_read;
    mutable std::map<std::string, std::span<const std::uint8_t>> m_files; ///< data() == nullptr: not available
};

} // namespace tendon::assimp
