// SPDX-License-Identifier: GPL-3.0-or-later
// Values of tensors in files of weights: torch.save, its old format, safetensors.
#include "engine/program/checkpoints/tensor_file.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto weights = program::TensorFile::open(file.path());
    if (!weights) {
        require(!weights.error().message.empty() && !weights.error().where.empty(), "an error has a place");
        return 0;
    }
    require(weights->bytes() == size, "the size is told");
    std::size_t total = 0;
    for (std::size_t i = 0; i < weights->tensors().size() && total < 16 * size + 1024; ++i) {
        if (!weights->canRead(i)) continue;
        const auto& tensor = weights->tensors()[i];
        require(tensor.bytes <= size, "a tensor is no larger than the file");
        std::vector<std::byte> values(static_cast<std::size_t>(tensor.bytes));
        const auto read = weights->read(i, values);
        require(read.ok() || !read.error().message.empty(), "an error says why");
        total += values.size();
    }
    return 0;
}
