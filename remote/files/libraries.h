// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries for programs that are copied to hosts: needed ones, missing ones, and copies of this computer's for
// hosts on which nobody may install them.
#pragma once

#include "remote/files/stage.h"

#include <optional>

namespace trainyard::remote {

// A library that a program of this computer needs.
struct NeededLibrary {
    std::string name;           // that the program asks for: "libtorch.so.1.13"
    std::filesystem::path file; // here; empty: this computer has none
};

// At all levels. Empty if ldd fails.
std::vector<NeededLibrary> neededLibraries(const std::filesystem::path& program);
// Whether it can be copied: not if it belongs to the C library, and so to the system, or to a driver.
bool isCopied(const std::string& library);
// Bytes that would be copied for all programs together. Nothing: this computer lacks one of the libraries.
std::optional<std::int64_t> copiedBytes(const std::vector<std::filesystem::path>& programs);

// "sudo apt install libtorch1.13 libgomp1" for libraries missing on a host. Packages are looked up on this computer;
// libraries without one are named.
std::string installHint(const std::vector<std::string>& libraries);

// The libraries that a program on a host lacks.
struct LibraryLack {
    std::vector<std::string> missing; // names
    std::string newer;                // version of the C library that it needs: "GLIBC_2.38"
    std::string folder;               // with copies, which the program has to be given (environmentOf()); or empty
    bool none() const { return missing.empty() && newer.empty(); }
};
// Finds the libraries that a program lacks on its host, with or without the folder of copies beside it.
Result<LibraryLack> lackOf(SshSession& session, const std::string& program);
// Environment with code HostUnsuitable; names the packages to install.
Error lackError(const SshSession& session, const std::string& program, const LibraryLack& lack);

// Copies the needed libraries, except those that isCopied() excludes, to the host, each set once, and links them as
// `libraries` beside `program`. Environment: as stagePath().
Result<Staged> sendLibraries(SshSession& session, const HostBasics& basics,
                             const std::vector<std::filesystem::path>& programs, const std::string& program,
                             DigestCache& digests);

// Adds the variables by which programs find a folder of copies. An empty folder adds none.
std::map<std::string, std::string> withLibraries(const std::string& folder,
                                                 std::map<std::string, std::string> environment = {});

} // namespace trainyard::remote
