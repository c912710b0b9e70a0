// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/export_adapters.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/run/share/exported_tensors.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/files/adapter_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace trainyard::run {
namespace {

bool isGpt(const spec::RunSpec& spec) { return spec.model.name == "gpt"; }

// "h.0.attn" -> "h.0.attn.c_attn"
std::string gptLayer(const std::string& layer) {
    constexpr std::string_view kOut = ".attn.out_proj", kAttention = ".attn";
    if (layer.ends_with(kOut)) return layer.substr(0, layer.size() - kOut.size()) + ".attn.c_proj";
    return layer.ends_with(kAttention) ? layer + ".c_attn" : layer;
}

// The layer that a model with linear layers in its body ends in, models::HeadedModel::headName(); empty: it is a part
// of the body.
std::string headOf(const spec::RunSpec& spec, const store::SafetensorsFile& file) {
    const std::string& model = spec.model.name;
    if (model == "gpt") return "lm_head";
    if (model == "vit") return "heads.head";
    if (model == "convnext") return "classifier.2";
    if (model != "mlp") return {};
    int last = -1; // "layers.2"
    for (const auto& tensor : file.tensors()) {
        const std::string name = ExportedTensors::nameOf(tensor);
        int number = -1;
        if (ExportedTensors::isOfModel(tensor) && name.starts_with("layers."))
            std::from_chars(name.data() + 7, name.data() + name.size(), number);
        last = std::max(last, number);
    }
    return last < 0 ? "" : "layers." + std::to_string(last);
}

std::string peftName(const spec::RunSpec& spec, const std::string& name) {
    const std::size_t matrix = name.rfind(".lora_");
    if (!isGpt(spec)) return "base_model.model." + name;
    if (matrix == name.npos) return "base_model.model." + name; // the head
    return "base_model.model.transformer." + gptLayer(name.substr(0, matrix)) + name.substr(matrix);
}

std::string lastWord(const std::string& layer) { return layer.substr(layer.rfind('.') + 1); }

std::string configOf(const spec::RunSpec& spec, const std::set<std::string>& layers, const std::string& head) {
    const auto& lora = spec.finetune.lora;
    Json config = {{"peft_type", "LORA"},
                   {"task_type", spec.task == "language" ? Json("CAUSAL_LM") : Json()},
                   {"base_model_name_or_path", spec.weights.file},
                   {"r", lora.rank},
                   {"lora_alpha", lora.alpha},
                   {"lora_dropout", lora.dropout},
                   {"target_modules", layers},
                   {"fan_in_fan_out", isGpt(spec)}, // GPT-2 has its weights transposed
                   {"bias", "none"},
                   {"inference_mode", true}};
    if (!head.empty()) config["modules_to_save"] = {head};
    return jsonFile(config);
}

} // namespace

Result<void> exportAdapters(const std::filesystem::path& checkpoint, const std::filesystem::path& folder) {
    TY_ASSIGN(const auto file, store::SafetensorsFile::open(checkpoint));
    const auto run = file.metadata().find("run");
    if (run == file.metadata().end())
        return inputError("is no checkpoint of a run", checkpoint.string(), "name a run's checkpoint");
    TY_ASSIGN(const auto spec, spec::parseRunSpec(run->second, checkpoint.string() + ", run file"));
    const ExportedTensors exported(file, checkpoint.string());
    std::vector<store::TensorBytes> tensors;
    std::set<std::string> layers;
    const std::string head = headOf(spec, file);
    bool savesHead = false;
    for (const auto& tensor : file.tensors()) {
        if (!ExportedTensors::isOfModel(tensor)) continue;
        const std::string name = ExportedTensors::nameOf(tensor);
        const bool isHead = !head.empty() && name.starts_with(head + ".");
        if (!store::isAdapter(name) && !isHead) continue;
        savesHead = savesHead || isHead;
        const std::string peft = peftName(spec, name);
        if (!isHead) layers.insert(lastWord(peft.substr(0, peft.rfind(".lora_"))));
        tensors.push_back({peft, tensor.dtype, tensor.shape, exported.bytesOf(name)});
    }
    if (layers.empty())
        return inputError("has no low-rank matrices", checkpoint.string(),
                          "train with finetune.lora.rank, or export as safetensors");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return environmentError("cannot make the folder: " + error.message(), folder.string());
    std::map<std::string, std::string> metadata{{"format", "pt"}};
    if (const auto info = file.metadata().find("modelInfo"); info != file.metadata().end()) metadata.insert(*info);
    TY_TRY(store::writeSafetensors(folder / "adapter_model.safetensors", tensors, metadata));
    return writeFileAtomic(folder / "adapter_config.json", configOf(spec, layers, savesHead ? lastWord(head) : ""));
}

} // namespace trainyard::run
