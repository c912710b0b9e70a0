// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/task/evaluate.h"

#include "engine/run/record/evaluation.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/trainer/learner/buffer_copies.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace trainyard::train {
namespace {

constexpr std::int64_t kJudgedAtOnce = 1 << 15; // samples, before the ones to keep are chosen from them

// The examples of a share so far. Rows stay on their device until there are many: reading them waits for it.
class ExamplePicker {
public:
    explicit ExamplePicker(const Task& task, std::int64_t begin) : m_task(task), m_next(begin) {}

    void add(const torch::Tensor& judged) {
        m_rows.push_back(judged);
        m_held += judged.size(0);
        if (m_held >= kJudgedAtOnce) choose();
    }
    std::vector<run::Example> take() {
        choose();
        return std::move(m_chosen);
    }

private:
    void choose() {
        if (m_rows.empty()) return;
        const torch::Tensor rows = torch::cat(m_rows).cpu().contiguous();
        const auto width = static_cast<std::size_t>(rows.size(1));
        const double* row = rows.data_ptr<double>();
        for (std::int64_t i = 0; i < rows.size(0); ++i, row += width)
            m_chosen.push_back(m_task.example(m_next++, {row, width}));
        m_chosen = run::chooseExamples(std::move(m_chosen));
        m_rows.clear();
        m_held = 0;
    }

    const Task& m_task;
    std::vector<torch::Tensor> m_rows;
    std::int64_t m_held = 0, m_next;
    std::vector<run::Example> m_chosen;
};

// The batches of a share, one after another; of a streamed part they are decoded ahead.
class ShareBatches {
public:
    ShareBatches(const data::Dataset& dataset, const data::Split& split, const EvaluationShare& how, std::int64_t least)
        : m_dataset(dataset), m_split(split), m_how(how), m_least(least), m_next(how.share.begin) {
        if (split.isStreamed() && !isOver())
            m_loader.emplace(split, split.bytesShape(dataset.sampleShape),
                             data::withFeatures(how.loader, dataset, split));
    }

    bool isOver() const { return m_next >= m_how.share.end; }
    data::Batch next() {
        const std::int64_t begin = std::exchange(m_next, endOf(m_next));
        if (!m_loader)
            return data::gather(
                m_dataset, m_split,
                torch::arange(begin, m_next, torch::TensorOptions(torch::kInt64).device(m_split.device())));
        std::int64_t from = m_next;
        const auto ahead = [&](int) -> std::optional<data::BatchRequest> {
            if (from >= m_how.share.end) return {};
            const std::int64_t first = std::exchange(from, endOf(from));
            return data::BatchRequest{torch::arange(first, from, torch::kInt64)};
        };
        auto batch = m_loader->take({torch::arange(begin, m_next, torch::kInt64)}, ahead, m_how.waiting);
        if (!batch) throw Raised(batch.error());
        return data::batchOf(m_dataset, m_split, batch->bytes, batch->indices.to(m_split.device()));
    }
    std::vector<data::UnreadableFile> takeUnreadable() {
        return m_loader ? m_loader->takeUnreadable() : std::vector<data::UnreadableFile>();
    }

private:
    std::int64_t endOf(std::int64_t begin) const {
        const std::int64_t end = std::min(begin + m_how.batch, m_how.share.end);
        return m_how.share.end - end < m_least ? m_how.share.end : end; // too few for a batch of their own
    }

    const data::Dataset& m_dataset;
    const data::Split& m_split;
    const EvaluationShare& m_how;
    const std::int64_t m_least;
    std::int64_t m_next;
    std::optional<data::BatchLoader> m_loader;
};

} // namespace

EvaluatedShare evaluateShare(models::Model& model, const Task& task, const data::Dataset& dataset,
                             const data::Split& split, const EvaluationShare& how) {
    const torch::NoGradGuard noGrad;
    auto sums = task.zeroSums(split.device());
    ShareBatches batches(dataset, split, how, model.leastBatch());
    ExamplePicker picker(task, how.share.begin);
    BufferCopies buffers;
    buffers.keep(model);
    int number = 0;
    while (!batches.isOver()) {
        if (how.begins) how.begins(number++);
        const auto batch = batches.next();
        torch::Tensor outputs;
        {
            const auto autocast = how.precision.scope();
            outputs = model.forward(batch.inputs);
        }
        outputs = outputs.to(torch::kFloat32);
        task.add(sums, outputs, batch.targets);
        picker.add(task.judge(outputs, batch.targets));
    }
    buffers.bringBack(model);
    return {std::move(sums), picker.take(), batches.takeUnreadable()};
}

void judgeAlone(models::Model& model, const Task& task, const data::Dataset& dataset, const data::Split& split,
                std::vector<run::Example>& examples) {
    const torch::NoGradGuard noGrad;
    const auto onDevice = torch::TensorOptions(torch::kInt64).device(split.device());
    BufferCopies buffers;
    buffers.keep(model);
    for (run::Example& example : examples) {
        const auto sample = data::gather(dataset, split, torch::full({1}, example.index, onDevice));
        const torch::Tensor outputs = model.forward(sample.inputs).to(torch::kFloat32);
        const torch::Tensor row = task.judge(outputs, sample.targets).cpu().contiguous();
        example = task.example(example.index, {row.data_ptr<double>(), static_cast<std::size_t>(row.size(1))});
    }
    buffers.bringBack(model);
}

std::vector<run::Example> chosenOf(const std::vector<std::string>& ofRanks) {
    std::vector<run::Example> all;
    for (const std::string& text : ofRanks) {
        auto examples = run::parseExamples(text, "examples of a rank");
        TORCH_CHECK(examples.ok(), examples.error().text());
        std::move(examples->begin(), examples->end(), std::back_inserter(all));
    }
    return run::chooseExamples(std::move(all));
}

} // namespace trainyard::train
