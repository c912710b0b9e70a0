// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/run_fields.h"

#include <nlohmann/json.hpp>

namespace trainyard::spec {

void checkVersion(Json& tree, const std::string& path, Errors& errors) {
    const auto found = tree.find("version");
    if (found == tree.end()) {
        tree["version"] = kRunFileVersion;
        return;
    }
    if (!found->is_number_integer() || *found == kRunFileVersion) return; // of what is no number, the reader tells
    const std::string known = std::to_string(kRunFileVersion);
    errors.push_back({joinPath(path, "version"), shown(*found), "this program reads run files up to version " + known,
                      *found > kRunFileVersion ? "open it with a newer Trainyard" : "write " + known});
}

} // namespace trainyard::spec
