// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/trained_parts.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/parameter_globs.h"
#include "engine/store/files/adapter_names.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard::train {
namespace {

constexpr std::string_view kBody = "body";

bool isNumber(std::string_view part) {
    constexpr std::string_view kLayer = "encoder_layer_";
    if (part.starts_with(kLayer)) part.remove_prefix(kLayer.size());
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
}

// "layer1.0.conv1.weight" -> "layer1.0"; empty: no part of it is numbered.
std::string numberedPart(const std::string& name) {
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        if (isNumber(std::string_view(name).substr(begin, end - begin))) return name.substr(0, end);
        begin = end + 1;
    }
    return {};
}

// Parameters, and the layers that hold them.
std::set<std::string> namesOf(const std::vector<std::string>& parameters) {
    std::set<std::string> names;
    for (const std::string& name : parameters)
        for (std::size_t end = name.size(); end != name.npos && end > 0; end = name.rfind('.', end - 1))
            names.insert(name.substr(0, end));
    return names;
}

Error meansNothing(const std::string& field, const std::string& glob, const std::vector<std::string>& parameters) {
    std::string bare;
    for (const char c : glob)
        if (c != '*' && c != '?') bare += c;
    if (bare.ends_with('.')) bare.pop_back();
    const std::string near = nearestWord(bare, namesOf(parameters));
    std::string some;
    for (const std::string& name : parameters)
        if (const std::string top = name.substr(0, name.find('.')); some.find(top) == some.npos && some.size() < 200)
            some += (some.empty() ? "" : ", ") + top;
    return inputError("\"" + printable(glob, 80) + "\" means no parameter of the model", field,
                      near.empty() ? "its parts are " + some
                                   : "did you mean \"" + near + (glob.find('*') != glob.npos ? "*\"?" : "\"?"))
        .withCode(ErrorCode::FieldInvalid);
}

Result<void> freeze(const std::vector<std::string>& globs, const std::vector<std::string>& parameters,
                    const std::string& head, std::set<std::string>& frozen) {
    for (std::size_t i = 0; i < globs.size(); ++i) {
        const std::string field = "finetune.freeze." + std::to_string(i);
        if (globs[i] == kBody && head.empty())
            return inputError("the model has no head apart from its body", field,
                              "name layers, for example \"" + parameters.front() + "\"")
                .withCode(ErrorCode::FieldInvalid);
        bool any = false;
        for (const std::string& name : parameters) {
            const bool means = globs[i] == kBody ? !name.starts_with(head + ".") && !store::isAdapter(name)
                                                 : spec::meansParameter(globs[i], name);
            if (means) frozen.insert(name), any = true;
        }
        if (!any) return meansNothing(field, globs[i], parameters);
    }
    if (frozen.size() < parameters.size()) return {};
    return inputError("freezes every parameter, so that nothing is left to train", "finetune.freeze",
                      "freeze fewer, for example [\"body\"]")
        .withCode(ErrorCode::FieldInvalid);
}

} // namespace

std::vector<std::string> blockOfEach(const std::vector<std::string>& parameters) {
    std::vector<std::string> blocks;
    std::set<std::string> above; // layers that have others in them
    for (const std::string& name : parameters) {
        blocks.push_back(numberedPart(name));
        const std::size_t own = name.rfind('.');
        if (own == name.npos) continue;
        for (std::size_t end = name.rfind('.', own - 1); own > 0 && end != name.npos && end > 0;
             end = name.rfind('.', end - 1))
            above.insert(name.substr(0, end));
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!blocks[i].empty()) continue;
        const std::string layer = parameters[i].substr(0, parameters[i].rfind('.'));
        blocks[i] = above.contains(layer) ? parameters[i] : layer;
    }
    return blocks;
}

std::vector<int> layersAbove(const std::vector<std::string>& parameters) {
    std::vector<std::string> layers; // of each parameter
    bool numbered = false;
    for (const std::string& name : parameters) {
        layers.push_back(numberedPart(name));
        numbered = numbered || !layers.back().empty();
    }
    std::vector<int> place(parameters.size(), 0);
    int layer = 0, last = 0;
    std::string current;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        std::string own = numbered ? layers[i] : parameters[i].substr(0, parameters[i].rfind('.'));
        if (own.empty()) own = current; // between numbered parts: with the one before
        if (own != current && (numbered || i > 0)) ++layer;
        current = own;
        place[i] = layer;
        last = layer;
    }
    for (int& each : place) each = last - each;
    return place;
}

Result<TrainedParts> trainedPartsOf(const spec::Finetune& finetune, const std::vector<std::string>& parameters,
                                    const std::string& head) {
    TrainedParts parts;
    parts.stillNorms = finetune.normStats != "measured";
    // Low-rank matrices are trained in place of the body.
    for (const std::string& name : parameters)
        if (finetune.lora.rank > 0 && !store::isAdapter(name) && (head.empty() || !name.starts_with(head + ".")))
            parts.frozen.insert(name);
    TY_TRY(freeze(finetune.freeze, parameters, head, parts.frozen));
    const auto above = layersAbove(parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (finetune.layerDecay != 1 && above[i] > 0)
            parts.factors[parameters[i]] = std::pow(finetune.layerDecay, above[i]);
    for (const auto& [glob, factor] : finetune.groups) {
        bool any = false;
        for (const std::string& name : parameters) {
            const bool means = glob == kBody && !head.empty()    ? !name.starts_with(head + ".")
                               : glob == "head" && !head.empty() ? name.starts_with(head + ".")
                                                                 : spec::meansParameter(glob, name);
            if (!means) continue;
            any = true;
            const auto [known, added] = parts.factors.emplace(name, factor);
            if (!added) known->second *= factor;
        }
        if (!any) return meansNothing("finetune.groups", glob, parameters);
    }
    return parts;
}

} // namespace trainyard::train
