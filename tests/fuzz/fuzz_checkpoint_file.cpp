// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/read_content.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto content = program::readContent(file.path());
    if (!content) {
        require(!content.error().message.empty() && !content.error().where.empty(), "an error has a place");
        return 0;
    }
    require(content->bytes == size, "the size is told");
    for (const auto& tensor : content->tensors)
        if (tensor.offset)
            require(*tensor.offset <= size && tensor.bytes <= size - *tensor.offset, "a tensor lies in the file");
    return 0;
}
