// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/documents.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/json_records.h"
#include "engine/formats/tokens/pieces.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPart = 4u << 20, kMostPart = 64u << 20;
constexpr std::array<std::string_view, 5> kEndings{".txt", ".text", ".md", ".jsonl", ".ndjson"};
const char* const kSaveInUtf8 = "save the text in UTF-8";

std::string plainName(const fs::path& file) {
    std::string name = file.filename().string();
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    return name;
}

bool isJsonLines(const fs::path& file) {
    const std::string name = plainName(file);
    return name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

bool isText(const fs::path& file) {
    const std::string name = plainName(file);
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

using Taker = std::function<Result<void>(const DocumentPart&)>;

// How much of the text is whole characters; what the rest of a file completes is not judged yet.
std::size_t wholeCharacters(std::string_view text) {
    std::size_t end = text.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (byte < 0x80) return end;
        if (byte >= 0xC0) return text.size() - back;
    }
    return end;
}

Result<void> checkText(std::string_view text, const std::string& file, std::uint64_t offset) {
    const auto wrong = [&](std::size_t at, const std::string& message) {
        return inputError(message, file + ", byte " + std::to_string(offset + at), kSaveInUtf8);
    };
    const std::size_t bad = firstNotUtf8(text);
    if (const std::size_t nul = text.find('\0'); nul < bad)
        return wrong(nul, "has a NUL byte, so it is not text, or text in UTF-16");
    if (bad == std::string_view::npos) return {};
    return wrong(bad, "is not UTF-8: byte " + hexByte(static_cast<unsigned char>(text[bad])));
}

// One file as one document.
class TextParts {
public:
    TextParts(FileReader file, bool anyBytes, const Taker& take)
        : m_file(std::move(file)), m_anyBytes(anyBytes), m_take(take) {}

    Result<void> read() {
        std::vector<char> block(kPart);
        for (bool isFirst = true;; isFirst = false) {
            TY_ASSIGN(const std::int64_t got, m_file.readUpTo(block.data(), static_cast<std::int64_t>(kPart)));
            m_text.append(block.data(), static_cast<std::size_t>(got));
            if (isFirst) TY_TRY(begin());
            const bool ends = got < static_cast<std::int64_t>(kPart);
            TY_TRY(check(ends));
            if (ends) return m_take({m_text, true, m_file.name(), m_offset});
            const std::size_t cut = m_anyBytes ? m_text.size() : lastSafeCut(m_text);
            if (cut == 0 && m_text.size() >= kMostPart)
                return m_file.fail("has no line end within " + std::to_string(kMostPart >> 20) + " MiB");
            if (cut == 0) continue;
            TY_TRY(m_take({std::string_view(m_text).substr(0, cut), false, m_file.name(), m_offset}));
            m_offset += cut;
            m_checked -= cut;
            m_text.erase(0, cut);
        }
    }

private:
    Result<void> begin() {
        if (!m_anyBytes && (m_text.starts_with("\xFF\xFE") || m_text.starts_with("\xFE\xFF")))
            return inputError("is text in UTF-16", m_file.name() + ", byte 0", kSaveInUtf8);
        if (!m_text.starts_with("\xEF\xBB\xBF")) return {};
        m_text.erase(0, 3);
        m_offset = 3;
        return {};
    }
    Result<void> check(bool ends) {
        if (m_anyBytes) {
            m_checked = m_text.size();
            return {};
        }
        const std::size_t whole = ends ? m_text.size() : std::max(m_checked, wholeCharacters(m_text));
        TY_TRY(checkText(std::string_view(m_text).substr(m_checked, whole - m_checked), m_file.name(),
                         m_offset + m_checked));
        m_checked = whole;
        return {};
    }

    FileReader m_file;
    bool m_anyBytes;
    const Taker& m_take;
    std::string m_text;
    std::size_t m_checked = 0;  // bytes of m_text that are known to be text
    std::uint64_t m_offset = 0; // of m_text in the file
};

Result<void> readLines(const fs::path& file, const std::string& field, const Taker& take) {
    const std::string name = file.string();
    return eachJsonLine(file, kMostPart, [&](std::int64_t number, const std::string& line) -> Result<void> {
        const std::string place = name + ", line " + std::to_string(number);
        const nlohmann::json object = parseSortedJson(line);
        if (object.is_discarded() || !object.is_object())
            return inputError("is not a JSON object", place, "write one whole JSON object a line");
        const auto found = object.find(field);
        if (found == object.end() || !found->is_string())
            return inputError("has no text \"" + printable(field, 40) + "\"", place,
                              "set dataset.params.field to the member that holds the text");
        return take({found->get_ref<const std::string&>(), true, name});
    });
}

} // namespace

bool DocumentFiles::several() const { return files.size() > 1 || (files.size() == 1 && isJsonLines(files[0])); }

Result<DocumentFiles> oneDocumentFile(const fs::path& file) {
    TY_TRY(FileReader::open(file));
    std::error_code ignored;
    const auto bytes = fs::file_size(file, ignored);
    return DocumentFiles{{file}, 0, ignored ? 0 : bytes};
}

Result<DocumentFiles> documentsBelow(const fs::path& folder) {
    DocumentFiles found;
    std::error_code problem;
    fs::recursive_directory_iterator walk(folder, problem);
    for (; !problem && walk != fs::recursive_directory_iterator(); walk.increment(problem)) {
        const bool hidden = walk->path().filename().string().starts_with('.');
        std::error_code ignored;
        if (walk->is_directory(ignored)) {
            if (hidden) walk.disable_recursion_pending();
            continue;
        }
        if (hidden || !walk->is_regular_file(ignored)) continue;
        if (!isText(walk->path())) {
            ++found.passedOver;
            continue;
        }
        found.files.push_back(walk->path());
        found.bytes += walk->file_size(ignored);
    }
    if (problem)
        return environmentError("the folder cannot be read: " + problem.message(), folder.string(),
                                "check the path and its permissions");
    if (found.files.empty())
        return inputError("has no texts in it (.txt, .md, .jsonl, also with .gz)", folder.string(),
                          "choose a folder of texts");
    std::sort(found.files.begin(), found.files.end());
    return found;
}

Result<void> eachDocument(const DocumentFiles& documents, const std::string& field, bool anyBytes, const Taker& take) {
    bool any = false;
    const Taker counted = [&](const DocumentPart& part) -> Result<void> {
        any = any || !part.text.empty();
        return part.text.empty() && !part.isLast ? Result<void>() : take(part);
    };
    for (const fs::path& file : documents.files) {
        if (isJsonLines(file)) {
            TY_TRY(readLines(file, field, counted));
            continue;
        }
        TY_ASSIGN(FileReader reader, FileReader::open(file));
        TY_TRY(TextParts(std::move(reader), anyBytes, counted).read());
    }
    if (any) return {};
    return inputError("is empty", documents.files.front().string() + ", byte 0", "choose a file with text in it");
}

} // namespace trainyard::formats
