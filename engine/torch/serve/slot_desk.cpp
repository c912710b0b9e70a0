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

// Whether two inputs can be rows of one batch: `row` is without the batch.
bool isLike(at::IntArrayRef row, at::ScalarType type, const torch::Tensor& other, bool isWhole) {
    return other.scalar_type() == type && (isWhole ? other.sizes().slice(1) : other.sizes()) == row;
}

} // namespace

SlotDesk::SlotDesk(const TrainedModel& trained, const serve::ExchangeMemory& memory, int fixedRows)
    : m_trained(trained), m_memory(memory), m_fixedRows(fixedRows) {}

torch::Tensor SlotDesk::Work::row(std::int64_t index) const {
    // Cloned: a model may change its input, and a request may be computed again.
    return tensor.defined() ? tensor.slice(0, index, index + 1).clone()
                            : samples[static_cast<std::size_t>(index)].input.unsqueeze(0);
}

void SlotDesk::answer(std::span<const std::uint32_t> slots) {
    const c10::InferenceMode inference; // the same numbers as without gradients, with less work for each tensor
    std::vector<Work> works;
    works.reserve(slots.size());
    std::uint32_t rows = 0;
    for (const std::uint32_t slot : slots) {
        Work& work = works.emplace_back();
        work.slot = slot;
        work.head = m_memory.head(slot);
        const auto read = guarded("request", [&] { return this->read(work); });
        if (!read) {
            refuse(slot, read.error());
            works.pop_back();
            continue;
        }
        rows += work.head.rows;
    }
    if (works.empty()) return;
    const double begun = monotonicSeconds();
    const auto computed = guarded("model", [&] { return compute(works); });
    const double ended = monotonicSeconds();
    for (Work& work : works) {
        // One of them may be what the model fails with.
        const bool again = !computed && works.size() > 1;
        auto own = again ? guarded("model", [&] { return compute(std::span(&work, 1)); }) : computed;
        const double us = 1e6 * ((again ? monotonicSeconds() : ended) - begun);
        if (own) own = guarded("answer", [&] { return write(work, us, rows); });
        if (!own) refuse(work.slot, own.error());
    }
}

Result<void> SlotDesk::read(Work& work) const {
    if (work.head.inputBytes > m_memory.layout().inputBytes) return inputError("is larger than its slot", "request");
    if (work.head.rows == 0) return inputError("has no rows", "request");
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
    work.tensor = tensor;
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
    return {};
}

Result<void> SlotDesk::compute(std::span<Work> works) const {
    const torch::Tensor input = m_fixedRows == 1 ? torch::Tensor() : together(works);
    if (!input.defined()) return computeAlone(works), Result<void>();
    const torch::Tensor output = m_fixedRows > 1 ? computeFixed(input) : m_trained.model->forward(input);
    if (output.dim() < 1 || output.size(0) < input.size(0))
        return runError("does not give an output for each row", "model",
                        "serve a model whose first dimension is that of the rows");
    std::int64_t at = 0;
    for (Work& work : works) {
        work.output = output.narrow(0, at, work.rows());
        at += work.rows();
    }
    return {};
}

// The same product for every batch: only whole ones, the last filled up with zeros.
torch::Tensor SlotDesk::computeFixed(const torch::Tensor& input) const {
    std::vector<torch::Tensor> outputs;
    for (std::int64_t at = 0; at < input.size(0); at += m_fixedRows) {
        const std::int64_t rows = std::min<std::int64_t>(m_fixedRows, input.size(0) - at);
        torch::Tensor part = input.narrow(0, at, rows);
        if (rows < m_fixedRows) {
            std::vector<std::int64_t> shape = input.sizes().vec();
            shape.front() = m_fixedRows - rows;
            part = torch::cat({part, torch::zeros(shape, input.options())});
        }
        outputs.push_back(m_trained.model->forward(part).narrow(0, 0, rows));
    }
    return outputs.size() == 1 ? outputs.front() : torch::cat(outputs);
}

void SlotDesk::computeAlone(std::span<Work> works) const {
    for (Work& work : works) {
        work.output = torch::Tensor();
        work.outputs.clear();
        for (std::int64_t row = 0; row < work.rows(); ++row)
            work.outputs.push_back(m_trained.model->forward(work.row(row))[0]);
    }
}

// A new tensor with the rows of all of them, copied once; undefined: they differ in shape or type.
torch::Tensor SlotDesk::together(std::span<const Work> works) const {
    const Work& first = works.front();
    const torch::Tensor& like = first.tensor.defined() ? first.tensor : first.samples.front().input;
    const std::vector<std::int64_t> row = (first.tensor.defined() ? like.sizes().slice(1) : like.sizes()).vec();
    std::vector<std::int64_t> shape{0};
    shape.insert(shape.end(), row.begin(), row.end());
    for (const Work& work : works) {
        if (work.tensor.defined() && !isLike(row, like.scalar_type(), work.tensor, true)) return {};
        for (const Sample& sample : work.samples)
            if (!isLike(row, like.scalar_type(), sample.input, false)) return {};
        shape.front() += work.rows();
    }
    torch::Tensor all = torch::empty(shape, like.options());
    const std::size_t rowBytes = all.nbytes() / static_cast<std::size_t>(std::max<std::int64_t>(1, shape.front()));
    auto* to = static_cast<std::byte*>(all.data_ptr());
    const auto append = [&to](const torch::Tensor& from, std::size_t bytes) {
        const torch::Tensor dense = from.contiguous();
        std::memcpy(to, dense.data_ptr(), bytes);
        to += bytes;
    };
    for (const Work& work : works) {
        if (work.tensor.defined()) append(work.tensor, rowBytes * static_cast<std::size_t>(work.rows()));
        for (const Sample& sample : work.samples) append(sample.input, rowBytes);
    }
    return all;
}

Result<void> SlotDesk::write(const Work& work, double us, std::uint32_t rows) const {
    SlotHead& head = m_memory.head(work.slot);
    head.computeUs = static_cast<std::uint32_t>(std::min(us, 4e9));
    head.batchRows = rows;
    TY_TRY(work.head.wantsTensors != 0 ? writeTensors(work) : writeAnswers(work));
    head.status = static_cast<std::uint32_t>(SlotStatus::Done);
    return {};
}

Result<void> SlotDesk::writeAnswers(const Work& work) const {
    std::string text;
    for (std::size_t i = 0; i < work.samples.size(); ++i) {
        if (i > 0) text += ',';
        text += jsonText(
            answerOf(work.samples[i], work.answer(static_cast<std::int64_t>(i)), m_trained, optionsOf(work.head)));
    }
    return writeText(work, text);
}

Result<void> SlotDesk::writeTensors(const Work& work) const {
    SlotHead& head = m_memory.head(work.slot);
    const auto room = m_memory.output(work.slot);
    std::uint64_t bytes = 0;
    const auto append = [&](const torch::Tensor& from) {
        const torch::Tensor dense = from.to(torch::kFloat32).contiguous();
        if (bytes + dense.nbytes() > room.size()) return false;
        std::memcpy(room.data() + bytes, dense.data_ptr(), dense.nbytes());
        bytes += dense.nbytes();
        return true;
    };
    bool fits = !work.output.defined() || append(work.output);
    for (const auto& each : work.outputs) fits = fits && append(each);
    if (!fits) return runError("gives more than a slot has room for", "model", "ask for fewer rows at once");
    head.outputBytes = bytes;
    head.outputDimensions = 1;
    head.outputShape[0] = work.rows();
    const auto sides = work.output.defined() ? work.output.sizes().slice(1) : work.outputs.front().sizes();
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
