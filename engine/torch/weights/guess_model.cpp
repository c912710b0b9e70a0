// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/guess_model.h"

#include "engine/torch/models/layers.h"
#include "engine/torch/weights/weight_names.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::weights {
namespace {

using Shape = std::vector<std::int64_t>;

// The shapes of one dictionary by plain names.
class Shapes {
public:
    Shapes(const Dictionary& dictionary, const std::vector<program::TensorPlace>& tensors, std::string_view model) {
        for (const auto& [name, tensor] : dictionary.tensors)
            if (tensors[tensor].offset || tensors[tensor].firstOfView)
                m_shapes.emplace(plainName(name, model), tensors[tensor].shape);
    }
    bool has(const std::string& name) const { return m_shapes.contains(name); }
    // The first of these names that there is, if it has so many dimensions.
    const Shape* find(std::initializer_list<const char*> names, std::size_t dimensions) const {
        for (const char* name : names)
            if (const auto found = m_shapes.find(name); found != m_shapes.end() && found->second.size() == dimensions)
                return &found->second;
        return nullptr;
    }
    // How many of BEFORE0AFTER, BEFORE1AFTER, … there are.
    std::int64_t count(const std::string& before, const std::string& after) const {
        std::int64_t n = 0;
        while (n < 1000 && has(before + std::to_string(n) + after)) ++n;
        return n;
    }
    std::int64_t rows(std::initializer_list<const char*> names, std::int64_t otherwise) const {
        const Shape* shape = find(names, 2);
        return shape ? (*shape)[0] : otherwise;
    }

private:
    std::map<std::string, Shape> m_shapes;
};

constexpr std::int64_t kClasses = 1000; // of a file without a head
constexpr std::int64_t kMostSide = 4096, kMostWidth = 16384;

// A transformer's layers have twelve times the square of the width, a byte each at least.
bool fitsIn(std::uint64_t bytes, std::int64_t width, std::int64_t depth) {
    return 12.0 * static_cast<double>(width) * static_cast<double>(width) * static_cast<double>(depth) <=
           static_cast<double>(bytes);
}

spec::Value whole(std::int64_t number) { return number; }
spec::Value word(const char* text) { return std::string(text); }

std::optional<GuessedModel> asResNet(const Shapes& shapes) {
    const Shape* first = shapes.find({"conv1.weight"}, 4);
    if (!first || !shapes.has("layer4.0.conv1.weight")) return std::nullopt;
    const bool wide = shapes.has("layer1.0.conv3.weight");
    const auto blocks = [&](const char* layer) { return shapes.count(std::string(layer) + ".", ".conv1.weight"); };
    const std::int64_t one = blocks("layer1"), three = blocks("layer3");
    const char* name = wide && one == 3 && three == 6 ? "resnet50"
                       : !wide && one == 3            ? "resnet34"
                       : !wide && one == 2            ? "resnet18"
                                                      : "";
    if (*name == '\0') return std::nullopt;
    const bool small = (*first)[2] == 3;
    return GuessedModel{{name, {{"stem", word(small ? "small" : "imagenet")}}},
                        {{(*first)[1], small ? 32 : 224, small ? 32 : 224}, shapes.rows({"fc.weight"}, kClasses)}};
}

std::optional<GuessedModel> asMobileNet(const Shapes& shapes) {
    const Shape* first = shapes.find({"features.0.0.weight"}, 4);
    if (!first || !shapes.has("features.18.0.weight") || !shapes.has("features.1.conv.0.0.weight")) return std::nullopt;
    return GuessedModel{{"mobilenet_v2", {{"width", static_cast<double>((*first)[0]) / 32}}},
                        {{(*first)[1], 224, 224}, shapes.rows({"classifier.1.weight"}, kClasses)}};
}

// torchvision's sizes B0 to B4: the first convolution tells the width, and the blocks of a stage the depth.
std::optional<GuessedModel> asEfficientNet(const Shapes& shapes) {
    const Shape* first = shapes.find({"features.0.0.weight"}, 4);
    if (!first || !shapes.has("features.1.0.block.1.fc1.weight") || !shapes.has("features.8.0.weight"))
        return std::nullopt;
    struct Size {
        double width, depth;
        std::int64_t channels, blocks; // of the first convolution, and of the sixth stage
    };
    constexpr Size kSizes[] = {
        {1.0, 1.0, 32, 4}, {1.0, 1.1, 32, 5}, {1.1, 1.2, 32, 5}, {1.2, 1.4, 40, 6}, {1.4, 1.8, 48, 8}};
    const std::int64_t blocks = shapes.count("features.6.", ".block.0.0.weight");
    const Shape* last = shapes.find({"features.8.0.weight"}, 4);
    for (const Size& size : kSizes)
        if (size.channels == (*first)[0] && size.blocks == blocks && last &&
            (*last)[1] == models::wholeChannels(320 * size.width))
            return GuessedModel{{"efficientnet", {{"width", size.width}, {"depth", size.depth}}},
                                {{(*first)[1], 224, 224}, shapes.rows({"classifier.1.weight"}, kClasses)}};
    return std::nullopt;
}

std::optional<GuessedModel> asConvNext(const Shapes& shapes) {
    const Shape* first = shapes.find({"features.0.0.weight"}, 4);
    const std::int64_t depth = shapes.count("features.5.", ".layer_scale");
    if (!first || depth < 1 || !shapes.has("features.7.2.layer_scale") || shapes.has("features.7.3.layer_scale"))
        return std::nullopt;
    return GuessedModel{{"convnext", {{"width", whole((*first)[0])}, {"depth", whole(depth)}}},
                        {{(*first)[1], 224, 224}, shapes.rows({"classifier.2.weight"}, kClasses)}};
}

std::optional<GuessedModel> asVgg(const Shapes& shapes) {
    const Shape* first = shapes.find({"features.0.weight"}, 4);
    if (!first || !shapes.has("features.25.weight") || !shapes.has("features.1.running_mean") ||
        shapes.has("features.28.weight") || shapes.find({"features.3.weight"}, 4))
        return std::nullopt;
    return GuessedModel{{"vgg11", {{"width", whole((*first)[0])}}},
                        {{(*first)[1], 224, 224}, shapes.rows({"classifier.weight", "classifier.6.weight"}, kClasses)}};
}

std::optional<GuessedModel> asVit(const Shapes& shapes, std::uint64_t bytes) {
    const Shape* patches = shapes.find(
        {"conv_proj.weight", "patch_embed.proj.weight", "embeddings.patch_embeddings.projection.weight"}, 4);
    const Shape* positions = shapes.find({"encoder.pos_embedding", "pos_embed", "embeddings.position_embeddings"}, 3);
    if (!patches || !positions || (*positions)[1] < 2) return std::nullopt;
    const std::int64_t width = (*patches)[0], patch = (*patches)[2];
    const std::int64_t depth = std::max({shapes.count("encoder.layers.encoder_layer_", ".ln_1.weight"),
                                         shapes.count("blocks.", ".norm1.weight"),
                                         shapes.count("encoder.layer.", ".layernorm_before.weight")});
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>((*positions)[1] - 1))));
    if (depth < 1 || width % 64 != 0 || patch < 1 || side < 1 || side * patch > kMostSide || width > kMostWidth ||
        !fitsIn(bytes, width, depth))
        return std::nullopt;
    return GuessedModel{
        {"vit",
         {{"patch", whole(patch)}, {"width", whole(width)}, {"depth", whole(depth)}, {"heads", whole(width / 64)}}},
        {{(*patches)[1], side * patch, side * patch},
         shapes.rows({"heads.head.weight", "head.weight", "classifier.weight"}, kClasses)}};
}

std::optional<GuessedModel> asGpt(const Shapes& shapes, std::uint64_t bytes) {
    const Shape *tokens = shapes.find({"wte.weight"}, 2), *positions = shapes.find({"wpe.weight"}, 2);
    const std::int64_t depth = shapes.count("h.", ".ln_1.weight");
    if (!tokens || !positions || depth < 1) return std::nullopt;
    const std::int64_t width = (*tokens)[1];
    if (width < 1 || width > kMostWidth || (*positions)[0] < 1 || !fitsIn(bytes, width, depth)) return std::nullopt;
    return GuessedModel{{"gpt",
                         {{"width", whole(width)},
                          {"depth", whole(depth)},
                          {"heads", whole(width % 64 == 0 ? width / 64 : 1)},
                          {"gelu", word("tanh")},
                          {"tied", !shapes.has("lm_head.weight")}}},
                        {{(*positions)[0]}, (*tokens)[0], train::TaskKind::Language}};
}

} // namespace

std::optional<GuessedModel> guessModel(const std::vector<program::TensorPlace>& tensors, std::uint64_t bytes) {
    for (const Dictionary& dictionary : dictionariesOf(tensors)) {
        const Shapes plain(dictionary, tensors, "");
        for (const auto& as : {asResNet, asMobileNet, asEfficientNet, asConvNext, asVgg})
            if (auto found = as(plain)) return found;
        if (auto found = asVit(Shapes(dictionary, tensors, "vit"), bytes)) return found;
        if (auto found = asGpt(Shapes(dictionary, tensors, "gpt"), bytes)) return found;
    }
    return std::nullopt;
}

} // namespace trainyard::weights
