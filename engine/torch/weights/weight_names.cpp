// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/weight_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace trainyard::weights {
namespace {

using program::TensorPlace;

constexpr std::array<std::string_view, 6> kAverages{"ema",       "state_dict_ema", "model_ema",
                                                    "ema_model", "ema_state_dict", "model_ema_state_dict"};
constexpr std::array<std::string_view, 10> kOthers{
    "state_dict", "model_state_dict", "model_state", "model",   "module",
    "net",        "network",          "weights",     "teacher", "student"};
// Which programs put before the names of a model: DataParallel, torch.compile, wrappers of their own.
constexpr std::array<std::string_view, 4> kPrefixes{"module.", "_orig_mod.", "model.", "backbone."};

using Pair = std::pair<std::string_view, std::string_view>;

// Of one layer, behind its number.
constexpr std::array<Pair, 7> kTimmLayer{{{"norm1.", "ln_1."},
                                          {"norm2.", "ln_2."},
                                          {"attn.qkv.weight", "self_attention.in_proj_weight"},
                                          {"attn.qkv.bias", "self_attention.in_proj_bias"},
                                          {"attn.proj.", "self_attention.out_proj."},
                                          {"mlp.fc1.", "mlp.0."},
                                          {"mlp.fc2.", "mlp.3."}}};
constexpr std::array<Pair, 5> kHuggingFaceLayer{{{"attention.output.dense.", "self_attention.out_proj."},
                                                 {"intermediate.dense.", "mlp.0."},
                                                 {"output.dense.", "mlp.3."},
                                                 {"layernorm_before.", "ln_1."},
                                                 {"layernorm_after.", "ln_2."}}};
// What torchvision called the two before 0.13.
constexpr std::array<Pair, 2> kOldTorchvisionLayer{{{"mlp.linear_1.", "mlp.0."}, {"mlp.linear_2.", "mlp.3."}}};
// Outside of the layers.
constexpr std::array<Pair, 5> kTimmVit{{{"cls_token", "class_token"},
                                        {"pos_embed", "encoder.pos_embedding"},
                                        {"patch_embed.proj.", "conv_proj."},
                                        {"norm.", "encoder.ln."},
                                        {"head.", "heads.head."}}};
constexpr std::array<Pair, 5> kHuggingFaceVit{{{"embeddings.cls_token", "class_token"},
                                               {"embeddings.position_embeddings", "encoder.pos_embedding"},
                                               {"embeddings.patch_embeddings.projection.", "conv_proj."},
                                               {"layernorm.", "encoder.ln."},
                                               {"classifier.", "heads.head."}}};
constexpr std::array<Pair, 3> kGptLayer{{{"attn.c_attn.weight", "attn.in_proj_weight"},
                                         {"attn.c_attn.bias", "attn.in_proj_bias"},
                                         {"attn.c_proj.", "attn.out_proj."}}};

// What a name of the file is in the model: the whole tensor, or the part of that number of three.
struct Renamed {
    std::string name;
    int part = -1;
    const char* convention = "";
};

// "blocks.3.attn.qkv.bias" -> "3", "attn.qkv.bias"
std::optional<std::pair<std::string_view, std::string_view>> numbered(std::string_view name, std::string_view before) {
    if (!name.starts_with(before)) return std::nullopt;
    const std::string_view rest = name.substr(before.size());
    const auto dot = rest.find('.');
    if (dot == rest.npos || dot == 0 || rest.substr(0, dot).find_first_not_of("0123456789") != rest.npos)
        return std::nullopt;
    return std::pair(rest.substr(0, dot), rest.substr(dot + 1));
}

std::optional<std::string> replaced(std::string_view name, const auto& table) {
    for (const auto& [from, to] : table) {
        const bool whole = from.back() != '.';
        if (whole ? name == from : name.starts_with(from))
            return std::string(to) + std::string(name.substr(from.size()));
    }
    return std::nullopt;
}

Renamed ofVit(std::string_view name) {
    const auto layer = [](std::string_view number) {
        return "encoder.layers.encoder_layer_" + std::string(number) + ".";
    };
    if (const auto in = numbered(name, "blocks."))
        if (const auto rest = replaced(in->second, kTimmLayer)) return {layer(in->first) + *rest, -1, "timm"};
    if (const auto in = numbered(name, "encoder.layer.")) {
        if (const auto rest = replaced(in->second, kHuggingFaceLayer))
            return {layer(in->first) + *rest, -1, "Hugging Face"};
        for (int part = 0; part < 3; ++part)
            for (const char* which : {"weight", "bias"}) {
                constexpr std::array<const char*, 3> kNames{"query", "key", "value"};
                if (in->second ==
                    "attention.attention." + std::string(kNames[static_cast<std::size_t>(part)]) + "." + which)
                    return {layer(in->first) + "self_attention.in_proj_" + which, part, "Hugging Face"};
            }
    }
    if (const auto in = numbered(name, "encoder.layers.encoder_layer_"))
        if (const auto rest = replaced(in->second, kOldTorchvisionLayer)) return {layer(in->first) + *rest, -1, ""};
    if (const auto timm = replaced(name, kTimmVit)) return {*timm, -1, "timm"};
    if (const auto other = replaced(name, kHuggingFaceVit)) return {*other, -1, "Hugging Face"};
    return {std::string(name), -1, ""};
}

Renamed ofGpt(std::string_view name) {
    if (const auto in = numbered(name, "h."))
        if (const auto rest = replaced(in->second, kGptLayer))
            return {"h." + std::string(in->first) + "." + *rest, -1, "GPT-2"};
    return {std::string(name), -1, ""};
}

// GPT-2's layers keep their weights as [inputs, outputs]; the one of the attention, which is not square, shows it.
bool isTransposed(const Dictionary& dictionary, const std::vector<TensorPlace>& tensors) {
    for (const auto& [name, tensor] : dictionary.tensors) {
        const auto& shape = tensors[tensor].shape;
        if (name.ends_with("h.0.attn.c_attn.weight") && shape.size() == 2) return shape[1] == 3 * shape[0];
    }
    return false;
}

bool turnsWithIt(std::string_view name) {
    return name.starts_with("h.") && (name.ends_with("in_proj_weight") || name.ends_with("out_proj.weight") ||
                                      name.ends_with("c_fc.weight") || name.ends_with("c_proj.weight"));
}

NameMap mapped(const std::string& model, const std::set<std::string>& wanted, const Dictionary& dictionary,
               const std::vector<TensorPlace>& tensors) {
    NameMap map{dictionary.key, {}, {}, {}};
    std::map<std::string, std::map<int, std::size_t>> parts;
    const bool transposed = model == "gpt" && isTransposed(dictionary, tensors);
    const auto take = [&](const std::string& name, std::size_t tensor) {
        const std::string plain = plainName(name, model);
        const Renamed renamed = model == "vit" ? ofVit(plain) : model == "gpt" ? ofGpt(plain) : Renamed{plain, -1, ""};
        if (!wanted.contains(renamed.name)) return false;
        if (renamed.part >= 0) parts[renamed.name][renamed.part] = tensor;
        else map.origins[renamed.name] = {{tensor}, transposed && turnsWithIt(renamed.name)};
        if (*renamed.convention != '\0') map.convention = renamed.convention;
        return true;
    };
    for (const auto& [name, tensor] : dictionary.fallback) take(name, tensor);
    bool any = false;
    for (const auto& [name, tensor] : dictionary.tensors)
        if (take(name, tensor)) any = true;
        else map.unused.insert(name);
    if (!any) return {dictionary.key, {}, {}, std::move(map.unused)};
    for (const auto& [name, three] : parts)
        if (three.size() == 3) map.origins[name] = {{three.at(0), three.at(1), three.at(2)}, false};
    // A tied head is nowhere in the file, or there as well.
    if (model == "gpt" && wanted.contains("lm_head.weight") && !map.origins.contains("lm_head.weight"))
        if (const auto tokens = map.origins.find("wte.weight"); tokens != map.origins.end())
            map.origins["lm_head.weight"] = tokens->second;
    return map;
}

} // namespace

std::string plainName(std::string_view name, std::string_view model) {
    const std::string_view own = model == "vit" ? "vit." : model == "gpt" ? "transformer." : "";
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view prefix : kPrefixes)
            if (name.starts_with(prefix)) name.remove_prefix(prefix.size()), found = true;
        if (!own.empty() && name.starts_with(own)) name.remove_prefix(own.size()), found = true;
    }
    return std::string(name);
}

std::vector<Dictionary> dictionariesOf(const std::vector<TensorPlace>& tensors) {
    std::vector<Dictionary> all;
    const auto add = [&](std::string_view key) {
        Dictionary dictionary{std::string(key), {}, {}};
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const std::string& path = tensors[i].path;
            if (key.empty()) dictionary.tensors.emplace(path, i);
            else if (path.size() > key.size() && path.starts_with(key) && path[key.size()] == '.')
                dictionary.tensors.emplace(path.substr(key.size() + 1), i);
        }
        if (!dictionary.tensors.empty()) all.push_back(std::move(dictionary));
    };
    for (const auto key : kAverages) add(key);
    const std::size_t averages = all.size();
    for (const auto key : kOthers) add(key);
    if (averages > 0 && all.size() > averages)
        for (std::size_t i = 0; i < averages; ++i) all[i].fallback = all[averages].tensors;
    add("");
    return all;
}

NameMap mapNames(const std::string& model, const std::set<std::string>& wanted,
                 const std::vector<TensorPlace>& tensors) {
    const auto all = dictionariesOf(tensors);
    for (const Dictionary& dictionary : all)
        if (NameMap map = mapped(model, wanted, dictionary, tensors); !map.origins.empty()) return map;
    return all.empty() ? NameMap{} : mapped(model, wanted, all.front(), tensors);
}

std::string firstConvolution(const std::string& model) {
    if (model.starts_with("resnet") || model == "convnet") return "conv1.weight";
    if (model == "mobilenet_v2" || model == "efficientnet" || model == "convnext") return "features.0.0.weight";
    if (model == "vgg11") return "features.0.weight";
    return model == "vit" ? "conv_proj.weight" : "";
}

} // namespace trainyard::weights
