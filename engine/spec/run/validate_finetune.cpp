// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/printable.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/run_spec.h"

#include <algorithm>

namespace trainyard::spec {
namespace {

constexpr double kMostFactor = 1000; // of a learning rate

void checkWeights(const RunSpec& spec, Checker& check) {
    const std::string& file = spec.weights.file;
    if (file.find('\0') != file.npos || printable(file, file.size() + 1) != file)
        check.fail("model.weights.file", inQuotes(file), "must be a path without control characters");
    if (!file.empty() && (spec.model.name == "torchscript" || spec.model.name == "plugin"))
        check.fail("model.weights.file", inQuotes(file),
                   "is for models of the catalog: a file of a model has its own weights",
                   "leave it out, or choose another model");
}

void checkGlobs(const Finetune& finetune, Checker& check) {
    for (std::size_t i = 0; i < finetune.freeze.size(); ++i)
        if (finetune.freeze[i].empty() || finetune.freeze[i].size() > 500)
            check.fail("finetune.freeze." + std::to_string(i), inQuotes(finetune.freeze[i]),
                       "must name parameters or layers", "for example \"body\" or \"layer1.*\"");
    for (const auto& [glob, factor] : finetune.groups) {
        const std::string path = "finetune.groups";
        if (glob.empty() || glob.size() > 500)
            check.fail(path, inQuotes(glob), "must name parameters or layers", "for example \"layer4.*\"");
        if (factor == 0)
            check.fail(path, inQuotes(glob) + ": 0", "must be greater than 0",
                       "add " + inQuotes(glob) + " to finetune.freeze instead");
        else if (!(factor > 0) || factor > kMostFactor)
            check.fail(path, inQuotes(glob) + ": " + numberText(factor),
                       "must be greater than 0 and at most " + numberText(kMostFactor));
    }
}

// The body's outputs are computed once: nothing may change them later.
void checkFeatures(const RunSpec& spec, Checker& check) {
    const Finetune& finetune = spec.finetune;
    if (finetune.features != "cache") return;
    const auto refuse = [&](const std::string& why, const std::string& remedy) {
        check.fail("finetune.features", "\"cache\"", why, remedy);
    };
    if (std::ranges::find(finetune.freeze, "body") == finetune.freeze.end())
        refuse("needs a frozen body", "set finetune.freeze to \"body\", or this to \"off\"");
    else if (finetune.thawAtEpoch > 0)
        refuse("cannot be with finetune.thawAtEpoch: the body changes from then on",
               "train the head first, and the whole in a fork: trainyardctl fork RUN --set finetune={}");
    else if (finetune.normStats == "measured")
        refuse("cannot be with batch-norm statistics that are measured", "set finetune.normStats to \"frozen\"");
    else if (spec.augment != Augment{})
        refuse("cannot be with augmentation: each epoch has other images", "set augment to {}, or this to \"off\"");
}

void checkLora(const RunSpec& spec, Checker& check) {
    const Lora& lora = spec.finetune.lora;
    if (lora == Lora{}) return;
    const auto refuse = [&](const std::string& why, const std::string& remedy) {
        if (!check.failed("finetune.lora.rank"))
            check.fail("finetune.lora.rank", std::to_string(lora.rank), why, remedy);
    };
    for (std::size_t i = 0; i < lora.targets.size(); ++i)
        if (lora.targets[i].empty() || lora.targets[i].size() > 500)
            check.fail("finetune.lora.targets." + std::to_string(i), inQuotes(lora.targets[i]),
                       "must name linear layers", "for example \"attn\" or \"c_fc\"");
    if (lora.rank == 0)
        refuse("trains no low-rank matrices, and finetune.lora says what they are like",
               "set it to 8, or leave finetune.lora out");
    else if (spec.model.name == "torchscript" || spec.model.name == "plugin")
        refuse("is for models of the catalog", "set it to 0, or choose another model");
    else if (spec.finetune.thawAtEpoch > 0)
        refuse("cannot be with finetune.thawAtEpoch",
               "set that to 0, and train all weights in a fork: trainyardctl fork RUN --set finetune={}");
    else if (spec.finetune.features == "cache")
        refuse("cannot be with finetune.features: the body's outputs change", "set that to \"off\"");
}

} // namespace

void checkFinetune(const RunSpec& spec, Checker& check) {
    const Finetune& finetune = spec.finetune;
    checkWeights(spec, check);
    checkGlobs(finetune, check);
    if (finetune.freeze.empty() && finetune.thawAtEpoch > 0)
        check.fail("finetune.thawAtEpoch", std::to_string(finetune.thawAtEpoch), "thaws nothing: nothing is frozen",
                   "name what is frozen in finetune.freeze, for example [\"body\"], or set this to 0");
    if (finetune.freeze.empty() && finetune.lora.rank == 0 && finetune.normStats != "auto" &&
        !check.failed("finetune.normStats"))
        check.fail("finetune.normStats", inQuotes(finetune.normStats), "is of frozen layers, and nothing is frozen",
                   "name what is frozen in finetune.freeze, or set this to \"auto\"");
    if (spec.epochs && finetune.thawAtEpoch >= *spec.epochs && finetune.thawAtEpoch > 0)
        check.fail("finetune.thawAtEpoch", std::to_string(finetune.thawAtEpoch),
                   "is not reached: the run has " + std::to_string(*spec.epochs) + " epochs, counted from 0",
                   "set it to less than epochs, or to 0 for never");
    checkFeatures(spec, check);
    checkLora(spec, check);
}

} // namespace trainyard::spec
