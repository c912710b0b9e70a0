// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/sample_json.h"

#include "engine/torch/data/token_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kThumbnailSide = 128;
constexpr double kRoundings = 4 * std::numeric_limits<float>::epsilon(); // of a feature that was standardised

std::string base64(std::span<const std::uint8_t> bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = (word << 8) | (k < left ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[(word >> (18 - 6 * k)) & 63u] : '=';
    }
    return text;
}

constexpr int kDigits = 6, kMostDigits = 15;

std::string numberText(double number, int digits = kDigits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    return text.data();
}

std::int64_t thumbnailStep(std::int64_t height, std::int64_t width) {
    return (std::max(height, width) - 1) / kThumbnailSide + 1;
}

} // namespace

int digitsOf(double mean, double stddev) {
    if (!(std::abs(mean) > stddev) || stddev <= 0) return kDigits;
    return std::min(kMostDigits, kDigits + static_cast<int>(std::ceil(std::log10(std::abs(mean) / stddev))));
}

std::string pixelsOf(const torch::Tensor& image) {
    const std::int64_t step = thumbnailStep(image.size(1), image.size(2));
    const torch::Tensor small = image.slice(1, 0, image.size(1), step).slice(2, 0, image.size(2), step);
    const torch::Tensor pixels = small.permute({1, 2, 0}).contiguous(); // as images are drawn
    return base64({pixels.data_ptr<std::uint8_t>(), pixels.nbytes()});
}

std::int64_t thumbnailSide(const std::vector<std::int64_t>& sampleShape, std::size_t side) {
    const std::int64_t step = thumbnailStep(sampleShape[1], sampleShape[2]);
    return (sampleShape[side] + step - 1) / step;
}

json valuesOf(const data::Dataset& dataset, const torch::Tensor& features, std::int64_t most) {
    const torch::Tensor row = features.to(torch::kFloat32).contiguous();
    const float* at = row.data_ptr<float>();
    json values = json::array();
    for (std::int64_t f = 0; f < std::min(most, row.numel()); ++f) {
        const auto index = static_cast<std::size_t>(f);
        const bool changed = index < dataset.mean.size();
        const double spread = static_cast<double>(at[f]) * (changed ? dataset.stddev[index] : 1.0);
        const double value = spread + (changed ? dataset.mean[index] : 0.0);
        const bool isNothing = changed && std::abs(value) < kRoundings * std::abs(spread); // 0, not 1.2e-08
        const int digits = changed ? digitsOf(dataset.mean[index], dataset.stddev[index]) : kDigits;
        values.push_back(isNothing ? 0.0 : std::stod(numberText(value, digits))); // 5.1, not 5.0999999
    }
    return values;
}

json columnsOf(const data::Dataset& dataset, std::int64_t most) {
    json names = json::array();
    for (std::int64_t f = 0; f < std::min(most, dataset.sampleShape[0]); ++f) {
        const auto index = static_cast<std::size_t>(f);
        const bool named = index < dataset.featureNames.size();
        names.push_back(named ? dataset.featureNames[index] : std::to_string(f + 1).insert(0, 1, 'x'));
    }
    return names;
}

std::string targetOf(const data::Dataset& dataset, const data::Split& split, std::int64_t sample) {
    if (dataset.task == TaskKind::Classification)
        return dataset.classNames[static_cast<std::size_t>(split.targets[sample].item<std::int64_t>())];
    std::string text;
    if (dataset.task == TaskKind::MultiLabel) {
        for (std::int64_t k = 0; k < dataset.classes; ++k)
            if (split.targets[sample][k].item<double>() > 0.5)
                text += (text.empty() ? "" : ", ") + dataset.classNames[static_cast<std::size_t>(k)];
        return text.empty() ? "–" : text;
    }
    for (std::int64_t k = 0; k < dataset.classes; ++k) {
        const auto index = static_cast<std::size_t>(k);
        const bool known = index < dataset.targetMean.size();
        const int digits = known ? digitsOf(dataset.targetMean[index], dataset.targetStddev[index]) : kDigits;
        text += (k > 0 ? ", " : "") + numberText(split.targets[sample][k].item<double>(), digits);
    }
    return text;
}

std::string textOf(const std::vector<std::string>& names, const TokenLayout& layout, const torch::Tensor& window) {
    const torch::Tensor whole = window.to(torch::kInt64).contiguous();
    std::string text;
    for (const std::int64_t token : std::span(whole.data_ptr<std::int64_t>(), static_cast<std::size_t>(whole.numel())))
        text += data::textOfToken(token, names, layout);
    return text;
}

} // namespace trainyard::train
