// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what is needed of ssh_config(5): the first value found for a name holds.
#include "remote/book/ssh_config.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/capture.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fnmatch.h>
#include <glob.h>
#include <optional>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

struct Line {
    std::string keyword; // in lower case
    std::vector<std::string> words;
};

struct Block { // the lines below one Host line, or before the first
    std::vector<std::string> patterns;
    bool always = false;
    bool never = false; // Match: only the system's ssh judges its conditions
    std::vector<Line> lines;
};

constexpr int kMaxIncludeDepth = 16; // as ssh itself
constexpr double kJudgeSeconds = 10; // for the system's ssh, whose conditions may run programs

std::optional<Line> splitLine(std::string_view text) {
    std::vector<std::string> words;
    std::size_t i = 0;
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; };
    while (i < text.size()) {
        // One '=' may stand between the keyword and its value.
        if (isSpace(text[i]) || (text[i] == '=' && words.size() == 1)) {
            ++i;
            continue;
        }
        if (text[i] == '#') break;
        std::string word;
        bool quoted = false;
        for (; i < text.size() && (quoted || !(isSpace(text[i]) || (text[i] == '=' && words.empty()))); ++i)
            if (text[i] == '"') quoted = !quoted;
            else word += text[i];
        words.push_back(std::move(word));
    }
    if (words.empty()) return std::nullopt;
    Line line;
    line.keyword = words[0];
    std::ranges::transform(line.keyword, line.keyword.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    line.words.assign(words.begin() + 1, words.end());
    return line;
}

std::string expandHome(const std::string& path) {
    if (path.starts_with("~/")) return (homeFolder() / path.substr(2)).string();
    if (path.starts_with("%d/")) return (homeFolder() / path.substr(3)).string();
    return path;
}

Result<void> readBlocks(const fs::path& file, int depth, std::vector<Block>& blocks);

// Lines of an included file belong to the block that includes it, up to its own first Host line.
Result<void> include(const std::vector<std::string>& patterns, const fs::path& from, int depth,
                     std::vector<Block>& blocks) {
    for (const auto& word : patterns) {
        fs::path pattern = expandHome(word);
        if (pattern.is_relative()) pattern = from.parent_path() / pattern;
        glob_t found{};
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
            for (std::size_t i = 0; i < found.gl_pathc; ++i)
                if (auto read = readBlocks(found.gl_pathv[i], depth + 1, blocks); !read) {
                    ::globfree(&found);
                    return read;
                }
        }
        ::globfree(&found);
    }
    return {};
}

Result<void> readBlocks(const fs::path& file, int depth, std::vector<Block>& blocks) {
    if (depth > kMaxIncludeDepth)
        return inputError("Include goes deeper than 16 files", file.string(), "look for a file that includes itself");
    TY_ASSIGN(const std::string text, readFile(file, 4u << 20));
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const auto line = splitLine(std::string_view(text).substr(start, end - start));
        start = end + 1;
        if (!line) continue;
        if (line->keyword == "host") {
            blocks.push_back({line->words, false, false, {}});
        } else if (line->keyword == "match") {
            const bool all = line->words.size() == 1 && line->words[0] == "all";
            blocks.push_back({{}, all, !all, {}});
        } else if (line->keyword == "include") {
            const Block current{blocks.back().patterns, blocks.back().always, blocks.back().never, {}};
            TY_TRY(include(line->words, file, depth, blocks));
            blocks.push_back(current);
        } else {
            blocks.back().lines.push_back(*line);
        }
    }
    return {};
}

bool matches(const Block& block, const std::string& name) {
    if (block.always) return true;
    if (block.never) return false;
    bool matched = false;
    for (const auto& pattern : block.patterns) {
        if (pattern.starts_with('!')) {
            if (::fnmatch(pattern.c_str() + 1, name.c_str(), 0) == 0) return false;
        } else if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) {
            matched = true;
        }
    }
    return matched;
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

// What only the system's ssh can do of it.
ChannelReason reasonOf(const std::string& keyword, const std::string& value) {
    if (value == "none") return ChannelReason::None;
    if (keyword == "proxyjump") return ChannelReason::ProxyJump;
    if (keyword == "proxycommand") return ChannelReason::ProxyCommand;
    if (keyword == "certificatefile") return ChannelReason::Certificate;
    if (keyword == "pkcs11provider") return ChannelReason::Token;
    if (keyword == "gssapiauthentication" && value == "yes") return ChannelReason::Kerberos;
    return ChannelReason::None;
}

HostEntry entryFor(const std::vector<Block>& blocks, const std::string& name) {
    HostEntry host;
    host.alias = name;
    bool havePort = false;
    const auto set = [](std::string& field, const std::string& value) {
        if (field.empty()) field = value;
    };
    for (const auto& block : blocks) {
        if (!matches(block, name)) continue;
        for (const auto& [keyword, words] : block.lines) {
            if (words.empty()) continue;
            const std::string& value = words[0];
            if (host.sshReason == ChannelReason::None) host.sshReason = reasonOf(keyword, value);
            if (keyword == "hostname") set(host.hostName, value);
            else if (keyword == "user") set(host.user, value);
            else if (keyword == "proxyjump") set(host.proxyJump, value);
            else if (keyword == "proxycommand") set(host.proxyJump, "ProxyCommand");
            else if (keyword == "identityfile" && value != "none") set(host.identityFile, expandHome(value));
            else if (keyword == "port" && !havePort) {
                int port = 0;
                std::from_chars(value.data(), value.data() + value.size(), port);
                host.port = port;
                havePort = true;
            }
        }
    }
    if (host.proxyJump == "none") host.proxyJump.clear();
    if (!host.proxyJump.empty())
        host.sshReason = host.proxyJump == "ProxyCommand" ? ChannelReason::ProxyCommand : ChannelReason::ProxyJump;
    else if (isIndirect(host.sshReason)) host.sshReason = ChannelReason::None; // "none" came first
    replaceAll(host.hostName, "%h", name);
    replaceAll(host.hostName, "%%", "%");
    replaceAll(host.identityFile, "%d", homeFolder().string());
    if (host.hostName == name) host.hostName.clear();
    return host;
}

fs::path configFile(const fs::path& given) { return given.empty() ? homeFolder() / ".ssh" / "config" : given; }

// The settings of the system's ssh for a name, a line each. `file`: as its -F; "none" for what it does without any.
Result<std::vector<std::string>> settingsOfSsh(const std::string& name, const std::string& file) {
    TY_ASSIGN(const auto said, run::capture(sshProgram(), {"-G", "-F", file, name}, kJudgeSeconds));
    if (said.exitCode != 0)
        return inputError("the system's ssh cannot read it: " + printable(said.errors, 200), file,
                          "correct it; try: ssh -G " + name);
    std::vector<std::string> settings;
    std::istringstream lines(said.output);
    for (std::string line; std::getline(lines, line);) settings.push_back(line);
    return settings;
}

// What the system's ssh makes of the file, whose Match conditions it alone can judge: they may run programs. Without
// what it would do anyway, such as the keys that it tries of itself.
Result<Block> judgedBySsh(const std::string& name, const fs::path& file) {
    TY_ASSIGN(const auto settings, settingsOfSsh(name, file.string()));
    TY_ASSIGN(const auto usual, settingsOfSsh(name, "none"));
    Block block{{}, true, false, {}};
    for (const auto& each : settings) {
        auto line = splitLine(each);
        const bool isUsual = std::ranges::find(usual, each) != usual.end();
        if (line && !line->words.empty() && !isUsual) block.lines.push_back(std::move(*line));
    }
    return block;
}

Result<std::vector<Block>> readConfig(const fs::path& file) {
    const fs::path path = configFile(file);
    std::vector<Block> blocks{Block{{}, true, false, {}}};
    std::error_code ignored;
    if (fs::exists(path, ignored)) TY_TRY(readBlocks(path, 0, blocks));
    return blocks;
}

} // namespace

Result<std::vector<HostEntry>> sshConfigHosts(const fs::path& file) {
    TY_ASSIGN(const std::vector<Block> blocks, readConfig(file));
    std::vector<HostEntry> hosts;
    for (const auto& block : blocks) {
        for (const auto& pattern : block.patterns) {
            if (pattern.find_first_of("*?!") != std::string::npos) continue;
            if (std::ranges::find(hosts, pattern, &HostEntry::alias) != hosts.end()) continue;
            HostEntry host = entryFor(blocks, pattern);
            if (validateHost(host)) hosts.push_back(std::move(host));
        }
    }
    return hosts;
}

Result<HostEntry> sshConfigHost(const std::string& name, const fs::path& file) {
    TY_ASSIGN(const std::vector<Block> blocks, readConfig(file));
    const bool isConditional = std::ranges::any_of(blocks, &Block::never);
    if (!isConditional || sshProgram().empty() || name.starts_with('-')) return entryFor(blocks, name);
    TY_ASSIGN(const Block judged, judgedBySsh(name, configFile(file)));
    return entryFor({judged}, name);
}

std::string sshProgram() {
    const char* path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
    while (!folders.empty()) {
        const auto end = std::min(folders.find(':'), folders.size());
        const fs::path program = fs::path(folders.substr(0, end)) / "ssh";
        std::error_code ignored;
        if (program.is_absolute() && fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
            return program.string();
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
}

} // namespace trainyard::remote
