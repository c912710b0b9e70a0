// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace trainyard::remote {

// What a private key file tells without its passphrase.
struct KeyFile {
    std::string path;
    std::string type; // "ssh-ed25519"; empty when the format does not tell (old PEM files)
    std::string blob; // public key; empty when unknown
    bool encrypted = false;
    bool isRsa() const { return type == "ssh-rsa"; }
};

// Input when the file is missing, unreadable, a public key or no private key at all.
Result<KeyFile> inspectKeyFile(const std::filesystem::path& file);
// The key of a public key file, which the agent may have; empty when it is none.
std::string publicKeyIn(const std::filesystem::path& file);

} // namespace trainyard::remote
