// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/cifar.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/split.h"

#include <optional>
#include <span>

namespace trainyard::data {

namespace fs = std::filesystem;
using spec::ParamInfo;
using spec::ParamType;

namespace {

// What tells the two datasets apart.
struct Kind {
    std::string name, title, help;
    std::string inside; // the folder that the published archive unpacks to
    std::vector<std::string> trainFiles;
    std::string testFile;
    formats::CifarLayout layout;
    std::vector<double> mean, stddev; // of the training images, in [0, 1]
};

const Kind& ten() {
    static const Kind kind{
        "cifar10",
        Engine::tr("CIFAR-10"),
        Engine::tr("60,000 colour images of animals and vehicles, 32 x 32, in 10 classes."),
        "cifar-10-batches-bin",
        {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
        "test_batch.bin",
        {{10}},
        {0.4914, 0.4822, 0.4465},
        {0.2470, 0.2435, 0.2616}};
    return kind;
}

const Kind& hundred() {
    static const Kind kind{"cifar100",
                           Engine::tr("CIFAR-100"),
                           Engine::tr("60,000 colour images of everyday things, 32 x 32, in 100 classes or 20 groups."),
                           "cifar-100-binary",
                           {"train.bin"},
                           "test.bin",
                           {{20, 100}},
                           {0.5071, 0.4866, 0.4409},
                           {0.2673, 0.2564, 0.2762}};
    return kind;
}

const std::vector<std::string> kTenNames{"airplane", "automobile", "bird",  "cat",  "deer",
                                         "dog",      "frog",       "horse", "ship", "truck"};
const std::vector<std::string> kGroupNames{"aquatic mammals",
                                           "fish",
                                           "flowers",
                                           "food containers",
                                           "fruit and vegetables",
                                           "household electrical devices",
                                           "household furniture",
                                           "insects",
                                           "large carnivores",
                                           "large man-made outdoor things",
                                           "large natural outdoor scenes",
                                           "large omnivores and herbivores",
                                           "medium-sized mammals",
                                           "non-insect invertebrates",
                                           "people",
                                           "reptiles",
                                           "small mammals",
                                           "trees",
                                           "vehicles 1",
                                           "vehicles 2"};
const std::vector<std::string> kHundredNames{
    "apple",      "aquarium fish", "baby",         "bear",       "beaver",      "bed",         "bee",
    "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
    "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
    "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
    "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
    "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn mower",
    "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple tree",  "motorcycle",
    "mountain",   "mouse",         "mushroom",     "oak tree",   "orange",      "orchid",      "otter",
    "palm tree",  "pear",          "pickup truck", "pine tree",  "plain",       "plate",       "poppy",
    "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
    "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
    "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet pepper",
    "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
    "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow tree", "wolf",
    "woman",      "worm"};

// `chosen`: dataset.params.folder, where what is downloaded is not looked for.
std::string remedyOf(const Kind& kind, const std::string& chosen) {
    if (!chosen.empty())
        return "copy the file again, or leave dataset.params.folder out and: trainyardctl datasets download " +
               kind.name;
    return "trainyardctl datasets download " + kind.name +
           ", or set dataset.params.folder to the unpacked folder of its binary version";
}

// Each file, in the folder itself or in the one that the archive unpacks to.
Result<std::vector<fs::path>> locate(const Kind& kind, const std::string& chosen) {
    const std::vector<fs::path> folders = datasetFolders(kind.name, chosen);
    std::error_code ignored;
    const auto base = [&]() -> std::optional<fs::path> {
        for (const fs::path& folder : folders)
            for (const fs::path& each : {folder, folder / kind.inside})
                for (const std::string& file : kind.trainFiles)
                    if (fs::exists(each / file, ignored)) return each;
        return std::nullopt;
    }();
    std::vector<fs::path> files;
    for (const std::string& file : kind.trainFiles) files.push_back(base.value_or(folders.front()) / file);
    files.push_back(base.value_or(folders.front()) / kind.testFile);
    for (const fs::path& file : files)
        if (!fs::exists(file, ignored))
            return inputError("the file does not exist", file.string(), remedyOf(kind, chosen))
                .withCode(ErrorCode::DatasetMissing);
    return files;
}

Error withRemedy(Error error, const Kind& kind, const std::string& chosen) {
    if (error.kind == ErrorKind::Input) error.remedy = remedyOf(kind, chosen);
    return error;
}

// The images and labels of some files, one after the other.
Result<Split> loadFiles(const Kind& kind, const std::string& chosen, std::span<const fs::path> files,
                        std::size_t label) {
    std::vector<std::int64_t> counts;
    std::int64_t total = 0;
    for (const fs::path& file : files) {
        auto count = formats::countCifar(file, kind.layout);
        if (!count) return withRemedy(std::move(count).error(), kind, chosen);
        total += counts.emplace_back(*count);
    }
    TY_TRY(checkMemoryFor(2.0 * static_cast<double>(total * formats::kCifarImageBytes), "dataset " + kind.name));
    Split split{torch::empty({total, 3, 32, 32}, torch::kUInt8), {}};
    const torch::Tensor labels = torch::empty({total}, torch::kUInt8);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto read = formats::readCifar(files[i], kind.layout, counts[i], label,
                                       split.inputs.data_ptr<std::uint8_t>() + at * formats::kCifarImageBytes,
                                       labels.data_ptr<std::uint8_t>() + at);
        if (!read) return withRemedy(std::move(read).error(), kind, chosen);
        at += counts[i];
    }
    split.targets = labels.to(torch::kInt64);
    return split;
}

std::vector<ParamInfo> parameters(const Kind& kind) {
    std::vector<ParamInfo> params{
        {.name = "folder",
         .title = Engine::tr("Folder"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("Folder of the binary version's files; empty: the downloaded ones.")},
        officialValidationInfo(),
        limitInfo(),
    };
    if (kind.layout.labelClasses.size() > 1)
        params.push_back({.name = "groups",
                          .title = Engine::tr("Groups only"),
                          .type = ParamType::Flag,
                          .defaultValue = false,
                          .help = Engine::tr("Classify into the 20 superclasses, not the 100 classes.")});
    return params;
}

// Whether the files are there, and how many images their sizes promise.
spec::Entry describe(const Kind& kind) {
    spec::Entry entry;
    entry.name = kind.name;
    entry.title = kind.title;
    entry.help = kind.help;
    entry.params = parameters(kind);
    entry.downloads = true;
    entry.facts = {{Engine::tr("classes"), std::to_string(kind.layout.labelClasses.back())},
                   {Engine::tr("shape"), "3 x 32 x 32"}};
    const auto files = locate(kind, {});
    std::int64_t samples = 0;
    for (std::size_t i = 0; files && i < kind.trainFiles.size(); ++i) {
        const auto count = formats::countCifar((*files)[i], kind.layout);
        if (!count) {
            entry.available = false;
            entry.unavailable = withRemedy(count.error(), kind, {}).text();
            return entry;
        }
        samples += *count;
    }
    entry.available = files.ok();
    if (!files) entry.unavailable = files.error().text();
    else entry.facts[Engine::tr("folder")] = files->front().parent_path().string();
    if (files) entry.facts[Engine::tr("samples")] = std::to_string(samples);
    return entry;
}

Result<Dataset> load(const Kind& kind, const spec::Choice& choice, std::int64_t seed) {
    spec::Entry entry;
    entry.params = parameters(kind);
    const train::Arguments arguments(choice, entry, "dataset");
    const bool groups = kind.layout.labelClasses.size() > 1 && arguments.flag("groups");
    const std::size_t label = groups ? 0 : kind.layout.labelClasses.size() - 1;
    const std::string folder = arguments.text("folder");
    TY_ASSIGN(const std::vector<fs::path> files, locate(kind, folder));
    TY_ASSIGN(Split train, loadFiles(kind, folder, std::span(files).first(files.size() - 1), label));
    limitTo(train, arguments.integer("limit"));
    Dataset dataset;
    TY_ASSIGN(Split held, loadFiles(kind, folder, std::span(files).last(1), label));
    TY_TRY(useTestPart(dataset, std::move(train), std::move(held), arguments.number("validation"), seed));
    dataset.sampleShape = {3, 32, 32};
    dataset.classes = kind.layout.labelClasses[label];
    dataset.classNames = groups ? kGroupNames : kind.layout.labelClasses.size() > 1 ? kHundredNames : kTenNames;
    dataset.mean = kind.mean;
    dataset.stddev = kind.stddev;
    dataset.source = files.front().parent_path().string();
    return dataset;
}

Result<Dataset> loadTen(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    return load(ten(), choice, seed);
}
Result<Dataset> loadHundred(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    return load(hundred(), choice, seed);
}

} // namespace

DatasetEntry cifar10Entry() { return {.info = describe(ten()), .load = loadTen, .worthCaching = true}; }
DatasetEntry cifar100Entry() { return {.info = describe(hundred()), .load = loadHundred, .worthCaching = true}; }

} // namespace trainyard::data
