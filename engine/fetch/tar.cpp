// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/tar.h"

#include "engine/base/files/tar_archive.h"

#include <algorithm>
#include <set>

namespace trainyard::fetch {

Result<void> unpackTar(const std::filesystem::path& archive, const std::vector<Member>& members,
                       const std::filesystem::path& folder) {
    TY_ASSIGN(TarReader reader, TarReader::open(archive));
    std::set<std::string> written;
    while (written.size() < members.size()) {
        TY_ASSIGN(const auto entry, reader.next());
        if (!entry) break;
        const std::string name = entry->path.substr(entry->path.find_last_of('/') + 1);
        const auto member = std::find_if(members.begin(), members.end(),
                                         [&](const Member& each) { return entry->isFile && each.name == name; });
        if (member == members.end()) continue;
        if (entry->bytes != member->bytes)
            return reader.fail(member->name + " has " + std::to_string(entry->bytes) +
                               " bytes in the archive instead of " + std::to_string(member->bytes));
        if (!written.insert(member->name).second) return reader.fail(member->name + " is there twice");
        TY_TRY(writeFileAtomic(folder / member->name, static_cast<std::size_t>(entry->bytes),
                               [&](const ByteSink& sink) { return reader.read(sink); }));
    }
    for (const Member& member : members)
        if (!written.contains(member.name)) return reader.fail("ends without " + member.name);
    return {};
}

} // namespace trainyard::fetch
