// SPDX-License-Identifier: GPL-3.0-or-later
// A process that keeps models and a dataset in memory and answers one question after another (ANSWER.md).
#pragma once

#include "engine/torch/worker/predict.h"
#include "engine/torch/worker/preview_draws.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::train {

// Answers lines; reads and writes nothing itself.
class AnswerDesk {
public:
    static constexpr std::size_t kMaxLine = 1u << 20; // bytes of a question
    static constexpr std::size_t kMaxModels = 4;      // kept; the one that was asked longest ago goes first
    static constexpr std::size_t kMaxSamples = 512;   // of one question

    // The answer to one line, without the newline at its end. Whatever the line holds, there is an answer and the desk
    // lives on: an error is one, too.
    std::string answer(std::string_view line);
    // The answer to a line that was longer than kMaxLine.
    static std::string refuseLong();

private:
    // One model in memory, and the file that it came from.
    struct Kept {
        std::string path;
        std::filesystem::file_time_type written;
        std::shared_ptr<const TrainedModel> model;
    };

    Result<nlohmann::json> answerTo(const nlohmann::json& question);
    Result<nlohmann::json> predict(const nlohmann::json& question);
    Result<nlohmann::json> samples(const nlohmann::json& question);
    Result<nlohmann::json> evaluate(const nlohmann::json& question);
    Result<nlohmann::json> draws(const nlohmann::json& question);
    Result<std::shared_ptr<const TrainedModel>> modelOf(const nlohmann::json& question);

    std::list<Kept> m_models; // the one that was asked last is in front
    KeptDataset m_datasets;
    DrawDesk m_draws;
};

} // namespace trainyard::train
