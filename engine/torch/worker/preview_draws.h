// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace trainyard::train {

// What a run's augmentation makes of its pictures, drawn by the code that the run trains with. Keeps the dataset, as a
// preview reads it, from one question to the next.
class DrawDesk {
public:
    static constexpr std::int64_t kDraws = 24; // of one picture
    static constexpr std::int64_t kBatch = 12; // of the first step's pictures

    // The answer to "draws" of ANSWER.md: one picture, kDraws changes of it without those that mix two pictures, and up
    // to kBatch of the first batch of rank 0 as the model is given them, with their labels. `picture`: which of those
    // that a preview shows. The same arguments give the same draws. Blocks while the pictures are decoded. Input:
    // whatever the run would be refused for of its data and augmentation; a dataset without pictures.
    Result<nlohmann::json> draws(const spec::RunSpec& spec, std::int64_t picture);

private:
    Result<std::shared_ptr<const data::Dataset>> datasetOf(const spec::RunSpec& spec);

    std::string m_key;
    std::shared_ptr<const data::Dataset> m_dataset;
};

} // namespace trainyard::train
