// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"
#include "engine/store/files/safetensors_format.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <set>

namespace trainyard::store {
namespace {

using nlohmann::json;

std::string named(const std::string& tensor) { return "tensor \"" + printable(tensor, 80) + "\""; }

Error foreign(std::string message) {
    return inputError(std::move(message), {}, "choose a .safetensors file: a checkpoint of a run, or an export");
}
// A file of the format that is cut, changed or was written wrongly.
Error broken(std::string message) {
    return inputError(std::move(message), {}, "copy or write the file again, or use another checkpoint");
}

// Reads the header's JSON value by value, so that doubled names are seen and nothing large is built from a bad file.
class HeaderReader : public nlohmann::json_sax<json> {
public:
    std::vector<TensorInfo> tensors;
    Metadata metadata;
    std::string problem;

    bool null() override { return fail("holds null where the format has none"); }
    bool boolean(bool) override { return fail("holds a truth value where the format has none"); }
    bool number_integer(number_integer_t value) override {
        return value < 0 ? fail("holds the negative number " + std::to_string(value))
                         : number(static_cast<std::uint64_t>(value));
    }
    bool number_unsigned(number_unsigned_t value) override { return number(value); }
    bool number_float(number_float_t, const string_t& text) override {
        return fail("holds " + printable(text, 40) + " where a whole number belongs");
    }
    bool string(string_t& value) override {
        if (m_depth == 2 && m_inMetadata) metadata[m_key] = value;
        else if (m_depth == 2 && m_key == "dtype") tensors.back().dtype = value;
        else return fail("holds text in a wrong place");
        return true;
    }
    bool binary(binary_t&) override { return fail("holds binary data"); }
    bool start_object(std::size_t) override {
        return ++m_depth <= 2 && m_list == nullptr ? true : fail("nests deeper than the format");
    }
    bool end_object() override {
        if (m_depth-- == 2 && !m_inMetadata && m_seen.size() != 3)
            return fail("lacks one of dtype, shape and data_offsets");
        return true;
    }
    bool key(string_t& value) override { return m_depth == 1 ? outerKey(value) : innerKey(value); }
    bool start_array(std::size_t) override {
        const bool inTensor = m_depth == 2 && !m_inMetadata && m_list == nullptr;
        if (!inTensor || (m_key != "shape" && m_key != "data_offsets")) return fail("holds a list in a wrong place");
        m_list = &m_numbers;
        m_numbers.clear();
        return true;
    }
    bool end_array() override {
        m_list = nullptr;
        TensorInfo& tensor = tensors.back();
        if (m_key == "data_offsets") {
            if (m_numbers.size() != 2) return fail("needs two data_offsets");
            tensor.begin = m_numbers[0];
            tensor.end = m_numbers[1];
            return true;
        }
        for (const std::uint64_t n : m_numbers) {
            if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return fail("has a dimension that is too large");
            tensor.shape.push_back(static_cast<std::int64_t>(n));
        }
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
        if (problem.empty()) problem = "the header is not valid JSON at byte " + std::to_string(kLengthSize + at);
        return false;
    }

private:
    bool fail(const std::string& how) {
        problem = (m_depth >= 1 && !m_outer.empty() ? named(m_outer) : "the header") + " " + how;
        return false;
    }
    bool number(std::uint64_t value) {
        if (m_list == nullptr) return fail("holds a number in a wrong place");
        m_list->push_back(value);
        return true;
    }
    bool outerKey(const std::string& name) {
        if (!m_names.insert(name).second) return m_outer = name, fail("is there twice");
        m_outer = name;
        m_inMetadata = name == kMetadataKey;
        m_seen.clear();
        if (!m_inMetadata) tensors.push_back({.name = name, .dtype = {}, .shape = {}});
        return true;
    }
    bool innerKey(const std::string& name) {
        if (!m_seen.insert(name).second) return fail("has the key \"" + printable(name, 40) + "\" twice");
        m_key = name;
        if (m_inMetadata || name == "dtype" || name == "shape" || name == "data_offsets") return true;
        return fail("has the unknown key \"" + printable(name, 40) + "\"");
    }

    int m_depth = 0;
    bool m_inMetadata = false;
    std::set<std::string> m_names, m_seen;
    std::string m_outer, m_key;
    std::vector<std::uint64_t> m_numbers;
    std::vector<std::uint64_t>* m_list = nullptr;
};

// Of the header, from at least eight bytes.
std::uint64_t lengthIn(std::span<const std::byte> file) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthSize; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
    return length;
}

Result<HeaderReader> readHeader(std::span<const std::byte> head, std::uint64_t fileSize) {
    if (fileSize == 0) return broken("the file is empty");
    if (fileSize < kLengthSize || head.size() < kLengthSize)
        return foreign("a file of " + std::to_string(fileSize) + " bytes is not a safetensors file");
    const std::uint64_t length = lengthIn(head);
    if (length > kMaxHeader)
        return foreign("this is not a safetensors file: its header would have " + std::to_string(length) +
                       " bytes, the limit is " + std::to_string(kMaxHeader));
    if (length > std::min<std::uint64_t>(fileSize, head.size()) - kLengthSize)
        return broken("the file is cut short: its header should have " + std::to_string(length) + " bytes, " +
                      std::to_string(fileSize - kLengthSize) + " are there");
    const std::string_view text(reinterpret_cast<const char*>(head.data()) + kLengthSize,
                                static_cast<std::size_t>(length));
    if (!text.starts_with('{')) return foreign("this is not a safetensors file: its header does not begin with {");
    // The JSON reader takes a zero byte for the end of the text.
    if (const auto zero = text.find('\0'); zero != text.npos)
        return broken("the header is not valid JSON at byte " + std::to_string(kLengthSize + zero + 1));
    HeaderReader reader;
    const bool read = json::sax_parse(text.begin(), text.end(), &reader);
    if (!read || !reader.problem.empty())
        return broken(reader.problem.empty() ? "the header is not valid JSON" : reader.problem);
    return reader;
}

// The tensors must cover the data section exactly, once.
Result<void> checkLayout(std::vector<TensorInfo> tensors, std::uint64_t dataSize) {
    for (const TensorInfo& t : tensors) {
        if (t.name.empty()) return broken("a tensor has no name");
        if (!elementSize(t.dtype))
            return broken(named(t.name) + " has the unknown dtype \"" + printable(t.dtype, 40) + "\"");
        const auto size = tensorSize(t.dtype, t.shape);
        if (!size) return broken(named(t.name) + " has a shape whose size overflows");
        if (t.begin > t.end || t.end - t.begin != *size)
            return broken(named(t.name) + " should have " + std::to_string(*size) +
                          " bytes by its shape, its data_offsets are " + std::to_string(t.begin) + " to " +
                          std::to_string(t.end));
        if (t.end > dataSize)
            return broken("the file is cut short: " + named(t.name) + " ends at byte " + std::to_string(t.end) +
                          " of the data, " + std::to_string(dataSize) + " are there");
    }
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    std::uint64_t at = 0;
    for (const TensorInfo& t : tensors) {
        if (t.begin < at) return broken(named(t.name) + " overlaps the tensor before it");
        if (t.begin > at)
            return broken("there is a gap of " + std::to_string(t.begin - at) + " bytes before " + named(t.name));
        at = t.end;
    }
    if (at != dataSize) return broken(std::to_string(dataSize - at) + " bytes follow the last tensor");
    return {};
}

// Tensor -> checksum; empty for a file that another program wrote.
Result<Metadata> checksumsOf(const Metadata& metadata) {
    Metadata sums;
    const auto found = metadata.find(kChecksumKey);
    if (found == metadata.end()) {
        if (metadata.contains(kChecksumMark)) return broken("the checksums are missing: the file is damaged");
        return sums;
    }
    const json list = parseSortedJson(found->second);
    if (!list.is_object()) return broken("the checksums are not readable: the file is damaged");
    for (const auto& [name, sum] : list.items())
        if (sum.is_string()) sums[name] = sum.get<std::string>();
    sums.try_emplace(""); // that of the header: without one it does not match
    return sums;
}

bool isRight(const Metadata& sums, const std::string& name, std::uint32_t crc) {
    const auto sum = sums.find(name);
    return sum != sums.end() && sum->second == hexText(crc);
}

Result<void> checkHeaderSum(const Metadata& sums, const std::vector<TensorInfo>& tensors, const Metadata& metadata) {
    if (sums.empty() || isRight(sums, "", headerDigest(tensors, metadata))) return {};
    return broken("the header fails its checksum: the file is damaged");
}

Result<void> checkTensorSum(const Metadata& sums, const TensorInfo& tensor, std::span<const std::byte> bytes) {
    if (sums.empty() || isRight(sums, tensor.name, crc32c(bytes))) return {};
    return broken(named(tensor.name) + " fails its checksum: the file is damaged");
}

Result<void> checkSums(const SafetensorsHead& parsed, std::span<const std::byte> data) {
    TY_ASSIGN(const auto sums, checksumsOf(parsed.metadata));
    TY_TRY(checkHeaderSum(sums, parsed.tensors, parsed.metadata));
    for (const TensorInfo& t : parsed.tensors)
        TY_TRY(checkTensorSum(
            sums, t, data.subspan(static_cast<std::size_t>(t.begin), static_cast<std::size_t>(t.end - t.begin))));
    return {};
}

Error located(Error error, const std::string& where) {
    error.where = where;
    return error;
}

} // namespace

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept { *this = std::move(other); }

SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_map, other.m_map);
    std::swap(m_size, other.m_size);
    std::swap(m_dataOffset, other.m_dataOffset);
    std::swap(m_tensors, other.m_tensors);
    std::swap(m_metadata, other.m_metadata);
    std::swap(m_sums, other.m_sums);
    return *this;
}

SafetensorsFile::~SafetensorsFile() {
    if (m_map != nullptr) ::munmap(m_map, m_size);
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path, bool verifyChecksums) {
    const std::string where = path.string();
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) {
        if (errno == ENOENT || errno == ENOTDIR)
            return inputError("there is no such file", where, "check the path").withCode(ErrorCode::FileMissing);
        const std::string limit = limitRemedy(errno);
        return systemError("cannot open", where, limit.empty() ? "check its permissions" : limit);
    }
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0) return systemError("cannot read", where);
    if (!S_ISREG(info.st_mode)) return inputError("this is not a regular file", where, "name a file");
    SafetensorsFile file;
    file.m_size = static_cast<std::size_t>(info.st_size);
    if (file.m_size > 0) {
        void* map = ::mmap(nullptr, file.m_size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
        if (map == MAP_FAILED) return systemError("cannot map", where);
        file.m_map = map;
    }
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(file.m_map), file.m_size);
    auto parsed = readSafetensorsHead(bytes, bytes.size());
    if (!parsed.ok()) return located(std::move(parsed).error(), where);
    if (verifyChecksums) {
        auto checked = checkSums(*parsed, bytes.subspan(static_cast<std::size_t>(parsed->dataOffset)));
        if (!checked.ok()) return located(std::move(checked).error(), where);
    }
    auto sums = checksumsOf(parsed->metadata);
    if (sums.ok()) file.m_sums = std::move(*sums);
    else if (verifyChecksums) return located(std::move(sums).error(), where);
    else file.m_sums = {{"", ""}}; // no check succeeds
    file.m_path = where;
    file.m_dataOffset = static_cast<std::size_t>(parsed->dataOffset);
    file.m_tensors = std::move(parsed->tensors);
    file.m_metadata = std::move(parsed->metadata);
    return file;
}

const TensorInfo* SafetensorsFile::find(const std::string& name) const {
    const auto found =
        std::find_if(m_tensors.begin(), m_tensors.end(), [&](const TensorInfo& t) { return t.name == name; });
    return found == m_tensors.end() ? nullptr : &*found;
}

std::span<const std::byte> SafetensorsFile::bytes(const TensorInfo& tensor) const {
    return {static_cast<const std::byte*>(m_map) + m_dataOffset + tensor.begin,
            static_cast<std::size_t>(tensor.end - tensor.begin)};
}

Result<void> SafetensorsFile::checkHeader() const {
    auto checked = checkHeaderSum(m_sums, m_tensors, m_metadata);
    if (!checked.ok()) return located(std::move(checked).error(), m_path);
    return {};
}

Result<void> SafetensorsFile::check(const TensorInfo& tensor) const {
    auto checked = checkTensorSum(m_sums, tensor, bytes(tensor));
    if (!checked.ok()) return located(std::move(checked).error(), m_path);
    return {};
}

void SafetensorsFile::release(const TensorInfo& tensor) const {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t begin = (m_dataOffset + static_cast<std::size_t>(tensor.begin)) / page * page;
    const std::size_t end = m_dataOffset + static_cast<std::size_t>(tensor.end);
    if (m_map != nullptr && end > begin) ::madvise(static_cast<std::byte*>(m_map) + begin, end - begin, MADV_DONTNEED);
}

std::uint64_t safetensorsHeadSize(std::span<const std::byte> first) {
    if (first.size() < kLengthSize) return first.size();
    return kLengthSize + std::min(lengthIn(first), kMaxHeader);
}

Result<SafetensorsHead> readSafetensorsHead(std::span<const std::byte> head, std::uint64_t fileSize) {
    TY_ASSIGN(HeaderReader header, readHeader(head, fileSize));
    const std::uint64_t dataOffset = kLengthSize + lengthIn(head);
    TY_TRY(checkLayout(header.tensors, fileSize - dataOffset));
    return SafetensorsHead{std::move(header.tensors), std::move(header.metadata), dataOffset};
}

Result<void> checkSafetensors(std::span<const std::byte> file) {
    TY_ASSIGN(const auto head, readSafetensorsHead(file, file.size()));
    return checkSums(head, file.subspan(static_cast<std::size_t>(head.dataOffset)));
}

} // namespace trainyard::store
