// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/evaluation_choice.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace trainyard::ui {

namespace {

// The most telling metrics of a task, and the one that counts the samples.
struct SummaryOf {
    std::vector<const char*> metrics;
    const char* count;
    const char* unit; // to be translated
};

SummaryOf summaryOf(spec::TaskKind task) {
    switch (task) {
    case spec::TaskKind::Regression: return {{"rmse", "r2"}, "samples", QT_TRANSLATE_NOOP("Samples", "%1 on %2")};
    case spec::TaskKind::Language:
        return {{"perplexity", "accuracy"}, "tokens", QT_TRANSLATE_NOOP("Samples", "%1 on %2 tokens")};
    case spec::TaskKind::MultiLabel: return {{"map", "f1"}, "samples", QT_TRANSLATE_NOOP("Samples", "%1 on %2")};
    case spec::TaskKind::Classification: break;
    }
    return {{"accuracy"}, "samples", QT_TRANSLATE_NOOP("Samples", "%1 on %2")};
}

// "0.913 (0.907–0.919)" where the range is known in which the true value lies.
QString figureText(const run::Evaluation& evaluation, const char* name, double value) {
    const auto bound = [&](const char* which) { return evaluation.metrics.find(std::string(name) + which); };
    const auto low = bound("Low"), high = bound("High");
    if (low == evaluation.metrics.end() || high == evaluation.metrics.end()) return metricText(value);
    return QStringLiteral("%1 (%2–%3)").arg(metricText(value), fixedText(low->second, 3), fixedText(high->second, 3));
}

} // namespace

const char* partWord(DataPart part) {
    switch (part) {
    case DataPart::Test: return "test";
    case DataPart::Train: return "train";
    case DataPart::Validation: break;
    }
    return "validation";
}

const store::CheckpointRow* checkpointFor(const EvaluationChoice& choice,
                                          const std::vector<store::CheckpointRow>& checkpoints) {
    const auto first = [&](auto fits) {
        const auto at = std::find_if(checkpoints.begin(), checkpoints.end(), fits);
        return at == checkpoints.end() ? nullptr : &*at;
    };
    if (!choice.checkpoint.empty())
        return first([&](const store::CheckpointRow& row) { return row.path == choice.checkpoint; });
    if (const auto* last = first([](const store::CheckpointRow& row) { return row.last; })) return last;
    return checkpoints.empty() ? nullptr : &checkpoints.back();
}

const run::Evaluation* evaluationFor(const EvaluationChoice& choice, const run::EvaluationSet* written,
                                     const AskedEvaluations& asked,
                                     const std::vector<store::CheckpointRow>& checkpoints) {
    const bool validation = choice.part == DataPart::Validation;
    if (choice.checkpoint.empty() && validation && written && written->validated) return &written->newest;
    const store::CheckpointRow* checkpoint = checkpointFor(choice, checkpoints);
    if (checkpoint) {
        const auto own = asked.find({checkpoint->path, choice.part});
        if (own != asked.end()) return &own->second;
    }
    if (written == nullptr) return nullptr;
    if (validation)
        return checkpoint && written->validated && written->newest.step == checkpoint->step ? &written->newest
                                                                                            : nullptr;
    if (choice.part != DataPart::Test) return nullptr;
    for (const auto& [name, test] : written->tests)
        if (checkpoint ? test.step == checkpoint->step : name == "last") return &test;
    return nullptr;
}

QString evaluationSummary(const run::Evaluation& evaluation) {
    const SummaryOf summary = summaryOf(evaluation.task);
    QStringList figures;
    for (const char* name : summary.metrics)
        if (const auto metric = evaluation.metrics.find(name); metric != evaluation.metrics.end())
            figures << QStringLiteral("%1 %2").arg(seriesText(QLatin1String(name)),
                                                   figureText(evaluation, name, metric->second));
    const auto count = evaluation.metrics.find(summary.count);
    if (count == evaluation.metrics.end()) return figures.join(QStringLiteral(", "));
    return QCoreApplication::translate("Samples", summary.unit)
        .arg(figures.join(QStringLiteral(", ")), countText(count->second));
}

} // namespace trainyard::ui
