// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/folders/tar_members.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/files/tar_header.h"
#include "engine/base/text/printable.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

namespace trainyard::formats {
namespace {

constexpr std::size_t kLongestPath = 4096, kLongestName = 255;
constexpr std::int64_t kMostExtended = 1 << 20; // bytes of a pax header: what is more is no name

// What the entries before a file say of it.
struct Announced {
    std::optional<std::string> path;
    std::optional<std::int64_t> bytes;
};

class Walk {
public:
    explicit Walk(const PlacedReader& archive) : m_archive(archive) {}

    Result<TarOddities> run(const std::function<Result<void>(TarMemberAt&&)>& file) {
        TarOddities odd;
        Announced said;
        while (m_at < m_archive.size()) {
            TarBlock block{};
            TY_TRY(read(m_at, std::as_writable_bytes(std::span(block))));
            if (isTarEnd(block)) break;
            auto header = readTarHeader(block);
            if (!header) return noHeader(block);
            if (header->bytes < 0) return fail("has a header without a readable size", kFetchAgain);
            const bool isNamed = header->type == 'L' || header->type == 'K' || header->type == 'x' ||
                                 header->type == 'g'; // tells of others, and is told of by none
            if (!isNamed && said.bytes) header->bytes = *said.bytes;
            const std::uint64_t at = m_at + kTarBlock, left = m_archive.size() - std::min(at, m_archive.size());
            if (static_cast<std::uint64_t>(header->bytes) > left)
                return fail("is cut short: an entry of " + std::to_string(header->bytes) + " bytes begins here, and " +
                                std::to_string(left) + " follow",
                            kFetchAgain);
            if (isNamed) {
                TY_TRY(announce(*header, at, said));
            } else {
                TY_TRY(take(*header, at, said, odd, file));
                said = {};
            }
            m_at = at + static_cast<std::uint64_t>(header->bytes + tarPaddingOf(header->bytes));
        }
        return odd;
    }

private:
    Error fail(const std::string& message, const char* remedy) const {
        return inputError(message, printable(m_archive.name(), 4096) + ", byte " + std::to_string(m_at), remedy);
    }
    Error noHeader(const TarBlock& block) const {
        if (m_at > 0) return fail("has a damaged header here", kFetchAgain);
        if (block[0] == 0x1f && block[1] == 0x8b)
            return fail("is packed with gzip, and files in it cannot be read at their places", "unpack it with gunzip");
        return fail("is no tar archive", "name a tar archive");
    }
    Result<void> read(std::uint64_t at, std::span<std::byte> out) const {
        if (at + out.size() <= m_archive.size()) return m_archive.read(at, out);
        return fail("is cut short", kFetchAgain);
    }

    Result<void> take(TarHeader& header, std::uint64_t at, const Announced& said, TarOddities& odd,
                      const std::function<Result<void>(TarMemberAt&&)>& file) const {
        std::string path = said.path ? *said.path : std::move(header.path);
        while (path.starts_with("./")) path.erase(0, 2);
        if (header.type == '5' || (header.isFile() && path.ends_with('/'))) return {}; // a folder
        if (!header.isFile()) {
            ++(header.type == '1' || header.type == '2' ? odd.links : odd.others);
            return {};
        }
        if (!isPackedPath(path))
            return fail("has a file named \"" + printable(path, 200) + "\", which is no name within a folder",
                        "pack the folder again, with its name alone");
        return file({std::move(path), at, static_cast<std::uint64_t>(header.bytes)});
    }

    Result<void> announce(const TarHeader& header, std::uint64_t at, Announced& said) const {
        if (header.type == 'K' || header.type == 'g') return {}; // of a link, or of all: no names
        const bool isName = header.type == 'L';
        if (header.bytes > (isName ? static_cast<std::int64_t>(kLongestPath) + 1 : kMostExtended))
            return fail("has a name or a header of " + std::to_string(header.bytes) + " bytes", kFetchAgain);
        std::string text(static_cast<std::size_t>(header.bytes), '\0');
        TY_TRY(read(at, std::as_writable_bytes(std::span(text))));
        if (isName) {
            said.path = text.substr(0, text.find('\0'));
            return {};
        }
        return extend(text, said);
    }

    // Lines "LENGTH KEY=VALUE\n", where the length is that of the whole line.
    Result<void> extend(std::string_view text, Announced& said) const {
        while (!text.empty()) {
            std::size_t length = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
            const auto digits = static_cast<std::size_t>(end - text.data());
            if (problem != std::errc() || length <= digits + 1 || length > text.size() || *end != ' ' ||
                text[length - 1] != '\n')
                return fail("has a damaged pax header here", kFetchAgain);
            const std::string_view line = text.substr(digits + 1, length - digits - 2);
            text.remove_prefix(length);
            const std::size_t equals = line.find('=');
            if (equals == std::string_view::npos) return fail("has a damaged pax header here", kFetchAgain);
            const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
            if (key == "path") said.path = std::string(value);
            if (key != "size") continue;
            std::int64_t bytes = -1;
            const auto [last, wrong] = std::from_chars(value.data(), value.data() + value.size(), bytes);
            if (wrong != std::errc() || last != value.data() + value.size() || bytes < 0 || bytes >> 56 != 0)
                return fail("has a pax header without a readable size", kFetchAgain);
            said.bytes = bytes;
        }
        return {};
    }

    const PlacedReader& m_archive;
    std::uint64_t m_at = 0; // of the header at hand
};

} // namespace

bool isPackedPath(std::string_view path) {
    if (path.empty() || path.size() > kLongestPath) return false;
    if (path.find('\0') != std::string_view::npos || path.find('\n') != std::string_view::npos) return false;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view name = path.substr(at, end - at);
        if (name.empty() || name == "." || name == ".." || name.size() > kLongestName) return false;
        at = end + 1;
    }
    return true;
}

Result<TarOddities> eachTarMember(const PlacedReader& archive, const std::function<Result<void>(TarMemberAt&&)>& file) {
    return Walk(archive).run(file);
}

} // namespace trainyard::formats
