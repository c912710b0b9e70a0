// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/adapter_weights.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/math/lora_product.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/adapter_config.h"
#include "engine/spec/values/params.h"
#include "engine/store/files/adapter_names.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/weights/weight_names.h"
#include "engine/torch/weights/weight_values.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>

namespace trainyard::weights {
namespace {

using program::TensorFile;
using program::TensorPlace;

constexpr std::string_view kOfPeft = "base_model.model.";
constexpr std::size_t kMostConfig = std::size_t{1} << 20; // bytes

std::filesystem::path folderOf(const TensorFile& adapter) {
    return std::filesystem::path(adapter.name()).parent_path();
}

Result<program::AdapterConfig> configOf(const TensorFile& adapter) {
    const auto file = folderOf(adapter) / "adapter_config.json";
    TY_ASSIGN(const std::string text, readFile(file, kMostConfig));
    return program::parseAdapterConfig(text, file.string());
}

// "h.0.attn.c_attn.lora_A.default.weight" is matrix A of "h.0.attn.c_attn"; the name of the adapter may be missing.
struct PeftName {
    std::string layer;  // of a matrix; else empty
    bool isA = false;   // of the two
    std::string tensor; // of what was saved whole: its own name
};
PeftName peftNameOf(std::string_view name) {
    name.remove_prefix(kOfPeft.size());
    for (const bool isA : {true, false}) {
        const std::string module = "." + std::string(isA ? store::kLoraA : store::kLoraB) + ".";
        if (const auto at = name.rfind(module); at != name.npos && name.ends_with(".weight"))
            return {std::string(name.substr(0, at)), isA, {}};
    }
    constexpr std::string_view kSaved = ".modules_to_save.";
    const auto at = name.rfind(kSaved), last = name.rfind('.');
    if (at == name.npos) return {{}, false, std::string(name)};
    return {{}, false, std::string(name.substr(0, at)) + std::string(name.substr(last))};
}

struct Matrices {
    std::optional<std::size_t> a, b; // numbers of the file's tensors
};

class AdapterFitting {
public:
    AdapterFitting(models::Model& model, const TensorFile& file, const WeightsUse& use,
                   const program::AdapterConfig& config)
        : m_model(model), m_file(file), m_use(use), m_config(config) {
        for (const auto& item : model.named_parameters()) m_tensors.emplace(item.key(), item.value().detach());
    }

    Result<void> run(WeightsReport& report) {
        const torch::NoGradGuard noGrad;
        sortNames();
        TY_TRY(readMatrices());
        const bool trainsOn = std::ranges::all_of(m_found, [this](const Found& each) { return isInModel(each); });
        for (const Found& each : m_found) trainsOn ? copy(each) : add(each);
        report.adapted.push_back({m_file.name(), "low-rank matrices of " + std::to_string(m_found.size()) +
                                                     " layers, rank " + std::to_string(m_config.rank) + ", alpha " +
                                                     spec::toText(m_config.alpha) +
                                                     (trainsOn ? ", are trained on" : ", are added to the weights")});
        return copySaved(report);
    }

private:
    struct Found {
        std::string weight;
        torch::Tensor a, b;
    };

    void sortNames() {
        const auto& tensors = m_file.tensors();
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const PeftName name = peftNameOf(tensors[i].path);
            if (name.layer.empty()) m_saved.emplace(name.tensor, i);
            else (name.isA ? m_layers[name.layer].a : m_layers[name.layer].b) = i;
        }
    }

    Error wrong(const std::string& what) const {
        return inputError(what, m_file.name(), "give the adapter of this model, as PEFT has written it")
            .withCode(ErrorCode::CheckpointMisfit);
    }

    // The model's tensor for a name of the file's convention; empty: it has none.
    std::string ownName(const std::string& tensor, const std::vector<std::int64_t>& shape) const {
        std::set<std::string> wanted;
        for (const auto& [name, values] : m_tensors)
            if (!store::isAdapter(name)) wanted.insert(name);
        if (!tensor.ends_with("lm_head.weight")) wanted.erase("lm_head.weight"); // that of a tied head is another
        TensorPlace place;
        place.path = tensor;
        place.shape = shape;
        const NameMap map = mapNames(m_use.model, wanted, {place});
        for (const auto& [name, origin] : map.origins)
            if (origin.tensors.size() == 1) return name;
        return {};
    }

    Result<torch::Tensor> valuesOf(std::size_t tensor) const {
        TY_ASSIGN(auto values, valuesIn(m_file, tensor, torch::kFloat));
        if (!values)
            return wrong(printable(m_file.tensors()[tensor].path, 200) + " is stored in a way that is not read");
        return std::move(*values);
    }

    Result<void> readMatrices() {
        for (const auto& [layer, pair] : m_layers) {
            const std::string shown = printable(layer, 200);
            if (!pair.a || !pair.b) return wrong("has one of the two matrices of " + shown + " and not the other");
            // Layers of attention are modules here, whose weight is that of query, key and value together.
            std::string weight = layer + ".in_proj_weight";
            if (!m_tensors.contains(weight)) weight = ownName(layer + ".weight", {});
            if (weight.empty()) return wrong("adapts " + shown + ", and " + m_use.model + " has no such layer");
            Found found{weight, {}, {}};
            TY_ASSIGN(found.a, valuesOf(*pair.a));
            TY_ASSIGN(found.b, valuesOf(*pair.b));
            const torch::Tensor& own = m_tensors.at(weight);
            const bool fits = own.dim() == 2 && found.a.dim() == 2 && found.b.dim() == 2 &&
                              found.a.size(0) == m_config.rank && found.b.size(1) == m_config.rank &&
                              found.a.size(1) == own.size(1) && found.b.size(0) == own.size(0);
            if (!fits)
                return wrong("the matrices of " + shown + " are " + shapeText(found.a.sizes()) + " and " +
                             shapeText(found.b.sizes()) + ", and the rank is " + std::to_string(m_config.rank) +
                             " and the weight here " + shapeText(own.sizes()));
            m_found.push_back(std::move(found));
        }
        return m_found.empty() ? Result<void>(wrong("has no low-rank matrices")) : Result<void>();
    }

    bool isInModel(const Found& found) const {
        const auto names = store::adapterOf(found.weight);
        const auto a = names ? m_tensors.find(names->a) : m_tensors.end();
        return a != m_tensors.end() && a->second.sizes() == found.a.sizes() && m_use.loraAlpha == m_config.alpha;
    }
    void copy(const Found& found) {
        const auto names = store::adapterOf(found.weight);
        m_tensors.at(names->a).copy_(found.a);
        m_tensors.at(names->b).copy_(found.b);
    }
    // On the CPU, where models begin.
    void add(const Found& found) {
        const auto span = [](const torch::Tensor& tensor) {
            return std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
        };
        const torch::Tensor sum = m_tensors.at(found.weight).cpu().contiguous().clone(), a = found.a.contiguous(),
                            b = found.b.contiguous();
        addLoraProduct(span(sum), span(a), span(b), static_cast<std::size_t>(m_config.rank),
                       m_config.alpha / static_cast<double>(m_config.rank));
        m_tensors.at(found.weight).copy_(sum);
    }

    Result<void> copySaved(WeightsReport& report) {
        const std::string head = models::headNameOf(m_model);
        for (const auto& [tensor, number] : m_saved) {
            const std::string name = ownName(tensor, m_file.tensors()[number].shape);
            if (name.empty()) {
                report.unused.push_back(tensor);
                continue;
            }
            TY_ASSIGN(const auto values, valuesOf(number));
            torch::Tensor& own = m_tensors.at(name);
            const bool same = own.sizes() == values.sizes();
            if (head.empty() || !name.starts_with(head + ".")) {
                if (!same)
                    return wrong(printable(tensor, 200) + " is " + shapeText(values.sizes()) + ", and here " +
                                 shapeText(own.sizes()));
                own.copy_(values);
                continue;
            }
            report.headRowsOfModel = own.size(0);
            report.headRowsOfFile = values.dim() > 0 ? values.size(0) : 0;
            if (m_use.head == "keep" && !same)
                return inputError("the head has " + std::to_string(report.headRowsOfFile) +
                                      " outputs in the adapter and " + std::to_string(report.headRowsOfModel) +
                                      " here, and is to be kept",
                                  "model.weights.head",
                                  "set it to \"auto\", which makes a new one, or use data with the same classes");
            // The tokens of a language are known by their numbers where they have no names.
            const auto classes = classNamesIn(m_file);
            const bool named = !classes.empty() && !m_use.classNames.empty();
            const bool means = named ? classes == m_use.classNames : m_use.context.task == train::TaskKind::Language;
            const bool kept = m_use.head == "keep" || (m_use.head == "auto" && means);
            if (!kept || !same) continue;
            own.copy_(values);
            report.head = WeightsReport::Head::Kept;
            report.headRows = report.headRowsOfModel;
        }
        return {};
    }

    models::Model& m_model;
    const TensorFile& m_file;
    const WeightsUse& m_use;
    const program::AdapterConfig& m_config;
    std::map<std::string, torch::Tensor> m_tensors{};
    std::map<std::string, Matrices> m_layers{};
    std::map<std::string, std::size_t> m_saved{};
    std::vector<Found> m_found{};
};

// Whether the adapter has the model's head, so that the one of its weights does not count.
bool savesHead(const TensorFile& adapter) {
    return std::ranges::any_of(adapter.tensors(),
                               [](const TensorPlace& each) { return peftNameOf(each.path).layer.empty(); });
}

} // namespace

bool isAdapterFile(const TensorFile& file) {
    return !file.tensors().empty() &&
           std::ranges::all_of(file.tensors(), [](const TensorPlace& each) { return each.path.starts_with(kOfPeft); });
}

Result<TensorFile> baseFileOf(const TensorFile& adapter) {
    TY_ASSIGN(const auto config, configOf(adapter));
    TY_ASSIGN(const auto path, program::baseOfAdapter(config, folderOf(adapter)));
    TY_ASSIGN(TensorFile base, TensorFile::open(path));
    if (isAdapterFile(base))
        return inputError("belongs to " + printable(path.string(), 200) + ", which is an adapter, too", adapter.name(),
                          "merge that one into its weights with PEFT (merge_and_unload()) first");
    return base;
}

Result<WeightsReport> loadAdapter(models::Model& model, const TensorFile& adapter, const WeightsUse& use) {
    return train::guarded(adapter.name(), [&]() -> Result<WeightsReport> {
        TY_ASSIGN(const auto config, configOf(adapter));
        TY_ASSIGN(const TensorFile base, baseFileOf(adapter));
        WeightsUse ofBase = use;
        if (savesHead(adapter) && use.head == "keep") ofBase.head = "auto";
        TY_ASSIGN(WeightsReport report, loadWeights(model, base.name(), ofBase));
        TY_TRY(AdapterFitting(model, adapter, use, config).run(report));
        TY_ASSIGN(const std::string own, adapter.sha256());
        const std::string both = report.sha256 + own;
        report.sha256 = sha256Hex(std::as_bytes(std::span(both.data(), both.size())));
        report.file = adapter.name();
        return report;
    });
}

} // namespace trainyard::weights
