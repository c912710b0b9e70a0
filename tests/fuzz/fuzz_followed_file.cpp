// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte as the form of a file, the others as its content: what is read of it while it grows is what it holds.
#include "engine/program/metrics/followed_file.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <cstdlib>
#include <fstream>

using namespace trainyard;
using namespace trainyard::program;

namespace {

constexpr FrameworkForm kForms[]{FrameworkForm::EventFile, FrameworkForm::WandbLog,     FrameworkForm::Table,
                                 FrameworkForm::JsonLines, FrameworkForm::JsonDocument, FrameworkForm::MlflowSeries};

struct Read {
    std::int64_t points = 0, skipped = 0;
    bool failed = false;
};

Read follow(FrameworkForm form, std::string_view bytes, std::size_t piece) {
    static const MadeFolder folder;
    const std::filesystem::path file = folder.path() / "metrics";
    std::filesystem::remove(file);
    FollowedFile followed(file, form, {}, 0);
    Read read;
    const FrameworkTold told{[&](const std::string& name, const imports::Point&) {
                                 require(name.size() <= 210, "a name is bounded");
                                 ++read.points;
                             },
                             [](std::int64_t) {}};
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        std::ofstream(file, std::ios::binary | std::ios::app) << bytes.substr(at, piece);
        read.failed = !followed.look(told).ok() || read.failed;
    }
    read.failed = !followed.end(told).ok() || read.failed;
    read.skipped = followed.skipped();
    return read;
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size < 2) return 0;
    const FrameworkForm form = kForms[data[0] % std::size(kForms)];
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const Read whole = follow(form, bytes, bytes.size());
    if (form == FrameworkForm::JsonDocument) return 0; // half of it may be one, too
    const Read pieces = follow(form, bytes, bytes.size() / 3 + 1);
    require(whole.failed == pieces.failed && whole.points == pieces.points && whole.skipped == pieces.skipped,
            "pieces make no difference");
    return 0;
}
