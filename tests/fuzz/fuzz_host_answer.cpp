// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as what a host says of its Python and of a checkpoint.
#include "engine/run/program/host_python.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard::run;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto facts = hostPythonFrom(bytes);
    if (facts) {
        const auto again = hostPythonFrom(toJson(*facts));
        require(again.ok() && *again == *facts, "what was read can be written and read");
        require(fitTogether({{"a", *facts}, {"b", *facts}}).ok(), "a Python fits itself");
    } else {
        require(!facts.error().message.empty(), "an error is explained");
    }
    require(lookFrom(bytes).problem.size() <= 16'000, "a text is bounded");
    return 0;
}
