// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/record_reader.h"

#include "engine/formats/json_records.h"
#include "engine/formats/numpy_records.h"

#include <array>
#include <utility>

namespace trainyard::formats {

namespace {

class CsvRecords final : public RecordReader {
public:
    explicit CsvRecords(CsvReader reader) : m_reader(std::move(reader)) {}
    Result<bool> next(std::vector<CsvCell>& record) override { return m_reader.next(record); }
    std::int64_t line() const override { return m_reader.line(); }
    Result<PlainText> lines(std::size_t most) override { return m_reader.lines(most); }
    void pass(std::size_t bytes, std::int64_t lines) override { m_reader.pass(bytes, lines); }
    char separator() const override { return m_reader.separator(); }

private:
    CsvReader m_reader;
};

} // namespace

std::unique_ptr<RecordReader> recordsOf(CsvReader reader) { return std::make_unique<CsvRecords>(std::move(reader)); }

Result<TableKind> tableKindOf(const std::filesystem::path& file) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    std::array<char, 4096> block{};
    TY_ASSIGN(const std::int64_t got, reader.readUpTo(block.data(), static_cast<std::int64_t>(block.size())));
    std::string_view begin(block.data(), static_cast<std::size_t>(got));
    if (begin.starts_with("\x93NUMPY")) return TableKind::NumpyArray;
    if (begin.starts_with(std::string_view("PK\x03\x04", 4))) {
        const std::string_view name = begin.size() > 30 ? begin.substr(30) : std::string_view();
        const auto length = static_cast<std::size_t>(begin.size() > 27 ? static_cast<unsigned char>(begin[26]) : 0);
        if (name.substr(0, length).ends_with(".npy")) return TableKind::NumpyArchive;
    }
    if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
    const std::size_t text = begin.find_first_not_of(" \t\r\n");
    const bool object = text != std::string_view::npos && begin[text] == '{';
    return object ? TableKind::JsonLines : TableKind::Csv;
}

Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& file, char separator) {
    TY_ASSIGN(const TableKind kind, tableKindOf(file));
    switch (kind) {
    case TableKind::JsonLines: return openJsonRecords(file);
    case TableKind::NumpyArray: return openNumpyArray(file);
    case TableKind::NumpyArchive: return openNumpyArchive(file);
    case TableKind::Csv: break;
    }
    TY_ASSIGN(CsvReader reader, CsvReader::open(file, separator));
    return recordsOf(std::move(reader));
}

} // namespace trainyard::formats
