// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/random.h"
#include "engine/torch/data/split.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::data {

using spec::ParamInfo;
using spec::ParamType;

namespace {

constexpr std::int64_t kSide = 28;

// Signed distances (negative inside) of shapes that fill about [-1, 1]², y upwards.
double ring(double distance, double halfWidth) { return std::abs(distance) - halfWidth; }
double barsCrossing(double x, double y) {
    return std::max(std::min(std::abs(x), std::abs(y)) - 0.22, std::max(std::abs(x), std::abs(y)) - 1.0);
}

struct Shape {
    const char* name;
    double (*distance)(double x, double y);
};

const Shape kShapes[] = {
    {"disc", [](double x, double y) { return std::hypot(x, y) - 0.9; }},
    {"ring", [](double x, double y) { return ring(std::hypot(x, y) - 0.75, 0.2); }},
    {"square", [](double x, double y) { return std::max(std::abs(x), std::abs(y)) - 0.8; }},
    {"frame", [](double x, double y) { return ring(std::max(std::abs(x), std::abs(y)) - 0.7, 0.18); }},
    {"triangle", [](double x, double y) { return std::max(std::abs(x) * 0.866 + y * 0.5, -y) - 0.5; }},
    {"diamond", [](double x, double y) { return (std::abs(x) + std::abs(y) - 1.05) * 0.7071; }},
    {"plus", [](double x, double y) { return barsCrossing(x, y); }},
    {"cross", [](double x, double y) { return barsCrossing((x + y) * 0.7071, (x - y) * 0.7071); }},
    {"bar", [](double x, double y) { return std::max(std::abs(x) - 1.0, std::abs(y) - 0.28); }},
    {"pillar", [](double x, double y) { return std::max(std::abs(x) - 0.28, std::abs(y) - 1.0); }},
};
constexpr std::int64_t kGlyphClasses = std::size(kShapes);

// One image: the shape at a random place, size, tilt, stretch and contrast, under noise.
void drawGlyph(std::uint8_t* pixels, const Shape& shape, Random& random, double noise) {
    const double size = random.uniform(6.5, 9.5), stretch = random.uniform(0.8, 1.25);
    const double room = 3.0; // farther would take a convolution to learn
    const double centreX = kSide / 2.0 + random.uniform(-room, room);
    const double centreY = kSide / 2.0 + random.uniform(-room, room);
    const double tilt = random.uniform(-0.2, 0.2), cosine = std::cos(tilt), sine = std::sin(tilt);
    const double paper = random.uniform(0.0, 0.25), ink = paper + random.uniform(0.4, 0.7);
    for (std::int64_t row = 0; row < kSide; ++row)
        for (std::int64_t column = 0; column < kSide; ++column) {
            const double dx = (static_cast<double>(column) + 0.5 - centreX) / size;
            const double dy = (centreY - static_cast<double>(row) - 0.5) / size;
            const double x = (dx * cosine + dy * sine) * stretch, y = (dy * cosine - dx * sine) / stretch;
            const double cover = std::clamp(0.5 - shape.distance(x, y) * size, 0.0, 1.0);
            // The sum of two uniforms is near enough to a bell, and four times as fast to draw.
            const double grain = noise > 0 ? noise * 2.449 * (random.uniform() + random.uniform() - 1.0) : 0.0;
            const double value = paper + (ink - paper) * cover + grain;
            pixels[row * kSide + column] = static_cast<std::uint8_t>(std::clamp(value, 0.0, 1.0) * 255.0 + 0.5);
        }
}

ParamInfo samplesInfo(std::int64_t defaultValue) {
    return {.name = "samples",
            .title = Engine::tr("Samples"),
            .type = ParamType::Integer,
            .defaultValue = defaultValue,
            .min = 20.0,
            .max = 1e6,
            .logScale = true,
            .help = Engine::tr("How many samples to generate, validation included.")};
}

ParamInfo noiseInfo(double defaultValue, const char* help) {
    return {.name = "noise",
            .title = Engine::tr("Noise"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 1.0,
            .help = help};
}

ParamInfo keptInfo() { return validationInfo(20.0, 1.0, Engine::tr("Share of the samples kept for validation.")); }

spec::Entry glyphsInfo() {
    spec::Entry entry;
    entry.name = "glyphs";
    entry.title = Engine::tr("Glyphs (generated)");
    entry.help = Engine::tr("Grey images of ten drawn shapes with noise, 28 x 28; needs no file.");
    entry.params = {samplesInfo(12000),
                    noiseInfo(0.12, Engine::tr("Standard deviation of the noise, as a share of the full range.")),
                    keptInfo(), testInfo()};
    entry.facts = {{Engine::tr("samples"), "12000"},
                   {Engine::tr("classes"), std::to_string(kGlyphClasses)},
                   {Engine::tr("shape"), "1 x 28 x 28"}};
    return entry;
}

spec::Entry spiralsInfo() {
    spec::Entry entry;
    entry.name = "spirals";
    entry.title = Engine::tr("Spirals (generated)");
    entry.help = Engine::tr("Points in the plane on interleaved spiral arms, one class per arm; needs no file.");
    entry.params = {samplesInfo(3000),
                    {.name = "classes",
                     .title = Engine::tr("Arms"),
                     .type = ParamType::Integer,
                     .defaultValue = std::int64_t{3},
                     .min = 2.0,
                     .max = 10.0,
                     .help = Engine::tr("Number of arms, one class each.")},
                    noiseInfo(0.15, Engine::tr("Standard deviation of the angle, in radians.")),
                    keptInfo(),
                    testInfo()};
    entry.facts = {{Engine::tr("samples"), "3000"}, {Engine::tr("classes"), "3"}, {Engine::tr("shape"), "2"}};
    return entry;
}

Result<Dataset> loadGlyphs(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    const spec::Entry info = glyphsInfo();
    const train::Arguments arguments(choice, info, "dataset");
    const std::int64_t samples = arguments.integer("samples");
    const double noise = arguments.number("noise");
    Split all{torch::empty({samples, 1, kSide, kSide}, torch::kUInt8),
              torch::arange(samples, torch::kInt64).remainder(kGlyphClasses)};
    std::uint8_t* pixels = all.inputs.data_ptr<std::uint8_t>();
    at::parallel_for(0, samples, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
            drawGlyph(pixels + i * kSide * kSide, kShapes[i % kGlyphClasses], random, noise);
        }
    });
    Dataset dataset;
    TY_TRY(splitOff(dataset, all, {arguments.number("validation"), arguments.number("test")}, seed));
    measureImages(dataset);
    dataset.sampleShape = {1, kSide, kSide};
    dataset.classes = kGlyphClasses;
    for (const Shape& shape : kShapes) dataset.classNames.emplace_back(shape.name);
    dataset.source = "generated";
    return dataset;
}

Result<Dataset> loadSpirals(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    const spec::Entry info = spiralsInfo();
    const train::Arguments arguments(choice, info, "dataset");
    const std::int64_t samples = arguments.integer("samples"), classes = arguments.integer("classes");
    const double noise = arguments.number("noise"), turn = 2.0 * std::numbers::pi;
    Split all{torch::empty({samples, 2}, torch::kFloat32), torch::arange(samples, torch::kInt64).remainder(classes)};
    float* points = all.inputs.data_ptr<float>();
    for (std::int64_t i = 0; i < samples; ++i) {
        Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
        const double along = std::sqrt(random.uniform()); // evenly over the area
        const double arm = static_cast<double>(i % classes) / static_cast<double>(classes);
        const double angle = turn * (arm + 0.75 * along) + noise * random.normal();
        points[2 * i] = static_cast<float>(along * std::cos(angle));
        points[2 * i + 1] = static_cast<float>(along * std::sin(angle));
    }
    Dataset dataset;
    TY_TRY(splitOff(dataset, all, {arguments.number("validation"), arguments.number("test")}, seed));
    dataset.sampleShape = {2};
    dataset.classes = classes;
    for (std::int64_t c = 0; c < classes; ++c) dataset.classNames.push_back("arm " + std::to_string(c + 1));
    dataset.source = "generated";
    return dataset;
}

} // namespace

DatasetEntry glyphsEntry() { return {glyphsInfo(), loadGlyphs}; }
DatasetEntry spiralsEntry() { return {spiralsInfo(), loadSpirals}; }

} // namespace trainyard::data
