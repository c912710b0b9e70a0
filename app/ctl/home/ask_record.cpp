// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/ask_record.h"

#include "engine/base/error_json.h"

namespace trainyard::ctl {
namespace {

constexpr std::size_t kMostLine = 64u << 20;
constexpr double kAskSeconds = 300; // without a word: a long record is read first

} // namespace

Result<run::MirrorNews> askRecord(remote::Head& head, const run::MirrorRequest& request) {
    std::vector<run::MirrorNews> pieces;
    std::string text;
    remote::ExecOptions options;
    options.input = run::toLine(request) + "\n";
    options.silenceSeconds = kAskSeconds;
    options.sink = [&](std::span<const std::byte> bytes) -> Result<void> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        std::size_t begin = 0;
        for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
            TY_ASSIGN(pieces.emplace_back(), run::mirrorNewsFrom(std::string_view(text).substr(begin, end - begin)));
            begin = end + 1;
        }
        text.erase(0, begin);
        if (text.size() > kMostLine)
            return environmentError("its feed sends a line without an end", head.session().host().alias);
        return {};
    };
    TY_ASSIGN(const auto called, head.call({"feed"}, options));
    if (!called.ok())
        return programError("trainyardctl on " + head.session().host().alias, called.status.code, {}, called.err);
    return run::joined(std::move(pieces));
}

} // namespace trainyard::ctl
