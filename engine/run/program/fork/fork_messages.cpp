// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/fork_messages.h"

#include "engine/base/text/printable.h"
#include "engine/run/program/fork/stacks_signal.h"

#include <charconv>
#include <optional>

namespace trainyard::run {
namespace {

// The word up to the next space, taken off.
std::string_view takeWord(std::string_view& text) {
    const auto space = text.find(' ');
    const auto word = text.substr(0, space);
    text.remove_prefix(space == text.npos ? text.size() : space + 1);
    return word;
}

std::optional<int> takeNumber(std::string_view& text) {
    const auto word = takeWord(text);
    int number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (problem != std::errc() || end != word.data() + word.size() || number < 0) return std::nullopt;
    return number;
}

} // namespace

std::string encodeForkRequest(const ForkRequest& request) {
    std::string text = "trainyard fork 1";
    const auto add = [&text](const std::string& word) {
        text += '\0';
        text += word;
    };
    add(std::to_string(stacksSignal()));
    add(request.mark);
    std::string early;
    for (const auto& each : request.early) early += (early.empty() ? "" : ",") + each;
    add(early);
    add(request.folder);
    add(std::to_string(request.words.size()));
    for (const auto& word : request.words) add(word);
    for (const auto& variable : request.environment) add(variable);
    text += '\0';
    return text;
}

ForkReply parseForkReply(std::string_view bytes) {
    using Kind = ForkReply::Kind;
    if (bytes.size() > kMaxForkReply) return {};
    const auto kind = takeWord(bytes);
    if (kind == "gone" && bytes.empty()) return {.kind = Kind::Gone};
    if (kind == "unfit" || kind == "useless")
        return {.kind = kind == "unfit" ? Kind::Unfit : Kind::Useless, .reason = printable(bytes, 500)};
    const bool isRank = kind == "rank";
    if (!isRank && kind != "exit" && kind != "signal") return {};
    const auto first = takeNumber(bytes);
    if (!first) return {};
    if (!isRank) {
        const bool exited = kind == "exit";
        if (!bytes.empty() || *first > (exited ? 255 : 127) || (!exited && *first == 0)) return {};
        return {.kind = exited ? Kind::Exited : Kind::Killed, .value = *first};
    }
    const auto second = takeNumber(bytes);
    if (!second || !bytes.empty() || *first < 2 || *second < 2) return {}; // 0, 1: all of a group, and init
    return {.kind = Kind::Rank, .rank = *first, .holder = *second};
}

} // namespace trainyard::run
