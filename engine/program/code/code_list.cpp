// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_list.h"

#include "engine/base/math/sha256.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace trainyard::program {
namespace {

constexpr std::string_view kHeader = "trainyard code 1";
constexpr std::size_t kDigestDigits = 32, kContentDigits = 64;
constexpr char kBetween = '\t';

// A name may hold what divides lines and fields.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else out += c;
    }
    return out;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i == text.size()) return std::nullopt;
        if (text[i] == 'n') out += '\n';
        else if (text[i] == 't') out += '\t';
        else if (text[i] == '\\') out += '\\';
        else return std::nullopt;
    }
    return out;
}

std::vector<std::string_view> fieldsOf(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const auto end = std::min(line.find(kBetween, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return fields;
}

template <class Number>
bool toNumber(std::string_view text, Number& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size();
}

bool isDigest(std::string_view text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool staysWithin(const std::string& path) {
    if (path.empty() || path.front() == '/' || path.find('\0') != path.npos) return false;
    return std::ranges::none_of(std::filesystem::path(path), [](const auto& part) { return part == ".."; });
}

bool readFileLine(const std::vector<std::string_view>& fields, CodeList& list) {
    if (fields.size() != 9) return false;
    ListedCode code;
    const auto path = unescaped(fields[7]), link = unescaped(fields[8]);
    if (!path || !link || !staysWithin(*path)) return false;
    code.file.path = *path;
    code.file.link = *link;
    code.file.isProgram = fields[1] == "x";
    code.digest = fields[2];
    if (code.file.link.empty() ? !isDigest(code.digest, kContentDigits) : !code.digest.empty()) return false;
    if (!toNumber(fields[3], code.file.size) || !toNumber(fields[4], code.file.modifiedNs) ||
        !toNumber(fields[5], code.file.changedNs) || !toNumber(fields[6], code.file.inode) || code.file.size < 0)
        return false;
    list.files.push_back(std::move(code));
    return true;
}

} // namespace

std::string digestOf(const CodeList& list) {
    Sha256 sum;
    const auto add = [&](std::string_view text) { sum.add(text.data(), text.size()); };
    add(escaped(list.project) + "\n");
    for (const auto& [file, digest] : list.files)
        add((file.isProgram ? "x\t" : "-\t") + digest + "\t" + escaped(file.path) + "\t" + escaped(file.link) + "\n");
    return sum.hex().substr(0, kDigestDigits);
}

std::string textOf(const CodeList& list) {
    std::string text(kHeader);
    text += "\t" + list.digest + "\t" + escaped(list.project) + "\n";
    for (const auto& [file, digest] : list.files) {
        text += file.isProgram ? "file\tx\t" : "file\t-\t";
        text += digest;
        for (const auto number : {file.size, file.modifiedNs, file.changedNs}) text += "\t" + std::to_string(number);
        text += "\t" + std::to_string(file.inode) + "\t" + escaped(file.path) + "\t" + escaped(file.link) + "\n";
    }
    for (const auto& path : list.leftOut) text += "out\t" + escaped(path) + "\n";
    return text;
}

std::optional<CodeList> codeListOf(std::string_view text) {
    CodeList list;
    bool isFirst = true;
    if (!text.ends_with('\n')) return std::nullopt; // half of one
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto fields = fieldsOf(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (isFirst) {
            const auto project = fields.size() == 3 ? unescaped(fields[2]) : std::nullopt;
            if (!project || fields[0] != kHeader || !isDigest(fields[1], kDigestDigits)) return std::nullopt;
            list.digest = fields[1];
            list.project = *project;
            isFirst = false;
        } else if (fields[0] == "file") {
            if (!readFileLine(fields, list)) return std::nullopt;
        } else if (fields[0] == "out" && fields.size() == 2) {
            const auto path = unescaped(fields[1]);
            if (!path || !staysWithin(*path)) return std::nullopt;
            list.leftOut.push_back(*path);
        } else {
            return std::nullopt;
        }
    }
    return list;
}

} // namespace trainyard::program
