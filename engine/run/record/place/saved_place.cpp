// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/place/saved_place.h"

#include "engine/base/text/quoted.h"
#include "engine/spec/run/host_ranks.h"

namespace trainyard::run {

std::string recordedPath(const SavedPlace& place) {
    return place.host.empty() || spec::isSlurmHost(place.host) ? place.path : place.host.text() + ":" + place.path;
}

SavedPlace savedPlaceOf(const std::string& recorded) {
    const auto colon = recorded.find(":/");
    if (recorded.starts_with('/') || colon == recorded.npos) return {{}, recorded};
    return {HostName(recorded.substr(0, colon)), recorded.substr(colon + 1)};
}

std::filesystem::path fetchedPlace(const std::filesystem::path& runFolder, const SavedPlace& place) {
    return runFolder / "fetched" / place.host.text() / std::filesystem::path(place.path).relative_path();
}

Result<std::filesystem::path> savedHere(const std::filesystem::path& runFolder, const std::string& recorded,
                                        const std::string& run, std::int64_t step) {
    const auto place = savedPlaceOf(recorded);
    if (place.host.empty()) return std::filesystem::path(recorded);
    auto here = fetchedPlace(runFolder, place);
    std::error_code ignored;
    if (std::filesystem::exists(here, ignored)) return here;
    return inputError("the checkpoint is on " + place.host.text(), recorded,
                      "copy it here: trainyardctl fetch " + shellArgument(run + "@" + std::to_string(step)))
        .withCode(ErrorCode::FileMissing);
}

} // namespace trainyard::run
