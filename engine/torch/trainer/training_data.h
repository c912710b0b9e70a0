// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"
#include "engine/torch/weights/weights_report.h"
#include "engine/wire/messages.h"

#include <array>
#include <functional>

namespace trainyard::train {

// Files and reasons as lines, and back.
std::string unreadableText(const std::vector<data::UnreadableFile>& files);
std::vector<data::UnreadableFile> unreadableIn(const std::string& text);

// The samples a run trains on, with the description of them that checkpoints hold.
class TrainingData {
public:
    TrainingData() = default; // none
    // `keep`: in memory, for the next run of this process. `spec` outlives it. Input: a file is bad, or the run file
    // asks for something that cannot be.
    static Result<TrainingData> load(const spec::RunSpec& spec, bool keep);

    const data::Dataset& set() const { return m_set; }
    const ModelInfo& info() const { return m_info; }
    models::ModelContext modelContext() const { return {m_set.sampleShape, m_set.classes, m_set.task}; }
    // For a sampler: how the samples of an epoch are drawn where classes are balanced; else empty.
    std::function<torch::Tensor(std::int64_t)> orderOfEpochs() const;
    wire::DataRead description() const; // for the run's log

    // Adds what the ranks have found to be unreadable meanwhile, each the text of unreadableText(). False: nothing new.
    bool noteUnreadable(const std::vector<std::string>& ofRanks);

    // Lists the files as they were when the run began, where some have been deleted since: data::imagesAsListed(). For
    // a rank that joins the others always, else only where such files are skipped and nothing was added. True: the
    // samples are those of then. Input: what is gone may not be skipped.
    Result<bool> listAsThen(const ModelInfo& trainedOn, bool joins);
    // For a continued run: converts the data to the units of the checkpoint. Input: it is other data.
    Result<void> mustBeSame(const ModelInfo& trainedOn);
    // A fork is another run: only notes the differences.
    void noteDifferences(const ModelInfo& trainedOn);
    // Of labels, chosen in a validation: for the checkpoints that follow.
    void setThresholds(std::vector<double> thresholds) { m_info.thresholds = std::move(thresholds); }
    // The first weights came from a file: said in the notes and in info().
    void noteWeights(const weights::WeightsReport& report);
    // What a frozen body puts out takes the place of the samples, in the same order.
    void useFeatures(const std::array<torch::Tensor, 3>& ofTrainValidationTest);
    bool areFeatures() const { return m_areFeatures; }
    // Keeps few samples where the run file is only tried out. `perPass`: samples that all ranks take in one pass.
    void limitForDebug(std::int64_t perPass, std::int64_t perStep);
    void moveTo(const torch::Device& device) { data::moveTo(m_set, device); }

private:
    Result<void> normaliseAsWeights();

    const spec::RunSpec* m_spec = nullptr;
    data::Dataset m_set;
    ModelInfo m_info;
    std::size_t m_replaced = 0; // files that became unreadable while it trained
    bool m_areFeatures = false;
};

} // namespace trainyard::train
