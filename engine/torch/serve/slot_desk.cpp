// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/serve/slot_desk.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/serve/values/error_body.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/worker/predict.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace trainyard::train {
namespace {

using serve::SlotHead;
using serve::SlotKind;
using serve::SlotStatus;

// Elements with their length in 4 bytes before each; nothing when the lengths do not add up.
std::optional<std::vector<std::span<const std::byte>>> elementsOf(std::span<const std::byte> bytes, std::size_t count) {
    std::vector<std::span<const std::byte>> elements;
    while (!bytes.empty() && elements.size() < count) {
        std::uint32_t length = 0;
        if (bytes.size() < sizeof length) return std::nullopt;
        std::memcpy(&length, bytes.data(), sizeof length);
        bytes = bytes.subspan(sizeof length);
        if (bytes.size() < length) return std::nullopt;
        elements.push_back(bytes.first(length));
        bytes = bytes.subspan(length);
    }
    if (!bytes.empty() || elements.size() != count) return std::nullopt;
    return elements;
}

PredictOptions optionsOf(const SlotHead& head) {
    return {.top = static_cast<int>(head.top),
            .continueBy = static_cast<int>(head.continueBy),
            .temperature = head.temperature,
            .seed = head.seed,
            .seen = false};
}

bool sameShape(const std::vector<torch::Tensor>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(),
                       [&](const torch::Tensor& each) { return each.sizes() == tensors.front().sizes(); });
}

} // namespace

SlotDesk::SlotDesk(const TrainedModel& trained, const serve::ExchangeMemory& memory, bool alone)
    : m_trained(trained), m_memory(memory), m_alone(alone) {}

void SlotDesk::answer(std::span<const std::uint32_t> slots) {
    const torch::NoGradGuard noGradients;
    std::vector<Work> works;
    std::uint32_t rows = 0;
    for (const std::uint32_t slot : slots) {
        Work work;
        work.slot = slot;
        work.head = m_memory.head(slot);
        const auto read = guarded("request", [&] { return this->read(work); });
        if (!read) {
            refuse(slot, read.error());
            continue;
        }
        rows += work.head.rows;
        works.push_back(std::move(work));
    }
    const double begun = monotonicSeconds();
    auto computed = guarded("model", [&] { return compute(works); });
    for (std::size_t i = 0; i < works.size(); ++i) {
        Work& work = works[i];
        // One of them may be what the model fails with.
        auto own =
            computed || works.size() == 1 ? computed : guarded("model", [&] { return compute(std::span(&work, 1)); });
        const double us = 1e6 * (monotonicSeconds() - begun);
        if (own) own = guarded("answer", [&] { return write(work, us, rows); });
        if (!own) refuse(work.slot, own.error());
    }
}

Result<void> SlotDesk::read(Work& work) const {
    if (work.head.inputBytes > m_memory.layout().inputBytes) return inputError("is larger than its slot", "request");
    return work.head.kind == static_cast<std::uint32_t>(SlotKind::Tensor) ? readTensor(work) : readElements(work);
}

Result<void> SlotDesk::readTensor(Work& work) const {
    const SlotHead& head = work.head;
    const bool whole = m_trained.context.task == TaskKind::Language;
    const auto type = whole ? torch::kInt64 : torch::kFloat32;
    if (head.dimensions < 1 || head.dimensions > serve::kSlotDimensions)
        return inputError("has a tensor of no dimensions, or of too many", "request");
    const std::vector<std::int64_t> shape(head.shape, head.shape + head.dimensions);
    std::uint64_t bytes = c10::elementSize(type);
    for (const std::int64_t side : shape) bytes *= static_cast<std::uint64_t>(std::max<std::int64_t>(0, side));
    if (bytes != head.inputBytes || shape[0] != head.rows)
        return inputError("has " + std::to_string(head.inputBytes) + " bytes, and its shape takes " +
                              std::to_string(bytes),
                          "request");
    const torch::Tensor tensor = torch::from_blob(m_memory.input(work.slot).data(), shape, type);
    if (whole && tensor.numel() > 0) { // an index beyond the tokens would read beyond the table of them
        const auto most = m_trained.context.outputs;
        if (tensor.lt(0).any().item<bool>() || tensor.ge(most).any().item<bool>())
            return inputError("has tokens that are not from 0 to " + std::to_string(most - 1), "inputs[0].data");
        if (shape.size() != 2 || shape[1] < 1 || shape[1] > m_trained.context.sampleShape.front())
            return inputError("has texts of " + std::to_string(shape.back()) + " tokens, and the model takes 1 to " +
                                  std::to_string(m_trained.context.sampleShape.front()),
                              "inputs[0].shape");
    }
    work.isWhole = true;
    // Cloned: a model may change its input, and a request may be computed again.
    work.inputs.push_back(tensor.clone());
    return {};
}

Result<void> SlotDesk::readElements(Work& work) const {
    const auto elements = elementsOf(m_memory.input(work.slot).first(work.head.inputBytes), work.head.rows);
    if (!elements) return inputError("has elements whose lengths do not add up", "request");
    SampleReader reader(m_trained, const_cast<KeptDataset&>(m_datasets));
    const auto keep = [&](Sample sample) { work.samples.push_back(std::move(sample)); };
    for (const auto& element : *elements) {
        if (work.head.kind == static_cast<std::uint32_t>(SlotKind::Image)) {
            TY_ASSIGN(
                Sample sample,
                reader.readPicture({reinterpret_cast<const std::uint8_t*>(element.data()), element.size()}, "image"));
            keep(std::move(sample));
            continue;
        }
        const bool row = work.head.kind == static_cast<std::uint32_t>(SlotKind::Row);
        const std::string text(reinterpret_cast<const char*>(element.data()), element.size());
        TY_TRY(reader.read((row ? "row:" : "text:") + text, keep));
    }
    if (work.samples.size() != work.head.rows)
        return inputError("has an element that is not one row", "request", "give each row as an element of its own");
    for (const Sample& sample : work.samples) work.inputs.push_back(sample.input);
    return {};
}

Result<void> SlotDesk::compute(std::span<Work> works) const {
    std::vector<torch::Tensor> rows; // with the batch
    for (Work& work : works) {
        work.outputs.clear();
        for (const auto& input : work.inputs) rows.push_back(work.isWhole ? input : input.unsqueeze(0));
    }
    std::vector<torch::Tensor> without;
    for (const auto& each : rows) without.push_back(each.numel() > 0 ? each[0] : each);
    if (!m_alone && sameShape(without)) return computeTogether(works, rows);
    for (Work& work : works)
        for (const auto& input : work.inputs) {
            const torch::Tensor all = work.isWhole ? input : input.unsqueeze(0);
            for (std::int64_t row = 0; row < all.size(0); ++row)
                work.outputs.push_back(m_trained.model->forward(all.slice(0, row, row + 1))[0]);
        }
    return {};
}

Result<void> SlotDesk::computeTogether(std::span<Work> works, const std::vector<torch::Tensor>& inputs) const {
    if (inputs.empty()) return {};
    const torch::Tensor output = m_trained.model->forward(inputs.size() == 1 ? inputs.front() : torch::cat(inputs));
    std::int64_t at = 0;
    for (Work& work : works)
        for (std::uint32_t row = 0; row < work.head.rows; ++row) work.outputs.push_back(output[at++]);
    return {};
}

Result<void> SlotDesk::write(const Work& work, double us, std::uint32_t rows) const {
    SlotHead& head = m_memory.head(work.slot);
    head.computeUs = static_cast<std::uint32_t>(std::min(us, 4e9));
    head.batchRows = rows;
    if (work.head.wantsTensors != 0) {
        TY_TRY(writeTensors(work));
    } else {
        std::string text;
        for (std::size_t i = 0; i < work.samples.size(); ++i) {
            if (i > 0) text += ',';
            text += jsonText(answerOf(work.samples[i], work.outputs[i], m_trained, optionsOf(work.head)));
        }
        TY_TRY(writeText(work, text));
    }
    head.status = static_cast<std::uint32_t>(SlotStatus::Done);
    return {};
}

Result<void> SlotDesk::writeTensors(const Work& work) const {
    SlotHead& head = m_memory.head(work.slot);
    const auto room = m_memory.output(work.slot);
    std::uint64_t bytes = 0;
    for (const auto& each : work.outputs) {
        const torch::Tensor row = each.to(torch::kFloat32).contiguous();
        if (bytes + row.nbytes() > room.size())
            return runError("gives more than a slot has room for", "model", "ask for fewer rows at once");
        std::memcpy(room.data() + bytes, row.data_ptr(), row.nbytes());
        bytes += row.nbytes();
    }
    head.outputBytes = bytes;
    head.outputDimensions = 1;
    head.outputShape[0] = static_cast<std::int64_t>(work.outputs.size());
    const auto sides = work.outputs.front().sizes();
    for (std::size_t i = 0; i < sides.size() && head.outputDimensions < serve::kSlotDimensions; ++i)
        head.outputShape[head.outputDimensions++] = sides[i];
    return {};
}

Result<void> SlotDesk::writeText(const Work& work, const std::string& text) const {
    const auto room = m_memory.output(work.slot);
    if (text.size() > room.size())
        return runError("the answer has " + std::to_string(text.size()) + " bytes, more than there is room for",
                        "model", "ask for fewer inputs or classes at once");
    std::memcpy(room.data(), text.data(), text.size());
    m_memory.head(work.slot).outputBytes = text.size();
    return {};
}

void SlotDesk::refuse(std::uint32_t slot, const Error& error) const {
    SlotHead& head = m_memory.head(slot);
    const auto room = m_memory.output(slot);
    const std::string text = serve::errorBody(error);
    head.outputBytes = std::min(text.size(), room.size());
    std::memcpy(room.data(), text.data(), head.outputBytes);
    head.status = static_cast<std::uint32_t>(error.kind == ErrorKind::Input ? SlotStatus::Bad : SlotStatus::Broken);
}

} // namespace trainyard::train
