// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/prediction.h"

#include "ui/models/samples/sample_image.h"

#include <QJsonArray>

#include <algorithm>
#include <limits>

namespace trainyard::ui {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

QList<Prediction::Entry> entriesOf(const QJsonObject& sample, const char* list, const char* name, const char* value) {
    QList<Prediction::Entry> entries;
    for (const auto& each : sample.value(QLatin1String(list)).toArray()) {
        const auto entry = each.toObject();
        entries << Prediction::Entry{entry.value(QLatin1String(name)).toString(),
                                     entry.value(QLatin1String(value)).toDouble()};
    }
    return entries;
}

bool writesClasses(const Prediction* prediction) { return prediction && !prediction->classes.isEmpty(); }

// Adds the values of one model, to the lines of the same name where there are any.
void addValues(QList<PredictionLine>& lines, const Prediction* prediction, double PredictionLine::* value) {
    if (prediction == nullptr) return;
    const auto& entries = prediction->classes.isEmpty() ? prediction->outputs : prediction->classes;
    for (const Prediction::Entry& entry : entries) {
        auto line = std::find_if(lines.begin(), lines.end(),
                                 [&](const PredictionLine& each) { return each.name == entry.name; });
        if (line == lines.end()) line = lines.insert(lines.end(), {entry.name, kNothing, kNothing});
        (*line).*value = entry.value;
    }
}

} // namespace

Result<Prediction> parsePrediction(const QJsonObject& answer, int index) {
    const auto samples = answer.value(QLatin1String("inputs")).toArray();
    if (index < 0 || index >= samples.size())
        return inputError("holds no sample", {}, "choose a file with at least one row of numbers");
    const auto sample = samples.at(index).toObject();
    Prediction prediction;
    prediction.classes = entriesOf(sample, "predictions", "class", "probability");
    prediction.outputs = entriesOf(sample, "outputs", "name", "value");
    prediction.label = sample.value(QLatin1String("label")).toString();
    prediction.continuation = sample.value(QLatin1String("continuation")).toString();
    const auto seen = sample.value(QLatin1String("seen")).toObject();
    prediction.seen = imageOf(seen, seen);
    prediction.samples = static_cast<int>(samples.size());
    return prediction;
}

QList<PredictionLine> sideBySide(const Prediction* first, const Prediction* second, int most) {
    QList<PredictionLine> lines;
    addValues(lines, first, &PredictionLine::first);
    addValues(lines, second, &PredictionLine::second);
    if (!writesClasses(first) && !writesClasses(second)) return lines;
    const auto larger = [](const PredictionLine& line) { return std::fmax(line.first, line.second); };
    std::stable_sort(lines.begin(), lines.end(),
                     [&](const PredictionLine& a, const PredictionLine& b) { return larger(a) > larger(b); });
    lines.resize(std::min<qsizetype>(most, lines.size()));
    if (first == nullptr) return lines;
    const auto known = [](double value) { return std::isnan(value) ? -1 : value; };
    std::stable_sort(lines.begin(), lines.end(),
                     [&](const PredictionLine& a, const PredictionLine& b) { return known(a.first) > known(b.first); });
    return lines;
}

} // namespace trainyard::ui
