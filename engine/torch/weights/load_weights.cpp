// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/load_weights.h"

#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/store/files/adapter_names.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/base/json_io.h"
#include "engine/torch/weights/adapt_tensor.h"
#include "engine/torch/weights/adapter_weights.h"
#include "engine/torch/weights/weight_names.h"
#include "engine/torch/weights/weight_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace trainyard::weights {
namespace {

using program::TensorFile;
using Head = WeightsReport::Head;

bool isOfOptimizer(const std::string& path) {
    return path.starts_with("optim") || path.starts_with("state.") || path.find("exp_avg") != path.npos ||
           path.find("momentum_buffer") != path.npos;
}

class Fitting {
public:
    Fitting(models::Model& model, const TensorFile& file, const WeightsUse& use)
        : m_model(model), m_file(file), m_use(use) {
        if (const auto head = models::headNameOf(model); !head.empty()) m_head = head + ".";
        for (const auto& item : model.named_parameters())
            if (!store::isAdapter(item.key())) m_wanted.emplace_back(item.key(), item.value().detach());
        for (const auto& item : model.named_buffers()) m_wanted.emplace_back(item.key(), item.value().detach());
    }

    Result<WeightsReport> run() {
        std::set<std::string> names;
        for (const auto& [name, tensor] : m_wanted) names.insert(name);
        m_names = mapNames(m_use.model, names, m_file.tensors());
        m_report.file = m_file.name();
        m_report.format = program::toString(m_file.format());
        m_report.dictionary = m_names.dictionary;
        m_report.convention = m_names.convention;
        m_report.unused.assign(m_names.unused.begin(), m_names.unused.end());
        const torch::NoGradGuard noGrad;
        for (auto& [name, tensor] : m_wanted)
            if (!isOfHead(name)) TY_TRY(fitOne(name, tensor));
        TY_TRY(fitHead());
        return std::move(m_report);
    }

private:
    bool isOfHead(const std::string& name) const { return !m_head.empty() && name.starts_with(m_head); }
    const Origin* originOf(const std::string& name) const {
        const auto found = m_names.origins.find(name);
        return found == m_names.origins.end() ? nullptr : &found->second;
    }

    // Joined and turned as the model has it; nothing: it cannot be read.
    Result<std::optional<torch::Tensor>> valuesOf(const Origin& origin, torch::ScalarType wanted) {
        std::vector<torch::Tensor> parts;
        for (const std::size_t tensor : origin.tensors) {
            TY_ASSIGN(auto values, valuesIn(m_file, tensor, wanted));
            if (!values) return std::optional<torch::Tensor>();
            const bool joins = parts.empty() || (values->dim() > 0 && values->dim() == parts[0].dim() &&
                                                 values->sizes().slice(1) == parts[0].sizes().slice(1));
            if (!joins) return std::optional<torch::Tensor>();
            parts.push_back(origin.transposed && values->dim() == 2 ? values->t() : *values);
        }
        return std::optional(parts.size() == 1 ? parts[0] : torch::cat(parts));
    }

    std::optional<Adapted> adapted(const std::string& name, const torch::Tensor& values, at::IntArrayRef wanted) const {
        if (values.sizes() == wanted) return Adapted{values, {}};
        const auto& shape = m_use.context.sampleShape;
        if (name == "encoder.pos_embedding" && shape.size() == 3)
            for (const auto& [other, tensor] : m_wanted)
                if (other == "conv_proj.weight")
                    return resampledPositions(values, shape[1] / tensor.size(2), shape[2] / tensor.size(3), wanted);
        if (name == "wpe.weight") return firstPositions(values, wanted);
        if (name == firstConvolution(m_use.model)) return otherChannels(values, wanted);
        return std::nullopt;
    }

    Result<void> fitOne(const std::string& name, torch::Tensor& tensor) {
        const bool counter = name.ends_with("num_batches_tracked"); // which no file has to have
        if (!counter) {
            ++m_report.tensorsOfModel;
            m_report.numbersOfModel += tensor.numel();
        }
        const auto missing = [&](std::string why) {
            if (!counter) m_report.missing.push_back({name, std::move(why)});
            return Result<void>();
        };
        const Origin* origin = originOf(name);
        if (!origin) return missing("the file has none of that name");
        TY_ASSIGN(const auto values, valuesOf(*origin, tensor.scalar_type()));
        if (!values) return missing("it is stored in a way that is not read");
        const auto fitting = adapted(name, *values, tensor.sizes());
        if (!fitting)
            return missing(shapeText(values->sizes()) + " in the file, " + shapeText(tensor.sizes()) + " here");
        tensor.copy_(fitting->values);
        if (!fitting->how.empty()) m_report.adapted.push_back({name, fitting->how});
        if (counter) return {};
        ++m_report.tensors;
        m_report.numbers += tensor.numel();
        return {};
    }

    // Of the head's weight and bias those of the file.
    Result<std::vector<std::pair<torch::Tensor, torch::Tensor>>> headPairs() {
        std::vector<std::pair<torch::Tensor, torch::Tensor>> pairs; // the model's, the file's
        for (auto& [name, tensor] : m_wanted) {
            if (!isOfHead(name)) continue;
            m_report.headRowsOfModel = tensor.size(0);
            const Origin* origin = originOf(name);
            if (!origin) continue;
            TY_ASSIGN(const auto values, valuesOf(*origin, tensor.scalar_type()));
            if (!values || values->dim() == 0) continue;
            m_report.headRowsOfFile = values->size(0);
            pairs.emplace_back(tensor, *values);
        }
        return pairs;
    }
    Result<void> fitHead() {
        if (m_head.empty()) return {};
        TY_ASSIGN(auto pairs, headPairs());
        const bool same = !pairs.empty() && std::ranges::all_of(pairs, [](const auto& pair) {
            return pair.first.sizes() == pair.second.sizes();
        });
        m_report.head = Head::New;
        if (m_use.head == "keep" && !same)
            return inputError("the head has " + grouped(m_report.headRowsOfFile) + " outputs in the file and " +
                                  grouped(m_report.headRowsOfModel) + " here, and is to be kept",
                              "model.weights.head",
                              "set it to \"auto\", which makes a new one, or use data with the same classes");
        if (m_use.head == "new" || pairs.empty()) return {};
        const auto classes = classNamesIn(m_file);
        const bool named = !classes.empty() && !m_use.classNames.empty();
        // The tokens of a language are known by their numbers where they have no names.
        const bool kept = m_use.head == "keep" ||
                          (named ? classes == m_use.classNames : m_use.context.task == train::TaskKind::Language);
        if (kept && same) {
            for (auto& [own, values] : pairs) own.copy_(values);
            m_report.head = Head::Kept;
            m_report.headRows = m_report.headRowsOfModel;
        } else if (named) {
            keepRows(pairs, classes);
        }
        return {};
    }
    void keepRows(std::vector<std::pair<torch::Tensor, torch::Tensor>>& pairs,
                  const std::vector<std::string>& classes) {
        for (auto& [own, values] : pairs) {
            if (own.sizes().slice(1) != values.sizes().slice(1)) return;
            if (values.size(0) != static_cast<std::int64_t>(classes.size())) return;
            if (own.size(0) != static_cast<std::int64_t>(m_use.classNames.size())) return;
        }
        for (std::size_t row = 0; row < m_use.classNames.size(); ++row) {
            const auto found = std::ranges::find(classes, m_use.classNames[row]);
            if (found == classes.end()) continue;
            ++m_report.headRows;
            for (auto& [own, values] : pairs)
                own[static_cast<std::int64_t>(row)].copy_(values[static_cast<std::int64_t>(found - classes.begin())]);
        }
        if (m_report.headRows > 0) m_report.head = Head::Rows;
    }

    models::Model& m_model;
    const TensorFile& m_file;
    const WeightsUse& m_use;
    std::string m_head{}; // before the names of the head's tensors; empty: it is not apart
    std::vector<std::pair<std::string, torch::Tensor>> m_wanted{};
    NameMap m_names{};
    WeightsReport m_report{};
};

std::string percentOf(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", std::floor(share * 1000) / 10);
    return text;
}

Result<void> checkShare(const WeightsReport& report, const TensorFile& file, const std::string& model) {
    if (report.share() >= kLeastShare) return {};
    const auto& tensors = file.tensors();
    if (!tensors.empty() && std::ranges::all_of(tensors, [](const auto& t) { return isOfOptimizer(t.path); }))
        return inputError("holds the state of an optimizer, and no weights of a model", file.name(),
                          "give the file of the model's weights");
    std::string why = "fits " + percentOf(report.share()) + " of the body of " + model + ", and " +
                      percentOf(kLeastShare) + " are needed: ";
    if (!report.missing.empty()) why += printable(report.missing.front().name, 100) + ": " + report.missing.front().why;
    if (!report.unused.empty()) why += "; the file has " + printable(*report.unused.begin(), 100);
    return inputError(std::move(why), file.name(),
                      "set model to the one of these weights: trainyardctl weights FILE names it")
        .withCode(ErrorCode::CheckpointMisfit);
}

} // namespace

std::vector<std::string> classNamesIn(const TensorFile& file) {
    const auto info = parseSortedJson(file.metadata("modelInfo"));
    return info.is_object() ? train::textsOr(info, "classNames") : std::vector<std::string>{};
}

Result<WeightsReport> fitWeights(models::Model& model, const TensorFile& file, const WeightsUse& use) {
    return train::guarded(file.name(), [&] { return Fitting(model, file, use).run(); });
}

Result<WeightsReport> loadWeights(models::Model& model, const std::string& path, const WeightsUse& use) {
    TY_ASSIGN(const auto file, TensorFile::open(path));
    if (file.tensors().empty())
        return inputError(file.notes().empty() ? "holds no tensors" : "holds no tensors: " + file.notes().front(), path,
                          "give the file of the model's weights");
    if (isAdapterFile(file)) return loadAdapter(model, file, use);
    TY_ASSIGN(auto report, fitWeights(model, file, use));
    TY_TRY(checkShare(report, file, use.model));
    TY_ASSIGN(report.sha256, file.sha256());
    return report;
}

Result<Normalisation> normalisationOf(const std::string& path) {
    TY_ASSIGN(auto file, TensorFile::open(path));
    if (isAdapterFile(file)) { TY_ASSIGN(file, baseFileOf(file)); }
    const auto info = parseSortedJson(file.metadata("modelInfo"));
    if (!info.is_object()) return Normalisation{};
    Normalisation found{train::numbersOr(info, "mean"), train::numbersOr(info, "stddev")};
    return found.mean.size() == found.stddev.size() ? found : Normalisation{};
}

} // namespace trainyard::weights
