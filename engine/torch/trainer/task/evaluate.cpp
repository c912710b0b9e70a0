// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/task/evaluate.h"

#include "engine/run/record/evaluation.h"
#include "engine/torch/trainer/learner/buffer_copies.h"

#include <algorithm>

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

} // namespace

EvaluatedShare evaluateShare(models::Model& model, const Task& task, const data::Dataset& dataset,
                             const data::Split& split, const EvaluationShare& how) {
    const torch::NoGradGuard noGrad;
    const auto device = split.device();
    const auto onDevice = torch::TensorOptions(torch::kInt64).device(device);
    auto sums = task.zeroSums(device);
    ExamplePicker picker(task, how.share.begin);
    BufferCopies buffers;
    buffers.keep(model);
    int number = 0;
    for (std::int64_t begin = how.share.begin, end = begin; begin < how.share.end; begin = end) {
        if (how.begins) how.begins(number++);
        end = std::min(begin + how.batch, how.share.end);
        if (how.share.end - end < model.leastBatch()) end = how.share.end; // too few for a batch of their own
        const auto indices = torch::arange(begin, end, onDevice);
        const auto batch = data::gather(dataset, split, indices);
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
    return {std::move(sums), picker.take()};
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
