// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/kernel_choices.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/unique_fd.h"
#include "engine/store/workspace.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr std::size_t kMostBytes = 256u << 20;

Result<std::string> linesOf(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::string();
    return readFile(file, kMostBytes);
}

std::optional<std::string> choiceIn(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(key) == line.npos) continue; // of thousands, nearly all
        const auto json = parseSortedJson(line);
        if (!json.is_object() || !json.contains("choice") || !json["choice"].is_string()) continue;
        if (const auto found = json.find("key"); found != json.end() && *found == key)
            return json["choice"].get<std::string>();
    }
    return std::nullopt;
}

} // namespace

fs::path kernelChoicesFile(const store::Workspace& workspace) {
    return store::submittedFrom(workspace).value_or(workspace).root / "kernels.jsonl";
}

Result<std::optional<std::string>> keepKernelChoice(const store::Workspace& workspace, const std::string& key,
                                                    const std::string& choice) {
    const auto file = kernelChoicesFile(workspace);
    if (choice.empty()) {
        TY_ASSIGN(const auto text, linesOf(file));
        return choiceIn(text, key);
    }
    const UniqueFd out(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!out || ::flock(out.get(), LOCK_EX) != 0) return systemError("cannot be opened", file.string());
    TY_ASSIGN(const auto text, linesOf(file));
    if (auto kept = choiceIn(text, key)) return kept; // another run was first
    // A line that a crash has cut short ends here.
    const std::string line =
        (text.empty() || text.ends_with('\n') ? "" : "\n") + jsonText(Json{{"key", key}, {"choice", choice}}) + "\n";
    if (::write(out.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        return systemError("cannot be written", file.string());
    return std::optional(choice);
}

} // namespace trainyard::run
