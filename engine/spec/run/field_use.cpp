// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/field_use.h"

#include "engine/spec/run/check.h"
#include "engine/spec/run/task_kind.h"

namespace trainyard::spec {
namespace {

constexpr std::string_view kRecompute = "tuning.recompute", kBalance = "data.balance", kMixup = "augment.mixup",
                           kCutmix = "augment.cutmix";

} // namespace

std::optional<FieldRefusal> whyUnused(std::string_view path, const std::string& task, const Entry* model) {
    const bool ofClasses = task == toString(TaskKind::Classification);
    if (path == kRecompute && model != nullptr && !model->facts.contains("recompute"))
        return FieldRefusal{"is not possible with " + model->name + ", which has no blocks that can be computed again",
                            "set it to \"none\", or train gpt or vit"};
    if (path == kBalance && !ofClasses)
        return FieldRefusal{"draws by classes, and the run's task is " + task, "set it to 0"};
    if ((path == kMixup || path == kCutmix) && !ofClasses && task != toString(TaskKind::MultiLabel))
        return FieldRefusal{"mixes the classes of two images, and the run's task is " + task,
                            "remove it, or set task to classification"};
    return std::nullopt;
}

const std::vector<std::string>& fieldsOfSomeRuns() {
    static const std::vector<std::string> paths{std::string(kRecompute), std::string(kBalance), std::string(kMixup),
                                                std::string(kCutmix)};
    return paths;
}

void checkFieldUse(const RunSpec& spec, const Entry* model, std::vector<FieldError>& errors) {
    Checker check(errors);
    const auto refuse = [&](std::string_view path, bool isSet, const std::string& value) {
        const std::string field(path);
        if (!isSet || check.failed(field)) return;
        if (const auto refusal = whyUnused(path, spec.task, model))
            check.fail(field, value, refusal->why, refusal->remedy);
    };
    refuse(kRecompute, spec.tuning.recompute != "none", inQuotes(spec.tuning.recompute));
    refuse(kBalance, spec.data.balance != 0, numberText(spec.data.balance));
    refuse(kMixup, spec.augment.mixup != 0, numberText(spec.augment.mixup));
    refuse(kCutmix, spec.augment.cutmix != 0, numberText(spec.augment.cutmix));
}

} // namespace trainyard::spec
