// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/shared_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

namespace trainyard::train {
namespace {

constexpr std::size_t kPage = 4096;

std::size_t wholePages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

Error noMemory(const char* what, const SegmentShape& shape) {
    return systemError(std::string(what) + " " + std::to_string(shape.bytes() >> 20) + " MB of shared memory")
        .withCode(ErrorCode::OutOfMemory);
}

} // namespace

std::size_t SegmentShape::cellBytes() const { return wholePages(kGates * ranks * sizeof(Cell)); }
std::size_t SegmentShape::squareBytes() const { return wholePages(squares * sizeof(double)); }
std::size_t SegmentShape::bytes() const {
    return cellBytes() + squareBytes() + (copies * (1 + slots) + ranks) * wholePages(floats * sizeof(float));
}

Result<std::shared_ptr<SharedSegment>> SharedSegment::create(const SegmentShape& shape) {
    UniqueFd file(::memfd_create("trainyard-weights", MFD_CLOEXEC));
    if (!file) return noMemory("cannot make", shape);
    // Reserved now: memory that is lacking later would end a rank with SIGBUS.
    if (const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(shape.bytes())); error != 0) {
        errno = error;
        return noMemory("cannot reserve", shape);
    }
    std::shared_ptr<SharedSegment> segment(new SharedSegment(shape, std::move(file)));
    TY_TRY(segment->map());
    return segment;
}

Result<std::shared_ptr<SharedSegment>> SharedSegment::open(const SegmentShape& shape, const std::string& address) {
    const auto colon = address.find(':');
    if (colon == std::string::npos) return runError("\"" + address + "\" is not an address of shared memory");
    const std::string path = "/proc/" + address.substr(0, colon) + "/fd/" + address.substr(colon + 1);
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file) return systemError("cannot open the shared memory of another rank, " + path);
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0 || facts.st_size != static_cast<off_t>(shape.bytes()))
        return environmentError(path + " is not the shared memory of this run: it has " +
                                std::to_string(facts.st_size) + " bytes, not " + std::to_string(shape.bytes()));
    std::shared_ptr<SharedSegment> segment(new SharedSegment(shape, std::move(file)));
    TY_TRY(segment->map());
    segment->close();
    return segment;
}

Result<void> SharedSegment::map() {
    // The pages are there already: mapped now, they cost the first step no faults.
    void* memory = ::mmap(nullptr, m_shape.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, m_file.get(), 0);
    if (memory == MAP_FAILED) return noMemory("cannot map", m_shape);
    m_memory = static_cast<std::byte*>(memory);
    return {};
}

SharedSegment::~SharedSegment() {
    if (m_memory) ::munmap(m_memory, m_shape.bytes());
}

std::string SharedSegment::address() const { return std::to_string(::getpid()) + ":" + std::to_string(m_file.get()); }

// A new file is all zeros, which is what a cell begins with.
Cell& SharedSegment::cell(Gate gate, std::size_t rank) {
    return reinterpret_cast<Cell*>(m_memory)[static_cast<std::size_t>(gate) * m_shape.ranks + rank];
}

double* SharedSegment::squares() { return reinterpret_cast<double*>(m_memory + m_shape.cellBytes()); }

float* SharedSegment::copy(int which) {
    std::byte* first = m_memory + m_shape.cellBytes() + m_shape.squareBytes();
    return reinterpret_cast<float*>(first) + static_cast<std::size_t>(which) * copyFloats();
}

float* SharedSegment::gradients(std::size_t rank) {
    std::byte* first = m_memory + m_shape.cellBytes() + m_shape.squareBytes();
    return reinterpret_cast<float*>(first) + m_shape.copies * copyFloats() + rank * m_shape.floats;
}

} // namespace trainyard::train
