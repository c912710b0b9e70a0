// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries of the programs that are copied to hosts: which they need, which a host lacks, and copies of this
// computer's for a host on which nobody may install them.
#pragma once

#include "remote/files/stage.h"

#include <optional>

namespace trainyard::remote {

// A library that a program of this computer needs.
struct NeededLibrary {
    std::string name;           // that the program asks for: "libtorch.so.1.13"
    std::filesystem::path file; // here; empty: this computer has none
};

// All levels of them. Empty when ldd fails.
std::vector<NeededLibrary> neededLibraries(const std::filesystem::path& program);
// Whether it can be copied: neither a part of the C library, which belongs to the system, nor of a driver.
bool isCopied(const std::string& library);
// Bytes of those that would be copied, for all programs together. Nothing: this computer lacks one of them.
std::optional<std::int64_t> copiedBytes(const std::vector<std::filesystem::path>& programs);

// "sudo apt install libtorch1.13 libgomp1" for libraries that a host lacks; the packages are looked up on this
// computer, and libraries without one are named.
std::string installHint(const std::vector<std::string>& libraries);

// What a program of a host cannot run without.
struct LibraryLack {
    std::vector<std::string> missing; // names
    std::string newer;                // version of the C library that it needs: "GLIBC_2.38"
    std::string folder;               // with copies, which the program has to be given (environmentOf()); or empty
    bool none() const { return missing.empty() && newer.empty(); }
};
// Looks up what a program lacks on its host, copies in the folder `libraries` beside it being there or not.
Result<LibraryLack> lackOf(SshSession& session, const std::string& program);
// Environment, HostUnsuitable, with the packages to install.
Error lackError(const SshSession& session, const std::string& program, const LibraryLack& lack);

// Copies what these programs of this computer need, but for what isCopied() excludes, to the host, once for the same
// libraries, and makes it the folder `libraries` beside `program` of the host. Environment: as of stagePath().
Result<Staged> sendLibraries(SshSession& session, const HostBasics& basics,
                             const std::vector<std::filesystem::path>& programs, const std::string& program,
                             DigestCache& digests);

// The variables for programs that need a folder of copies, added to those given. Nothing changes for an empty folder.
std::map<std::string, std::string> withLibraries(const std::string& folder,
                                                 std::map<std::string, std::string> environment = {});

} // namespace trainyard::remote
