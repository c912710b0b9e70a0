// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/facts/git_facts.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/capture.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr double kGitSeconds = 2;
constexpr std::size_t kMostPatch = 10'000'000, kMostUntracked = 1000, kMostUntrackedBytes = 1u << 20;

// What git answers; nothing where it has failed, with why.
std::optional<std::string> ask(const fs::path& project, const std::vector<std::string>& words, std::string* why = {}) {
    std::vector<std::string> all{"GIT_OPTIONAL_LOCKS=0",
                                 "GIT_TERMINAL_PROMPT=0",
                                 "LC_ALL=C",
                                 "git",
                                 "-C",
                                 project.string(),
                                 "-c",
                                 "core.fsmonitor=false",
                                 "-c",
                                 "core.quotepath=off"};
    all.insert(all.end(), words.begin(), words.end());
    auto answer = capture("/usr/bin/env", all, kGitSeconds);
    if (answer && answer->exitCode == 0) return std::move(answer->output);
    if (why)
        *why = !answer                   ? "git " + answer.error().message
               : answer->exitCode == 127 ? std::string("there is no git program")
                                         : printable(answer->errors.substr(0, answer->errors.find('\n')), 300);
    return std::nullopt;
}

std::string firstLine(const std::optional<std::string>& text) {
    return text ? text->substr(0, text->find('\n')) : std::string();
}

std::vector<std::string> partsBetweenNul(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty() && parts.size() < kMostUntracked) {
        const auto end = std::min(text.find('\0'), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// "-4f1e… path (describe)", a line each.
std::map<std::string, std::string> submodulesIn(std::string_view text) {
    std::map<std::string, std::string> found;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.size() < 43) continue;
        line.remove_prefix(1);
        const auto space = line.find(' ');
        if (space == line.npos) continue;
        const auto path =
            line.substr(space + 1, line.rfind(" (") == line.npos ? line.npos : line.rfind(" (") - space - 1);
        found.emplace(path, line.substr(0, space));
    }
    return found;
}

void addUntracked(const fs::path& project, GitFacts& facts) {
    for (const auto& path : facts.untracked) {
        std::error_code ignored;
        if (fs::is_symlink(project / path, ignored)) continue;
        const auto content = readFile(project / path, kMostUntrackedBytes);
        if (!content) continue;
        auto part = newFilePatch(path, *content);
        if (facts.patch.size() + part.size() > kMostPatch) {
            facts.patchIsCut = true;
            return;
        }
        facts.patch += part;
    }
}

} // namespace

GitFacts gitFacts(const fs::path& project, const std::function<bool()>& goesOn) {
    GitFacts facts;
    const auto inside = ask(project, {"rev-parse", "--is-inside-work-tree"}, &facts.missing);
    if (!inside) return facts;
    facts.commit = firstLine(ask(project, {"rev-parse", "HEAD"}));
    facts.branch = firstLine(ask(project, {"symbolic-ref", "--short", "-q", "HEAD"}));
    facts.remote = withoutCredentials(firstLine(ask(project, {"config", "--get", "remote.origin.url"})));
    if (!goesOn()) return facts.patchIsCut = true, facts;
    if (const auto names = ask(project, {"ls-files", "--others", "--exclude-standard", "-z"}))
        facts.untracked = partsBetweenNul(*names);
    std::error_code ignored;
    if (fs::exists(project / ".gitmodules", ignored) && goesOn())
        if (const auto modules = ask(project, {"submodule", "status"})) facts.submodules = submodulesIn(*modules);
    if (!goesOn()) return facts.patchIsCut = true, facts;
    auto patch = ask(project, {"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--binary",
                               facts.commit.empty() ? "--cached" : "HEAD"});
    facts.patchIsCut = !patch || patch->size() > kMostPatch;
    if (patch && patch->size() <= kMostPatch) facts.patch = std::move(*patch);
    if (!facts.patchIsCut) addUntracked(project, facts);
    return facts;
}

std::string withoutCredentials(std::string_view url) {
    const auto scheme = url.find("://");
    if (scheme == url.npos) return std::string(url); // git@host:path: no password can stand there
    const auto from = scheme + 3, slash = std::min(url.find('/', from), url.size());
    const auto at = url.substr(0, slash).rfind('@');
    if (at == url.npos || at < from) return std::string(url);
    return std::string(url.substr(0, from)) + std::string(url.substr(at + 1));
}

std::string newFilePatch(const std::string& path, std::string_view content) {
    if (content.find('\0') != content.npos || path.find('\n') != path.npos) return {};
    std::string patch = "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n";
    if (content.empty()) return patch;
    const bool isEnded = content.ends_with('\n');
    const auto lines = std::ranges::count(content, '\n') + (isEnded ? 0 : 1);
    patch += "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1," + std::to_string(lines) + " @@\n";
    while (!content.empty()) {
        const auto end = std::min(content.find('\n'), content.size());
        patch += "+" + std::string(content.substr(0, end)) + "\n";
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    if (!isEnded) patch += "\\ No newline at end of file\n";
    return patch;
}

} // namespace trainyard::run
