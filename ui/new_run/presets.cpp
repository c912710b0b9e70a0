// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/presets.h"

#include "engine/run/start/first_run.h"
#include "engine/spec/run/learning_rate.h"

#include <QtGlobal>

namespace trainyard::ui {
namespace {

constexpr Preset kPresets[] = {
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "First run"), "mlp", 0.1, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "Baseline"), "softmax", 0.1, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "Small ConvNet"), "convnet", 0.05, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "ResNet-18"), "resnet18", 0.05, 128, 3},
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "Regression"), "mlp", 0.05, 64, 20, spec::TaskKind::Regression,
     "waves"},
    {QT_TRANSLATE_NOOP("trainyard::ui::Preset", "Small GPT"), "gpt", 0, 32, 5, spec::TaskKind::Language, "sentences"}};

} // namespace

std::span<const Preset> presets() { return kPresets; }

spec::RunSpec presetRun(const Preset& preset, const spec::Catalog& catalog, int cores) {
    spec::RunSpec spec = run::firstRun(catalog, cores);
    spec.model = {preset.model, {}};
    if (spec.model.name == "resnet18") spec.model.params["stem"] = std::string("small");
    spec.task = toString(preset.task);
    if (preset.dataset) spec.dataset = {preset.dataset, {}};
    else if (spec.model.name != "mlp" && spec.model.name != "softmax" && spec.dataset.name == "spirals")
        spec.dataset = {"glyphs", {}};
    spec::fitToTask(spec, catalog);
    spec::fitOptimizer(spec, catalog);
    if (preset.lr > 0) spec.optimizer.params["lr"] = preset.lr;
    spec.batch = {std::nullopt, preset.batch, 1};
    spec.epochs = preset.epochs;
    return spec;
}

} // namespace trainyard::ui
