// SPDX-License-Identifier: GPL-3.0-or-later
// A table that was read once, as rows in a mapped file. Its layout:
//   a header of 4,096 bytes; the rows, each of the same length; from the next multiples of 4,096 on the targets
//   (float64, row by row), and the groups (int64) where there are any; three CRC-32C for each chunk of rows, of the
//   rows and of the other two; at the end the facts, a text.
#pragma once

#include "engine/base/files/kept_file.h"
#include "engine/torch/data/kept/row_form.h"
#include "engine/torch/data/pictures/sample_source.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::data {

inline constexpr const char* kTableEnding = ".rows";

// How large a kept table is.
struct TableShape {
    std::int64_t rows = 0, rowBytes = 0, targets = 0; // of each row
    bool groups = false;
    bool operator==(const TableShape&) const = default;
    std::int64_t rowsOfChunk() const; // as many as are read together: BlockOrder's blocks, but no more than 64 KB
    std::int64_t chunks() const;
    std::int64_t targetsAt() const; // in the file
    std::int64_t groupsAt() const;
    std::int64_t crcsAt() const;
    std::int64_t factsAt() const;
};

// Writes one from its first row to its last, a piece of any size at a time.
class TableWriter {
public:
    TableWriter(int file, std::string path) : m_file(file), m_path(std::move(path)) {}

    // Makes room for all. Environment: the disk is full.
    Result<void> begin(const TableShape& shape);
    // `groups` may be empty where there are none.
    Result<void> add(std::span<const std::byte> rows, std::span<const double> targets,
                     std::span<const std::int64_t> groups);
    // Input: fewer rows came, or more, than begin() was told.
    Result<void> finish(const std::string& digest, const std::string& facts);

private:
    Result<void> put(const void* bytes, std::size_t size, std::int64_t at);

    int m_file;
    std::string m_path;
    TableShape m_shape;
    std::int64_t m_rows = 0; // that are written
    std::vector<std::array<std::uint32_t, 3>> m_crcs;
};

// The table, for reading; its rows are what a loader reads ahead.
class KeptTable final : public SampleSource {
public:
    // What is kept under the digest, or what `write` makes of it now; while another process makes it, waits for it.
    // What was not used for longest goes first until `bytes` more fit. Environment: it cannot be kept.
    static Result<std::shared_ptr<KeptTable>> make(const std::string& digest, const KeptStore& store,
                                                   std::int64_t bytes,
                                                   const std::function<Result<void>(TableWriter&)>& write);
    // The same where it is kept already; null else, and where it is damaged.
    static std::shared_ptr<KeptTable> open(const std::string& digest, const KeptStore& store);
    ~KeptTable() override;
    KeptTable(const KeptTable&) = delete;
    KeptTable& operator=(const KeptTable&) = delete;

    const TableShape& shape() const { return m_shape; }
    const std::string& facts() const { return m_facts; }
    const std::filesystem::path& file() const { return m_path; }
    // Told by whoever has read the facts, before the first row is read.
    void setForm(RowForm form) { m_form = std::make_unique<RowForm>(std::move(form)); }
    double target(std::int64_t row, std::int64_t column) const;
    std::int64_t group(std::int64_t row) const;
    // Input: the targets or groups are damaged; the file is removed, so that it is made anew.
    Result<void> checkTargets() const;

    std::int64_t count() const override { return m_shape.rows; }
    std::int64_t sampleBytes() const override { return m_shape.rowBytes; }
    Result<void> read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const override;
    void announce(std::span<const std::int64_t> samples) const override;
    // It is read in a moment: brings it from memory near to the core.
    void prefetch(std::int64_t i) const {
        constexpr std::int64_t kLine = 64;
        const std::byte* const row = rowAt(i);
        for (std::int64_t at = 0; at < m_shape.rowBytes + kLine; at += kLine) __builtin_prefetch(row + at);
    }
    std::string nameOf(std::int64_t i) const override;
    bool isResident() const override { return false; }
    const RowForm* rows() const override { return m_form.get(); }

private:
    KeptTable(TableShape shape, std::filesystem::path path, UniqueFd file, const std::byte* base, std::int64_t mapped);
    bool readIndex(const std::string& digest);
    Result<void> damaged() const;
    void readAhead(std::int64_t chunk, bool isFirst) const;
    const std::byte* rowAt(std::int64_t i) const;

    TableShape m_shape;
    std::filesystem::path m_path;
    UniqueFd m_file; // marked as in use
    const std::byte* m_base;
    std::int64_t m_mapped;
    std::string m_facts;
    std::unique_ptr<RowForm> m_form;
    mutable std::unique_ptr<std::atomic<std::uint8_t>[]> m_looked; // of each chunk: 1: its rows are right
};

} // namespace trainyard::data
