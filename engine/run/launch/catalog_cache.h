// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"

#include <filesystem>
#include <memory>

namespace trainyard::run {

using SharedCatalog = std::shared_ptr<const spec::Catalog>; // never null where it is a Result's

// The worker's catalog, from a cache keyed by the worker program's size and time; asks the worker (0.4 s) when it
// changed. Environment when there is no worker or it fails.
Result<SharedCatalog> loadCatalog(const std::filesystem::path& workerProgram);
// Null where the worker would have to be asked.
SharedCatalog knownCatalog(const std::filesystem::path& workerProgram);
// As loadCatalog(), without the cache, which it renews.
Result<SharedCatalog> refreshCatalog(const std::filesystem::path& workerProgram);

} // namespace trainyard::run
