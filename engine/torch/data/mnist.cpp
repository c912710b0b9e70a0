// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/idx.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/split.h"

#include <filesystem>
#include <optional>

namespace trainyard::data {

namespace fs = std::filesystem;
using spec::ParamInfo;
using spec::ParamType;

namespace {

constexpr std::int64_t kClasses = 10;

// What tells the two datasets apart.
struct Kind {
    std::string name, title, help, remedy;
    std::vector<std::string> classNames;
    double mean, stddev; // of the training images, in [0, 1]
};

const Kind& fashion() {
    static const Kind kind{
        "fashion-mnist",
        Engine::tr("Fashion-MNIST"),
        Engine::tr("70,000 grey images of clothes, 28 x 28, in 10 classes."),
        "apt install dataset-fashion-mnist, or trainyardctl datasets download fashion-mnist, or set "
        "dataset.params.folder to the folder of its four files",
        {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"},
        0.2860,
        0.3530};
    return kind;
}

const Kind& digits() {
    static const Kind kind{"mnist",
                           Engine::tr("MNIST"),
                           Engine::tr("70,000 grey images of handwritten digits, 28 x 28, in 10 classes."),
                           "trainyardctl datasets download mnist, or set dataset.params.folder to the folder of its "
                           "four files (train-images-idx3-ubyte.gz and so on)",
                           {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                           0.1307,
                           0.3081};
    return kind;
}

// "train-images-idx3-ubyte" also goes by "train-images.idx3-ubyte", each with or without ".gz".
std::optional<fs::path> findFile(const fs::path& folder, const std::string& stem, const std::string& suffix) {
    std::error_code ignored;
    for (const char* join : {"-", "."})
        for (const char* end : {".gz", ""})
            if (const fs::path file = folder / (stem + join + suffix + end); fs::exists(file, ignored)) return file;
    return std::nullopt;
}

// `chosen`: dataset.params.folder, where what is downloaded is not looked for.
std::string remedyOf(const Kind& kind, const std::string& chosen) {
    if (chosen.empty()) return kind.remedy;
    return "copy the file again, or leave dataset.params.folder out and: trainyardctl datasets download " + kind.name;
}

Result<fs::path> locate(const Kind& kind, const std::string& chosen, const std::string& stem,
                        const std::string& suffix) {
    const std::vector<fs::path> folders = datasetFolders(kind.name, chosen);
    for (const fs::path& folder : folders)
        if (const auto file = findFile(folder, stem, suffix)) return *file;
    const fs::path wanted = folders.back() / (stem + "-" + suffix + ".gz");
    return inputError("the file does not exist", wanted.string(), remedyOf(kind, chosen))
        .withCode(ErrorCode::DatasetMissing);
}

Error withRemedy(Error error, const Kind& kind, const std::string& chosen) {
    if (error.remedy.empty() || error.kind == ErrorKind::Input) error.remedy = remedyOf(kind, chosen);
    return error;
}

// The items of one file, straight into a tensor.
Result<torch::Tensor> readItems(const Kind& kind, const std::string& chosen, const fs::path& file,
                                std::size_t dimensions) {
    torch::Tensor items;
    const auto sizes = formats::readIdx(file, dimensions, [&](const std::vector<std::int64_t>& shape) {
        items = torch::empty(shape, torch::kUInt8);
        return items.data_ptr<std::uint8_t>();
    });
    if (!sizes) return withRemedy(sizes.error(), kind, chosen);
    return items;
}

Result<void> checkLabels(const torch::Tensor& labels, const fs::path& file) {
    const std::uint8_t* label = labels.data_ptr<std::uint8_t>();
    for (std::int64_t i = 0; i < labels.size(0); ++i)
        if (label[i] >= kClasses)
            return inputError("label " + std::to_string(label[i]) + " is not one of the " + std::to_string(kClasses) +
                                  " classes",
                              file.string() + ", byte " + std::to_string(8 + i), "copy or install the file again");
    return {};
}

// "train" or "t10k": the images and their labels.
Result<Split> loadPart(const Kind& kind, const std::string& folder, const std::string& part) {
    TY_ASSIGN(const fs::path imageFile, locate(kind, folder, part + "-images", "idx3-ubyte"));
    TY_ASSIGN(const fs::path labelFile, locate(kind, folder, part + "-labels", "idx1-ubyte"));
    const auto header = formats::readIdxHeader(imageFile, 3);
    if (!header) return withRemedy(header.error(), kind, folder);
    TY_TRY(checkMemoryFor(2.0 * static_cast<double>((*header)[0]) * static_cast<double>((*header)[1] * (*header)[2]),
                          imageFile.string()));
    TY_ASSIGN(const torch::Tensor images, readItems(kind, folder, imageFile, 3));
    TY_ASSIGN(const torch::Tensor labels, readItems(kind, folder, labelFile, 1));
    if (images.size(0) != labels.size(0))
        return inputError("holds " + std::to_string(labels.size(0)) + " labels for " + std::to_string(images.size(0)) +
                              " images in " + imageFile.string(),
                          labelFile.string() + ", byte 4", remedyOf(kind, folder));
    TY_TRY(checkLabels(labels, labelFile));
    return Split{images.unsqueeze(1), labels.to(torch::kInt64)};
}

std::vector<ParamInfo> parameters() {
    return {
        {.name = "folder",
         .title = Engine::tr("Folder"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("Folder of the four IDX files, plain or gzip; empty: the installed ones.")},
        officialValidationInfo(),
        limitInfo(),
    };
}

// Whether the files are there, and how many images their headers promise.
spec::Entry describe(const Kind& kind) {
    spec::Entry entry;
    entry.name = kind.name;
    entry.title = kind.title;
    entry.help = kind.help;
    entry.params = parameters();
    entry.downloads = true;
    entry.facts = {{Engine::tr("classes"), std::to_string(kClasses)}};
    const auto file = locate(kind, {}, "train-images", "idx3-ubyte");
    const auto header = file ? formats::readIdxHeader(*file, 3) : Result<std::vector<std::int64_t>>(file.error());
    if (!header) {
        entry.available = false;
        entry.unavailable = withRemedy(header.error(), kind, {}).text();
        return entry;
    }
    const std::vector<std::int64_t>& sizes = *header;
    entry.facts[Engine::tr("samples")] = std::to_string(sizes[0]);
    entry.facts[Engine::tr("shape")] = "1 x " + std::to_string(sizes[1]) + " x " + std::to_string(sizes[2]);
    entry.facts[Engine::tr("folder")] = file->parent_path().string();
    return entry;
}

Result<Dataset> load(const Kind& kind, const spec::Choice& choice, std::int64_t seed) {
    spec::Entry entry;
    entry.params = parameters();
    const train::Arguments arguments(choice, entry, "dataset");
    const std::string folder = arguments.text("folder");
    TY_ASSIGN(Split train, loadPart(kind, folder, "train"));
    limitTo(train, arguments.integer("limit"));
    TY_ASSIGN(Split test, loadPart(kind, folder, "t10k"));
    if (test.inputs.sizes().slice(1) != train.inputs.sizes().slice(1))
        return inputError("test images are of another size than the training images", "dataset " + kind.name,
                          remedyOf(kind, folder));
    Dataset dataset;
    TY_TRY(useTestPart(dataset, std::move(train), std::move(test), arguments.number("validation"), seed));
    dataset.sampleShape = dataset.train.inputs.sizes().slice(1).vec();
    dataset.classes = kClasses;
    dataset.classNames = kind.classNames;
    dataset.mean = {kind.mean};
    dataset.stddev = {kind.stddev};
    TY_ASSIGN(const fs::path file, locate(kind, folder, "train-images", "idx3-ubyte"));
    dataset.source = file.parent_path().string();
    return dataset;
}

Result<Dataset> loadFashion(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    return load(fashion(), choice, seed);
}
Result<Dataset> loadDigits(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules&) {
    return load(digits(), choice, seed);
}

} // namespace

DatasetEntry fashionMnistEntry() { return {.info = describe(fashion()), .load = loadFashion, .worthCaching = true}; }
DatasetEntry mnistEntry() { return {.info = describe(digits()), .load = loadDigits, .worthCaching = true}; }

} // namespace trainyard::data
