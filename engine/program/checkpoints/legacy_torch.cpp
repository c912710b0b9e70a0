// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/legacy_torch.h"

#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/known_code.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

constexpr std::size_t kSmallPickle = 64u << 10; // of those before the values, which have some 30 bytes

class LegacyReader {
public:
    LegacyReader(const PlacedReader& file, const PickleLimits& limits) : m_file(file), m_limits(limits) {}

    Result<LegacyTorch> run() {
        TY_TRY(skipPreface());
        TY_ASSIGN(auto values, nextPickle(m_limits.bytes));
        LegacyTorch legacy{std::move(values), {}};
        if (legacy.pickle.problem) return legacy; // where its storages begin is not known
        noteWidths(legacy.pickle.tree);
        TY_ASSIGN(const auto names, nextPickle(m_limits.bytes));
        if (names.problem) return *names.problem;
        for (const PickleId name : names.tree.items(names.tree.root()))
            TY_TRY(addStorage(std::string(names.tree.text(name)), legacy));
        return legacy;
    }

private:
    Error broken(std::string what) const {
        return inputError(std::move(what), m_file.name() + ", byte " + std::to_string(m_at),
                          "copy the file again, or save it again with torch.save");
    }
    Result<void> skipPreface() {
        for (int i = 0; i < 3; ++i) {
            TY_ASSIGN(const auto read, nextPickle(kSmallPickle));
            if (read.problem) return *read.problem;
            const auto items = read.tree.items(read.tree.root());
            for (std::size_t at = 0; at + 1 < items.size(); at += 2)
                if (read.tree.text(items[at]) == "little_endian" && read.tree.is(items[at + 1], PickleKind::Bool) &&
                    read.tree.integer(items[at + 1]) == 0)
                    return inputError("was saved on a computer whose numbers have their bytes in another order",
                                      m_file.name(), "load it with PyTorch and save it again");
        }
        return {};
    }
    Result<ReadPickle> nextPickle(std::size_t most) {
        const std::uint64_t left = m_file.size() - m_at;
        std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(left, most)), '\0');
        TY_TRY(m_file.read(m_at, std::as_writable_bytes(std::span(bytes.data(), bytes.size()))));
        PickleLimits limits = m_limits;
        limits.bytes = bytes.size();
        auto read = readPickle(std::move(bytes), m_file.name(), limits);
        m_at += read.bytes;
        return read;
    }
    // A storage says nowhere but in the values how long each of its numbers is.
    void noteWidths(const PickleTree& tree) {
        for (PickleId id = 0; id < tree.values(); ++id) {
            if (!tree.is(id, PickleKind::Persistent)) continue;
            const auto parts = tree.items(tree.persistentId(id)); // "storage", its type, name, device, how many
            if (parts.size() < 3) continue;
            if (const auto width = widthOfType(dtypeNamed(tree.text(parts[1]))))
                m_widths.emplace(tree.text(parts[2]), *width);
        }
    }
    // How many numbers, in eight bytes, and the numbers.
    Result<void> addStorage(const std::string& name, LegacyTorch& legacy) {
        std::array<std::byte, 8> head{};
        if (m_file.size() - m_at < head.size()) return broken("the file ends before its storage " + shown(name));
        TY_TRY(m_file.read(m_at, head));
        std::uint64_t numbers = 0, bytes = 0;
        for (std::size_t i = 0; i < head.size(); ++i) numbers |= std::to_integer<std::uint64_t>(head[i]) << (8 * i);
        const auto width = m_widths.find(name);
        if (width == m_widths.end()) return broken("the storage " + shown(name) + " belongs to no tensor");
        m_at += head.size();
        if (__builtin_mul_overflow(numbers, width->second, &bytes) || bytes > m_file.size() - m_at)
            return broken("the storage " + shown(name) + " should have " + std::to_string(numbers) +
                          " numbers, and the file ends before");
        legacy.storages[name] = {bytes, m_at};
        m_at += bytes;
        return {};
    }
    static std::string shown(const std::string& name) { return printable(name, 40); }

    const PlacedReader& m_file;
    const PickleLimits& m_limits;
    std::uint64_t m_at = 0;
    std::map<std::string, std::uint64_t, std::less<>> m_widths{}; // of the numbers of a storage, by its name
};

} // namespace

Result<LegacyTorch> readLegacyTorch(const PlacedReader& file, const PickleLimits& limits) {
    return LegacyReader(file, limits).run();
}

} // namespace trainyard::program
