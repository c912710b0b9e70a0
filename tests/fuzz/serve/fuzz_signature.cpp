// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/service_documents.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;
using namespace trainyard::serve;

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto read = signatureFromJson({reinterpret_cast<const char*>(data), size});
    if (!read.ok()) {
        require(!read.error().message.empty() && !read.error().where.empty(), "an error has a place and a message");
        return 0;
    }
    const auto again = signatureFromJson(signatureToJson(*read));
    require(again.ok() && signatureToJson(*again) == signatureToJson(*read), "its text says all of it");
    for (const TensorSignature& each : read->inputs) (void)each.elementsOfRow();
    require(!modelMetadata(*read, {"1"}).empty(), "it has metadata");
    return 0;
}
