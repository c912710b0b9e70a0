// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/token_windows.h"

namespace trainyard::data {

namespace {

Result<Split> part(const torch::Tensor& tokens, std::int64_t begin, std::int64_t end, const WindowOptions& options,
                   const char* what) {
    const std::int64_t stride = options.stride > 0 ? options.stride : options.length;
    const std::int64_t room = end - begin - 1 - options.length; // the last token is only a target
    if (room < 0)
        return inputError("the text's part for " + std::string(what) + " has " + std::to_string(end - begin) +
                              " characters, and a sample takes " + std::to_string(options.length + 1),
                          "dataset.params.sequenceLength", "use a longer text, shorter samples or another share");
    const std::int64_t count = room / stride + 1;
    return Split{tokens.as_strided({count, options.length}, {stride, 1}, begin),
                 tokens.as_strided({count, options.length}, {stride, 1}, begin + 1)};
}

} // namespace

Result<void> windowsOf(Dataset& dataset, const torch::Tensor& tokens, const WindowOptions& options) {
    const std::int64_t n = tokens.size(0);
    const auto share = [&](double percent) {
        return static_cast<std::int64_t>(static_cast<double>(n) * percent / 100.0);
    };
    const std::int64_t testFrom = n - share(options.shares.test);
    const std::int64_t validationFrom = testFrom - share(options.shares.validation);
    TY_ASSIGN(dataset.train, part(tokens, 0, std::max<std::int64_t>(0, validationFrom), options, "training"));
    if (options.shares.validation > 0) {
        TY_ASSIGN(dataset.validation, part(tokens, validationFrom, testFrom, options, "validation"));
    }
    if (options.shares.test > 0) { TY_ASSIGN(dataset.test, part(tokens, testFrom, n, options, "the test")); }
    dataset.sampleShape = {options.length};
    return {};
}

} // namespace trainyard::data
