// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/fetch_saved.h"

#include "app/ctl/hosts/host_questions.h"
#include "engine/base/json_text.h"
#include "engine/run/record/place/saved_place.h"
#include "remote/book/host_book.h"
#include "remote/files/run_copies.h"
#include "remote/hosts/connect.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <memory>

namespace trainyard::ctl {

bool isSavedOnHost(const store::CheckpointRow& row) { return !run::savedPlaceOf(row.path).host.empty(); }

Result<int> fetchSaved(const Session& session, const store::RunRow& run,
                       const std::vector<store::CheckpointRow>& rows) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    std::map<std::string, std::shared_ptr<remote::SshSession>> hosts;
    remote::DigestCache digests;
    Json list = Json::array();
    for (const auto& row : rows) {
        const auto place = run::savedPlaceOf(row.path);
        auto& host = hosts[place.host];
        if (!host) {
            TY_ASSIGN(const auto entry, book.resolve(place.host));
            TY_ASSIGN(host, remote::connectToHost(entry, askingOptions(false)));
        }
        const auto here = run::fetchedPlace(run.folder, place);
        TY_TRY(remote::fetchFileOrFolder(*host, place.path, here, digests));
        list.push_back({{"run", run.id}, {"step", row.step}, {"bytes", row.bytes}, {"path", here.string()}});
        if (!session.json) std::printf("%s\n", here.c_str());
    }
    if (!session.json) return 0;
    return printJson(rows.size() == 1 ? list.at(0) : list);
}

} // namespace trainyard::ctl
