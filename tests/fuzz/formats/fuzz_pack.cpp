// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/crc32c.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/folders/tar_members.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>

using namespace trainyard;
using namespace trainyard::formats;

namespace {

const MadeFolder& packFolder() {
    static const MadeFolder made;
    return made;
}

// All that can be read through a pack: nothing outside of it, and no more than its archive has.
void readPack(const Pack& pack, std::size_t size) {
    std::size_t files = 0;
    for (std::size_t i = 0; i < pack.index().size(); ++i) {
        require(isPackedPath(pack.index().path(i)), "a name stays within its folder");
        require(pack.index().file(i).bytes <= size, "a file is no larger than its archive");
        const auto bytes = pack.read(i);
        require(bytes.ok() || !bytes.error().remedy.empty(), "an error has a remedy");
        require(!bytes.ok() || bytes->size() == pack.index().file(i).bytes, "a file is whole");
        require(pack.index().find(pack.index().path(i)) == i, "each file is found");
        if (++files == 200) break;
    }
    for (const PackedLabel& each : pack.labels())
        require(each.picture < pack.index().size() && (!each.label || *each.label < pack.index().size()),
                "labels are of files");
    const auto names = pack.namesIn("");
    require(names.has_value() && names->size() > 0, "there are names");
    for (std::size_t i = 0; i < std::min<std::size_t>(names->size(), 50); ++i)
        if (names->kind(i) == NameKind::Folder)
            require(pack.namesIn(names->name(i)).has_value(), "a folder has names in it");
}

void openIndexed(const std::string& index, std::size_t size) {
    packFolder().write(kPackIndexName, index);
    const auto pack = Pack::open(packFolder().path());
    require(pack.ok() || (!pack.error().message.empty() && !pack.error().remedy.empty()), "an error has a remedy");
    if (pack.ok() && (*pack)->index().size() > 0) readPack(**pack, size);
    if (pack.ok()) require(PackIndex::of((*pack)->index().text(), "again").ok(), "what is read can be written");
    std::filesystem::remove(packFolder().path() / kPackIndexName);
}

} // namespace

// As an archive; as an index beside that archive; and as the lines of an index whose checksum is right.
TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string given(reinterpret_cast<const char*>(data), size);
    const auto archive = packFolder().write("data-000000.tar", given);
    const auto pack = Pack::open(archive);
    require(pack.ok() || (!pack.error().message.empty() && !pack.error().remedy.empty()), "an error has a remedy");
    if (pack.ok()) readPack(**pack, size);
    openIndexed(given, size);
    std::string lines = "trainyard pack 1\nshard\t" + std::to_string(size) + "\tdata-000000.tar\n" + given;
    if (!lines.ends_with('\n')) lines += '\n';
    lines += "end\t" + std::to_string(size > 0 ? data[0] % 4 : 0) + "\t";
    char crc[10];
    std::snprintf(crc, sizeof crc, "%08x\n", crc32c(std::as_bytes(std::span(lines))));
    openIndexed(lines + crc, size);
    std::filesystem::remove(archive);
    return 0;
}
