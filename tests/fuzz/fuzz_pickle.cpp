// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/pickle_machine.h"
#include "engine/program/checkpoints/torch_values.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    constexpr std::uint64_t kStorage = 64, kAt = 1000;
    const program::ReadPickle read =
        program::readPickle(std::string(reinterpret_cast<const char*>(data), size), "input", {.values = 100'000});
    for (const auto& name : read.tree.code()) require(!name.empty(), "code has a name");
    if (read.problem) {
        require(!read.problem->message.empty() && !read.problem->remedy.empty(), "an error says what to do");
        return 0;
    }
    program::FileContent content;
    program::readTorchValues(
        read.tree, [=](const std::string&) { return program::StoragePlace{kStorage, kAt}; }, content);
    for (const auto& tensor : content.tensors)
        if (tensor.offset)
            require(*tensor.offset >= kAt && tensor.bytes <= kStorage &&
                        *tensor.offset + tensor.bytes <= kAt + kStorage,
                    "a tensor lies in its storage");
    return 0;
}
