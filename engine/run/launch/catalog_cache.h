// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <filesystem>

namespace trainyard::run {

// The worker's catalog, from a cache keyed by the worker program's size and time; asks the worker (0.4 s) when it
// changed. Environment when there is no worker or it fails.
Result<spec::Catalog> loadCatalog(const std::filesystem::path& workerProgram);
// The same without the cache, which it renews.
Result<spec::Catalog> refreshCatalog(const std::filesystem::path& workerProgram);

} // namespace trainyard::run
