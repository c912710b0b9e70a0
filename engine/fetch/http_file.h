// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace trainyard::fetch {

// How a file is asked of a server.
struct HttpOptions {
    std::int64_t bytes = 0;  // of the whole file, as published; more is never written
    double idleSeconds = 30; // without any byte: the transfer is given up
    double connectSeconds = 15;
    std::function<void(std::int64_t)> arrived{}; // bytes of the file that are there, as they come
};

// Appends what is missing of the address's content to `part`, from where the file ends (HTTP range); a server that does
// not know ranges sends it from the start, which replaces what was there. Follows up to five redirections. Errors name
// the address. Run: the way to the server failed (no connection, cut, silent), what arrived stays in the part. Input:
// the server has not this file (404, another length). Environment: the part cannot be written.
Result<void> fetchInto(const std::string& address, const std::filesystem::path& part, const HttpOptions& options);

} // namespace trainyard::fetch
