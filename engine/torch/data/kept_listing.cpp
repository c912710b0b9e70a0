// SPDX-License-Identifier: GPL-3.0-or-later
// A file of it: a line "trainyard listing 1", then numbers as they lie in memory and texts with their lengths before
// them, and at the end the CRC-32C of all before it.
#include "engine/torch/data/kept_listing.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/kept_file.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/math/sha256.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr const char* kListingEnding = ".listing";
constexpr std::string_view kListingBegin = "trainyard listing 1\n";
constexpr std::int64_t kMostListings = std::int64_t{1} << 30; // bytes of all
constexpr std::size_t kListingPiece = 1 << 20;                // bytes that are written at once

fs::path listingFile(const KeptStore& store, const ListingKey& key) {
    Sha256 hash;
    const std::string folder = fs::absolute(key.folder).lexically_normal().string();
    hash.add(folder.c_str(), folder.size() + 1);
    hash.add(key.digest.data(), key.digest.size());
    return store.folder / (hash.hex() + kListingEnding);
}

// Writes to the end of a file, a large piece at a time.
class ListingWriter {
public:
    explicit ListingWriter(int file, const fs::path& path) : m_file(file), m_path(path) { m_piece = kListingBegin; }

    template <typename T>
        requires std::is_trivially_copyable_v<T>
    void put(T number) {
        m_piece.append(reinterpret_cast<const char*>(&number), sizeof number);
        if (m_piece.size() >= kListingPiece) flush();
    }
    void put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        m_piece += text;
    }
    Result<void> finish() {
        flush();
        m_piece.append(reinterpret_cast<const char*>(&m_crc), sizeof m_crc);
        flush();
        return std::move(m_done);
    }

private:
    void flush() {
        m_crc = crc32c(std::as_bytes(std::span(m_piece.data(), m_piece.size())), m_crc);
        for (std::size_t at = 0; at < m_piece.size() && m_done;) {
            const ssize_t written = ::write(m_file, m_piece.data() + at, m_piece.size() - at);
            if (written < 0 && errno != EINTR) m_done = systemError("cannot be written", m_path.string());
            if (written > 0) at += static_cast<std::size_t>(written);
        }
        m_piece.clear();
    }

    int m_file;
    const fs::path& m_path;
    std::string m_piece;
    std::uint32_t m_crc = 0;
    Result<void> m_done;
};

// Reads what was written; past the end everything is 0 and empty.
class ListingReader {
public:
    explicit ListingReader(std::string_view text) : m_text(text) {}

    template <typename T>
        requires std::is_trivially_copyable_v<T>
    T number() {
        T number{};
        if (const auto bytes = take(sizeof number); !bytes.empty()) std::memcpy(&number, bytes.data(), sizeof number);
        return number;
    }
    std::string_view text() { return take(number<std::uint32_t>()); }
    // How many things follow, of so many bytes at least each.
    std::size_t count(std::size_t leastBytes) {
        const auto n = number<std::uint64_t>();
        if (n > m_text.size() / leastBytes) m_isWhole = false;
        return m_isWhole ? static_cast<std::size_t>(n) : 0;
    }
    bool isWhole() const { return m_isWhole && m_text.empty(); }

private:
    std::string_view take(std::size_t bytes) {
        if (bytes > m_text.size()) m_isWhole = false;
        if (!m_isWhole) return {};
        const auto taken = m_text.substr(0, bytes);
        m_text.remove_prefix(bytes);
        return taken;
    }

    std::string_view m_text;
    bool m_isWhole = true;
};

void putPart(ListingWriter& writer, const ImageListing& part, const fs::path& folder) {
    writer.put(part.folder.lexically_relative(folder).string());
    writer.put(part.values.use);
    writer.put(static_cast<std::uint64_t>(part.files.size()));
    const fs::path* within = nullptr;
    for (std::size_t i = 0; i < part.files.size(); ++i) {
        const fs::path& of = part.files.folderOf(i);
        writer.put(static_cast<std::uint8_t>(&of != within));
        if (&of != within) writer.put((of / "x").lexically_relative(folder).parent_path().string());
        within = &of;
        writer.put(std::string_view(part.files.nameOf(i)));
        writer.put(part.targets[i]);
    }
    const auto putAll = [&](const auto& numbers) {
        writer.put(static_cast<std::uint64_t>(numbers.size()));
        for (const auto number : numbers) writer.put(number);
    };
    putAll(part.values.numbers);
    putAll(part.values.labels);
    putAll(part.values.ends);
    writer.put(static_cast<std::uint64_t>(part.groups.size()));
    for (const std::string& group : part.groups) writer.put(std::string_view(group));
}

void takePart(ListingReader& reader, ImageListing& part, const fs::path& folder) {
    part.folder = (folder / reader.text()).lexically_normal();
    part.values.use = reader.number<formats::LabelUse>();
    std::uint32_t within = 0;
    for (std::size_t left = reader.count(13); left > 0; --left) {
        if (reader.number<std::uint8_t>() != 0) within = part.files.folder(folder / reader.text());
        part.files.add(within, reader.text());
        part.targets.push_back(reader.number<std::int64_t>());
    }
    const auto takeAll = [&](auto& numbers) {
        using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
        for (std::size_t left = reader.count(sizeof(Number)); left > 0; --left)
            numbers.push_back(reader.number<Number>());
    };
    takeAll(part.values.numbers);
    takeAll(part.values.labels);
    takeAll(part.values.ends);
    for (std::size_t left = reader.count(4); left > 0; --left) part.groups.emplace_back(reader.text());
}

constexpr std::array kPartsOfSet{&ImageParts::train, &ImageParts::validation, &ImageParts::test};

// Whether what was read can be trained on.
bool isSound(const KeptListing& found) {
    std::size_t files = 0;
    const auto classes = static_cast<std::int64_t>(found.parts.train.classes.size());
    for (const auto part : kPartsOfSet) {
        const ImageListing& each = found.parts.*part;
        const std::size_t n = each.files.size(), columns = each.classes.size();
        const LabelValues& values = each.values;
        files += n;
        if (values.use != formats::LabelUse::Class && values.use != formats::LabelUse::Several &&
            values.use != formats::LabelUse::Numbers)
            return false;
        for (const std::int64_t target : each.targets)
            if (target < 0 || target >= std::max<std::int64_t>(1, classes)) return false;
        if (!each.groups.empty() && each.groups.size() != n) return false;
        if (values.use == formats::LabelUse::Numbers && values.numbers.size() != n * columns) return false;
        if (values.use != formats::LabelUse::Several) continue;
        std::size_t last = 0;
        for (const std::size_t end : values.ends)
            if (end < std::exchange(last, end) || end > values.labels.size()) return false;
        if (values.ends.size() != n) return false;
        for (const std::uint32_t label : values.labels)
            if (label >= columns) return false;
    }
    return files > 0 && found.facts.size() == files && found.leftOut.size() == files;
}

} // namespace

void keepListing(const ListingKey& key, const ImageParts& parts, const std::vector<formats::FileFacts>& facts,
                 const std::vector<bool>& leftOut) {
    const KeptStore store = usualStore("listings");
    if (store.folder.empty()) return;
    const fs::path file = listingFile(store, key);
    const auto isThere = [&] { return ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0) == 0; };
    if (isThere()) return;
    const auto turn = turnToMake(file, isThere);
    if (!turn || !*turn) return;
    pruneKept(store.folder, kListingEnding, kMostListings);
    if (::ftruncate(turn->get(), 0) != 0) return;
    ListingWriter writer(turn->get(), file);
    const auto& classes = parts.train.classes;
    writer.put(static_cast<std::uint64_t>(classes.size()));
    for (const std::string& name : classes) writer.put(std::string_view(name));
    for (const auto part : kPartsOfSet) putPart(writer, parts.*part, key.folder);
    writer.put(static_cast<std::uint64_t>(facts.size()));
    for (std::size_t i = 0; i < facts.size(); ++i) {
        writer.put(facts[i]);
        writer.put(static_cast<std::uint8_t>(leftOut[i]));
    }
    (void)endTurnToMake(file, *turn, writer.finish());
}

std::optional<KeptListing> keptListing(const ListingKey& key) {
    const KeptStore store = usualStore("listings");
    if (store.folder.empty()) return {};
    const auto text = readFile(listingFile(store, key), static_cast<std::size_t>(kMostListings));
    if (!text || !text->starts_with(kListingBegin) || text->size() < kListingBegin.size() + 4) return {};
    std::string_view body(*text);
    std::uint32_t crc = 0;
    std::memcpy(&crc, body.data() + body.size() - sizeof crc, sizeof crc);
    body.remove_suffix(sizeof crc);
    if (crc32c(std::as_bytes(std::span(body.data(), body.size()))) != crc) return {};
    body.remove_prefix(kListingBegin.size());
    ListingReader reader(body);
    KeptListing found;
    std::vector<std::string> classes;
    for (std::size_t left = reader.count(4); left > 0; --left) classes.emplace_back(reader.text());
    for (const auto part : kPartsOfSet) {
        (found.parts.*part).classes = classes;
        takePart(reader, found.parts.*part, key.folder);
    }
    for (std::size_t left = reader.count(17); left > 0; --left) {
        found.facts.push_back(reader.number<formats::FileFacts>());
        found.leftOut.push_back(reader.number<std::uint8_t>() != 0);
    }
    if (!reader.isWhole() || !isSound(found)) return {};
    return found;
}

} // namespace trainyard::data
