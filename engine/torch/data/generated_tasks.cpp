// SPDX-License-Identifier: GPL-3.0-or-later
// Generated sets of any number of features, for regression and for language.
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/random.h"
#include "engine/torch/data/split.h"

#include <array>
#include <cmath>

namespace trainyard::data {

using spec::ParamInfo;
using spec::ParamType;

namespace {

ParamInfo whole(const char* name, const char* title, std::int64_t defaultValue, double least, double most,
                const char* help) {
    return {.name = name,
            .title = title,
            .type = ParamType::Integer,
            .defaultValue = defaultValue,
            .min = least,
            .max = most,
            .logScale = true,
            .help = help};
}

ParamInfo keptInfo() { return validationInfo(20.0, 1.0, Engine::tr("Share of the samples kept for validation.")); }

Shares sharesOf(const train::Arguments& arguments) {
    return {arguments.number("validation"), arguments.number("test")};
}

spec::Entry blobsInfo() {
    spec::Entry entry;
    entry.name = "blobs";
    entry.title = Engine::tr("Blobs (generated)");
    entry.help = Engine::tr("Round clouds of points around random centres, one class per cloud; needs no file.");
    entry.params = {whole("samples", Engine::tr("Samples"), 3000, 20, 1e7,
                          Engine::tr("How many samples to generate, validation included.")),
                    whole("features", Engine::tr("Features"), 2, 1, 1e5, Engine::tr("Numbers per sample.")),
                    whole("classes", Engine::tr("Clouds"), 4, 2, 1000, Engine::tr("Number of clouds, one class each.")),
                    {.name = "spread",
                     .title = Engine::tr("Spread"),
                     .defaultValue = 0.2,
                     .min = 0.0,
                     .max = 100.0,
                     .help = Engine::tr("Standard deviation of a cloud; its centre lies between -1 and 1.")},
                    keptInfo(),
                    testInfo()};
    entry.facts = {{Engine::tr("samples"), "3000"}, {Engine::tr("classes"), "4"}, {Engine::tr("shape"), "2"}};
    return entry;
}

Result<Dataset> loadBlobs(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    const spec::Entry info = blobsInfo();
    const train::Arguments arguments(choice, info, "dataset");
    const std::int64_t samples = arguments.integer("samples"), features = arguments.integer("features"),
                       classes = arguments.integer("classes");
    TY_TRY(checkMemoryFor(8.0 * static_cast<double>(samples) * static_cast<double>(features), "dataset blobs"));
    Random centreRandom(static_cast<std::uint64_t>(seed), 0x626C6F6273); // its own stream: "blobs"
    std::vector<double> centres(static_cast<std::size_t>(classes * features));
    for (double& centre : centres) centre = centreRandom.uniform(-1.0, 1.0);
    Split all{torch::empty({samples, features}, torch::kFloat32),
              torch::arange(samples, torch::kInt64).remainder(classes)};
    float* at = all.inputs.data_ptr<float>();
    for (std::int64_t i = 0; i < samples; ++i) {
        Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
        const double* centre = centres.data() + (i % classes) * features;
        for (std::int64_t f = 0; f < features; ++f)
            *at++ = static_cast<float>(centre[f] + arguments.number("spread") * random.normal());
    }
    Dataset dataset;
    TY_TRY(splitOff(dataset, all, sharesOf(arguments), seed));
    dataset.sampleShape = {features};
    dataset.classes = classes;
    for (std::int64_t c = 0; c < classes; ++c) dataset.classNames.push_back("cloud " + std::to_string(c + 1));
    dataset.source = "generated";
    return dataset;
}

spec::Entry wavesInfo() {
    spec::Entry entry;
    entry.name = "waves";
    entry.title = Engine::tr("Waves (generated)");
    entry.help = Engine::tr("Regression on a sum of sines of the features, with noise; needs no file.");
    entry.params = {whole("samples", Engine::tr("Samples"), 4000, 20, 1e7,
                          Engine::tr("How many samples to generate, validation included.")),
                    whole("features", Engine::tr("Features"), 2, 1, 1e4, Engine::tr("Inputs per sample.")),
                    whole("targets", Engine::tr("Targets"), 1, 1, 100, Engine::tr("Outputs per sample.")),
                    {.name = "noise",
                     .title = Engine::tr("Noise"),
                     .defaultValue = 0.05,
                     .min = 0.0,
                     .max = 10.0,
                     .help = Engine::tr("Standard deviation of the unpredictable part.")},
                    keptInfo(),
                    testInfo()};
    entry.facts = {{Engine::tr("samples"), "4000"},
                   {Engine::tr("targets"), "1"},
                   {Engine::tr("shape"), "2"},
                   {"task", "regression"}};
    return entry;
}

// target k = mean over the features of sin(pi * frequency * x + phase), with its own frequencies and phases.
Result<Dataset> loadWaves(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    const spec::Entry info = wavesInfo();
    const train::Arguments arguments(choice, info, "dataset");
    const std::int64_t samples = arguments.integer("samples"), features = arguments.integer("features"),
                       targets = arguments.integer("targets");
    TY_TRY(
        checkMemoryFor(8.0 * static_cast<double>(samples) * static_cast<double>(features + targets), "dataset waves"));
    Random shape(static_cast<std::uint64_t>(seed), 0x7761766573); // its own stream: "waves"
    std::vector<std::array<double, 2>> waves(static_cast<std::size_t>(targets * features));
    for (auto& [frequency, phase] : waves) frequency = shape.uniform(0.5, 1.5), phase = shape.uniform(-1.0, 1.0);
    Split all{torch::empty({samples, features}, torch::kFloat32), torch::empty({samples, targets}, torch::kFloat32)};
    float* x = all.inputs.data_ptr<float>();
    float* y = all.targets.data_ptr<float>();
    for (std::int64_t i = 0; i < samples; ++i, x += features) {
        Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
        for (std::int64_t f = 0; f < features; ++f) x[f] = static_cast<float>(random.uniform(-1.0, 1.0));
        for (std::int64_t k = 0; k < targets; ++k) {
            double sum = 0;
            for (std::int64_t f = 0; f < features; ++f) {
                const auto& [frequency, phase] = waves[static_cast<std::size_t>(k * features + f)];
                sum += std::sin(3.14159265358979 * frequency * static_cast<double>(x[f]) + phase);
            }
            *y++ =
                static_cast<float>(sum / static_cast<double>(features) + arguments.number("noise") * random.normal());
        }
    }
    Dataset dataset;
    TY_TRY(splitOff(dataset, all, sharesOf(arguments), seed));
    dataset.sampleShape = {features};
    dataset.classes = targets;
    for (std::int64_t k = 0; k < targets; ++k) dataset.classNames.push_back("wave " + std::to_string(k + 1));
    dataset.source = "generated";
    return dataset;
}

spec::Entry labelsInfo() {
    spec::Entry entry;
    entry.name = "labels";
    entry.title = Engine::tr("Labels (generated)");
    entry.help = Engine::tr("Points that have several labels at once, common ones and rare ones; the task is "
                            "multi-label; needs no file.");
    entry.params = {whole("samples", Engine::tr("Samples"), 4000, 20, 1e7,
                          Engine::tr("How many samples to generate, validation included.")),
                    whole("features", Engine::tr("Features"), 8, 1, 1e4, Engine::tr("Inputs per sample.")),
                    whole("labels", Engine::tr("Labels"), 6, 1, 1000, Engine::tr("Labels that a sample may have.")),
                    {.name = "noise",
                     .title = Engine::tr("Noise"),
                     .defaultValue = 0.3,
                     .min = 0.0,
                     .max = 10.0,
                     .help = Engine::tr("Standard deviation of the unpredictable part.")},
                    keptInfo(),
                    testInfo()};
    entry.facts = {{Engine::tr("samples"), "4000"}, {Engine::tr("shape"), "8"}, {"task", "multi-label"}};
    return entry;
}

// Label k is there where a weighted sum of the features, of deviation 1, and noise are above its own height: the first
// ones for half of the samples, the last ones for few.
Result<Dataset> loadLabels(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    constexpr double kHighest = 1.6; // deviations: 5 % of the samples without noise
    const spec::Entry info = labelsInfo();
    const train::Arguments arguments(choice, info, "dataset");
    const std::int64_t samples = arguments.integer("samples"), features = arguments.integer("features"),
                       labels = arguments.integer("labels");
    TY_TRY(
        checkMemoryFor(8.0 * static_cast<double>(samples) * static_cast<double>(features + labels), "dataset labels"));
    Random shape(static_cast<std::uint64_t>(seed), 0x6C6162656C73); // its own stream: "labels"
    std::vector<double> weights(static_cast<std::size_t>(labels * features));
    for (double& weight : weights) weight = shape.normal();
    for (std::int64_t k = 0; k < labels; ++k) {
        double length = 0;
        for (std::int64_t f = 0; f < features; ++f)
            length += std::pow(weights[static_cast<std::size_t>(k * features + f)], 2);
        for (std::int64_t f = 0; f < features; ++f)
            weights[static_cast<std::size_t>(k * features + f)] /= std::sqrt(length);
    }
    Split all{torch::empty({samples, features}, torch::kFloat32), torch::empty({samples, labels}, torch::kFloat32)};
    float* x = all.inputs.data_ptr<float>();
    float* y = all.targets.data_ptr<float>();
    for (std::int64_t i = 0; i < samples; ++i, x += features) {
        Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
        for (std::int64_t f = 0; f < features; ++f) x[f] = static_cast<float>(random.normal());
        for (std::int64_t k = 0; k < labels; ++k) {
            double sum = arguments.number("noise") * random.normal();
            for (std::int64_t f = 0; f < features; ++f)
                sum += weights[static_cast<std::size_t>(k * features + f)] * static_cast<double>(x[f]);
            *y++ = sum > kHighest * static_cast<double>(k) / static_cast<double>(std::max<std::int64_t>(1, labels - 1))
                       ? 1.0f
                       : 0.0f;
        }
    }
    Dataset dataset;
    TY_TRY(splitOff(dataset, all, sharesOf(arguments), seed));
    dataset.sampleShape = {features};
    dataset.classes = labels;
    for (std::int64_t k = 0; k < labels; ++k) dataset.classNames.push_back("label " + std::to_string(k + 1));
    dataset.source = "generated";
    return dataset;
}

spec::Entry sentencesInfo() {
    spec::Entry entry;
    entry.name = "sentences";
    entry.title = Engine::tr("Sentences (generated)");
    entry.help =
        Engine::tr("Sentences of a small grammar, character by character; the task is language; needs no file.");
    entry.params = {
        whole("sentences", Engine::tr("Sentences"), 4000, 50, 1e6, Engine::tr("Number of sentences to generate.")),
        whole("sequenceLength", Engine::tr("Sequence length"), 64, 2, 4096, Engine::tr("Characters per sample.")),
        validationInfo(10.0, 1.0, Engine::tr("Share of the text, at its end, kept for validation.")), testInfo()};
    entry.facts = {{Engine::tr("shape"), "64"}, {"task", "language"}};
    return entry;
}

template <std::size_t N>
const char* pick(const std::array<const char*, N>& words, Random& random) {
    return words[random.below(N)];
}

std::string sentence(Random& random) {
    static constexpr std::array<const char*, 3> kFirst{"the ", "a ", "every "};
    static constexpr std::array<const char*, 5> kHow{"", "", "small ", "old ", "quick "};
    static constexpr std::array<const char*, 6> kWho{"fox", "owl", "hare", "goat", "cat", "duck"};
    static constexpr std::array<const char*, 5> kDoes{" sees ", " likes ", " follows ", " hears ", " avoids "};
    std::string text = pick(kFirst, random);
    text += pick(kHow, random);
    text += pick(kWho, random);
    text += pick(kDoes, random);
    text += pick(kFirst, random);
    text += pick(kHow, random);
    text += pick(kWho, random);
    return text + ".\n";
}

Result<Dataset> loadSentences(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    static const std::string kLetters = "\n .abcdefghijklmnopqrstuvwxyz";
    const spec::Entry info = sentencesInfo();
    const train::Arguments arguments(choice, info, "dataset");
    Random random(static_cast<std::uint64_t>(seed), 0x776F726473); // its own stream: "words"
    std::vector<std::int64_t> tokens;
    for (std::int64_t i = 0; i < arguments.integer("sentences"); ++i)
        for (const char letter : sentence(random)) tokens.push_back(static_cast<std::int64_t>(kLetters.find(letter)));
    Dataset dataset;
    TY_TRY(windowsOf(dataset, torch::tensor(tokens, torch::kInt64),
                     {.length = arguments.integer("sequenceLength"), .shares = sharesOf(arguments)}));
    dataset.classes = static_cast<std::int64_t>(kLetters.size());
    for (const char letter : kLetters) dataset.classNames.emplace_back(1, letter);
    dataset.source = "generated";
    return dataset;
}

} // namespace

DatasetEntry blobsEntry() { return {blobsInfo(), loadBlobs}; }
DatasetEntry wavesEntry() { return {wavesInfo(), loadWaves, {train::TaskKind::Regression}}; }
DatasetEntry labelsEntry() { return {labelsInfo(), loadLabels, {train::TaskKind::MultiLabel}}; }
DatasetEntry sentencesEntry() { return {sentencesInfo(), loadSentences, {train::TaskKind::Language}}; }

} // namespace trainyard::data
