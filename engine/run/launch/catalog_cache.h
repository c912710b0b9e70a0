// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"

#include <filesystem>
#include <memory>

namespace trainyard::run {

using SharedCatalog = std::shared_ptr<const spec::Catalog>; // never null where it is a Result's

// The worker's catalog, cached under the size and time of the worker program. Asks the worker (0.4 s) after a change.
// Environment: there is no worker, or it fails.
Result<SharedCatalog> loadCatalog(const std::filesystem::path& workerProgram);
// Null if the worker would have to be asked.
SharedCatalog knownCatalog(const std::filesystem::path& workerProgram);
// As loadCatalog(), without the cache, which it renews.
Result<SharedCatalog> refreshCatalog(const std::filesystem::path& workerProgram);

} // namespace trainyard::run
