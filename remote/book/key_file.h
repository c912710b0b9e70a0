// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace trainyard::remote {

// The facts in a private key file that need no passphrase.
struct KeyFile {
    std::string path;
    std::string type; // "ssh-ed25519"; empty when the format does not tell (old PEM files)
    std::string blob; // public key; empty when unknown
    bool encrypted = false;
    bool isRsa() const { return type == "ssh-rsa"; }
};

// Input: the file is missing, unreadable, a public key or no key.
Result<KeyFile> inspectKeyFile(const std::filesystem::path& file);
// The key in a public key file, which the agent may hold; empty if there is none.
std::string publicKeyIn(const std::filesystem::path& file);

} // namespace trainyard::remote
