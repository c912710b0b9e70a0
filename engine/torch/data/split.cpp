// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/split.h"

#include "engine/torch/data/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::data {

namespace {

std::int64_t countOf(std::int64_t n, double percent) {
    if (percent <= 0) return 0;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(n) * percent / 100.0));
}

Split select(const Split& all, const torch::Tensor& indices) {
    return {all.inputs.index_select(0, indices), all.targets.index_select(0, indices)};
}

} // namespace

Result<void> splitOff(Dataset& dataset, const Split& all, const Shares& shares, std::int64_t seed) {
    const std::int64_t n = all.size(), validation = countOf(n, shares.validation), test = countOf(n, shares.test);
    if (validation + test >= n)
        return inputError(std::to_string(n) + " samples are too few to keep " + spec::toText(shares.validation) +
                              "% of them for validation" +
                              (test > 0 ? " and " + spec::toText(shares.test) + "% for the test" : ""),
                          "dataset.params.validation", "use more samples");
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    Random random(static_cast<std::uint64_t>(seed), 0x73706C6974); // its own stream: "split"
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    const torch::Tensor deal = torch::tensor(order, torch::kInt64);
    dataset.validation = select(all, deal.narrow(0, 0, validation));
    if (test > 0) dataset.test = select(all, deal.narrow(0, validation, test));
    dataset.train = select(all, deal.narrow(0, validation + test, n - validation - test));
    return {};
}

Result<void> useTestPart(Dataset& dataset, Split train, Split test, double validationPercent, std::int64_t seed) {
    if (validationPercent > 0) {
        TY_TRY(splitOff(dataset, train, {.validation = validationPercent}, seed));
        dataset.test = std::move(test);
        return {};
    }
    dataset.train = std::move(train);
    dataset.validation = std::move(test);
    return {};
}

void limitTo(Split& split, std::int64_t limit) {
    if (limit <= 0 || limit >= split.size()) return;
    split = {split.inputs.narrow(0, 0, limit).contiguous(), split.targets.narrow(0, 0, limit).contiguous()};
}

spec::ParamInfo validationInfo(double defaultValue, double least, const char* help) {
    return {.name = "validation",
            .title = "Validation share",
            .defaultValue = defaultValue,
            .min = least,
            .max = 90.0,
            .unit = "%",
            .help = help};
}

spec::ParamInfo officialValidationInfo() {
    return validationInfo(10.0, 0.0,
                          "Share of the training images kept for validation. The official test images are measured "
                          "once, when the training ends; with 0 they are what the run validates on.");
}

spec::ParamInfo limitInfo() {
    return {.name = "limit",
            .title = "Training images",
            .type = spec::ParamType::Integer,
            .defaultValue = std::int64_t{0},
            .min = 0.0,
            .unit = "0: all",
            .help = "Use only this many training images, for a quick try; 0: all."};
}

spec::ParamInfo testInfo() {
    return {.name = "test",
            .title = "Test share",
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 90.0,
            .unit = "%",
            .help = "Share of the samples held out for a test after training."};
}

void measureImages(Dataset& dataset) {
    dataset.mean.clear();
    dataset.stddev.clear();
    const torch::Tensor value = torch::arange(256, torch::kFloat64) / 255.0;
    for (std::int64_t c = 0; c < dataset.train.inputs.size(1); ++c) {
        torch::Tensor histogram = torch::zeros({256}, torch::kFloat64);
        for (const torch::Tensor& some : dataset.train.inputs.select(1, c).split(4096)) // int64 copies stay small
            histogram += torch::bincount(some.flatten().to(torch::kInt64), {}, 256).to(torch::kFloat64);
        const double count = histogram.sum().item<double>();
        const double mean = (histogram * value).sum().item<double>() / count;
        const double square = (histogram * value * value).sum().item<double>() / count;
        dataset.mean.push_back(mean);
        dataset.stddev.push_back(std::sqrt(std::max(square - mean * mean, 1e-12)));
    }
}

Error missingPath(const char* param, const char* remedy) {
    return inputError("is missing", std::string("dataset.params.") + param, remedy);
}

} // namespace trainyard::data
