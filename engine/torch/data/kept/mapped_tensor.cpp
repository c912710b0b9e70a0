// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/mapped_tensor.h"

#include "engine/base/files/kept_file.h"
#include "engine/torch/data/kept/read_ahead.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace trainyard::data {

namespace {

// A file without a name.
Result<UniqueFd> unnamedFile(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    UniqueFd fd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (fd) return fd;
    std::string name = (folder / "rows.XXXXXX").string(); // a file system without O_TMPFILE
    fd = UniqueFd(::mkostemp(name.data(), O_CLOEXEC));
    if (!fd) return systemError("cannot be written", folder.string());
    ::unlink(name.c_str());
    return fd;
}

} // namespace

Result<torch::Tensor> mappedTensor(const std::vector<std::int64_t>& shape, torch::ScalarType type) {
    std::int64_t bytes = static_cast<std::int64_t>(torch::elementSize(type));
    for (const std::int64_t side : shape) bytes *= side;
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(1, bytes));
    const std::filesystem::path folder = usualStore("tables").folder;
    TY_ASSIGN(const UniqueFd fd, unnamedFile(folder));
    errno = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(size));
    if (errno != 0) return systemError("cannot be written", folder.string());
    void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (base == MAP_FAILED) return systemError("cannot be mapped", folder.string());
    bringNothingElse(base, size);
    return torch::from_blob(base, shape, [size](void* at) { ::munmap(at, size); }, torch::TensorOptions(type));
}

} // namespace trainyard::data
