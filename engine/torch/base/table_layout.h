// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// How a row of a table becomes the features of a sample: what a model that was trained on one must know of it.
struct TableLayout {
    struct Feature {
        std::string name;
        std::int64_t column = 0; // in the table it was trained on, counted from 1
        bool isWords = false;
        std::vector<std::string> words{}; // each is a feature of 0 or 1, in this order
        std::optional<double> fill{};     // of numbers: replaces a missing cell; none: refuse it
        std::string unit{};               // "%": what stands at each number
        std::vector<std::string>
            parts{}; // of dates and times (formats::partsOf()): each is a feature; `fill` is in seconds
        bool isDates() const { return !parts.empty(); }
        std::int64_t width() const {
            const std::size_t several = isWords ? words.size() : parts.size();
            return isWords || isDates() ? static_cast<std::int64_t>(several) : 1;
        }
    };
    struct Target {
        std::string name;
        std::int64_t column = 0;
    };
    std::vector<Feature> features{};
    std::vector<Target> targets{};
    std::int64_t columns = 0; // of the table it was trained on, those left out among them
    bool hasHeader = false;   // which the names are from; else they are "column 3"
    char decimal = 0;         // '.' or ',' where the numbers told, else 0
    bool isTable() const { return !features.empty(); }
};

// The word that stands for a missing cell of a column of words, where missing cells are filled in.
inline constexpr const char* kMissingWord = "(missing)";

// As the member "table" of a checkpoint's modelInfo has it (CHECKPOINT.md), and back; what is absent stays as it is
// above.
nlohmann::json toJson(const TableLayout& layout);
TableLayout tableLayoutFrom(const nlohmann::json& object);

} // namespace trainyard::train
