// SPDX-License-Identifier: GPL-3.0-or-later
// Images in a folder for each class, and those folders in one folder, or in its folders train and val (and test).
#include "engine/torch/data/image_folder.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/image_listing.h"
#include "engine/torch/data/kept_listing.h"
#include "engine/torch/data/labelled_images.h"
#include "engine/torch/data/picture_set.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/unreadable_share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

namespace trainyard::data {

namespace fs = std::filesystem;
using spec::ParamType;

namespace {

constexpr std::size_t kMaxFiles = 20'000'000;

constexpr std::int64_t kMeasured = 512; // pictures that a streamed set is measured by
// What `data.loading: auto` decodes ahead at most; and no more than half of the memory that is free.
constexpr double kMostDecoded = 4e9;

std::string shown(const fs::path& path) { return printable(path.string(), 4096); }

// As many of the first n files, the same ones each time, spread over all of them.
std::vector<std::int64_t> someOf(std::int64_t n, std::int64_t most) {
    std::vector<std::int64_t> numbers = upTo(std::min(n, most));
    for (std::int64_t& number : numbers) number = number * n / static_cast<std::int64_t>(numbers.size());
    return numbers;
}

// The part of a dataset that a listing has become.
struct Read {
    Split split;
    std::vector<UnreadableFile> bad;
    std::vector<std::int64_t> badTargets; // of those
    std::vector<std::int64_t> classes;    // of the samples; of several the first
    std::vector<std::string> groups;      // of the samples, where a file of labels says them
    std::int64_t recovered = 0;           // images with errors that cost no pixel
};

// `first`: the number of the part's first file among all; `reasons`: of what is left out.
Read partOf(const ImageListing& listing, std::int64_t first, std::shared_ptr<const SampleSource> source,
            const KeptPictures* kept, const Reasons& reasons) {
    Read read;
    read.bad = listing.unread;
    read.badTargets = listing.unreadTargets;
    std::vector<std::int64_t> rows, places; // among all files, and in the listing
    for (std::size_t i = 0; i < listing.files.size(); ++i) {
        const std::int64_t row = first + static_cast<std::int64_t>(i);
        if (const auto reason = reasons.find(row); reason != reasons.end()) {
            read.bad.push_back({listing.files[i].string(), reason->second});
            read.badTargets.push_back(listing.targets[i]);
            continue;
        }
        if (kept && kept->entry(row).state == PackedAs::Recovered) ++read.recovered;
        rows.push_back(row);
        places.push_back(static_cast<std::int64_t>(i));
        read.classes.push_back(listing.targets[i]);
        if (!listing.groups.empty()) read.groups.push_back(listing.groups[i]);
    }
    read.split = {{}, targetsOf(listing, places), std::move(source), torch::tensor(rows, torch::kInt64)};
    return read;
}

void noteRecovered(std::int64_t images, Dataset& dataset) {
    if (images == 0) return;
    dataset.notes.push_back(std::to_string(images) + (images == 1 ? " image has" : " images have") +
                            " errors in the JPEG data that cost no pixel");
}

// By the names below the folder, the sizes of what is used, and the labels where a file says them: the same wherever
// the folder is, and where an image that is left out is removed.
std::string digestOf(const ImageParts& parts, const AllPictures& all, const std::vector<UnreadableFile>& leftOut,
                     const fs::path& folder, bool labelled) {
    std::set<std::string> unused;
    for (const auto& each : leftOut) unused.insert(each.file);
    Sha256 hash;
    const auto add = [&](const std::string& text) {
        hash.add(text.c_str(), text.size() + 1); // the end of a name counts
    };
    std::size_t next = 0;
    for (const ImageListing* part : {&parts.train, &parts.validation, &parts.test}) {
        const fs::path* within = nullptr;
        std::string way; // to the folder of the newest files
        for (std::size_t i = 0; i < part->files.size(); ++i) {
            const std::int64_t size = all.facts[next++].size;
            if (!unused.empty() && unused.contains(part->files[i].string())) continue;
            if (const fs::path& of = part->files.folderOf(i); std::exchange(within, &of) != &of) {
                way = (of / "x").lexically_relative(folder).string();
                way.pop_back();
            }
            add(way + part->files.nameOf(i));
            add(std::to_string(static_cast<std::uintmax_t>(size)));
        }
        add({});
        if (!labelled) continue;
        const torch::Tensor targets = targetsOf(*part, upTo(static_cast<std::int64_t>(part->files.size())));
        hash.add(targets.data_ptr(), static_cast<std::size_t>(targets.nbytes()));
    }
    return hash.hex();
}

// The parts as the folders have them, or as a file of labels says.
Result<ImageParts> partsOf(const fs::path& folder, const train::Arguments& arguments, train::TaskKind task) {
    using enum train::TaskKind;
    const std::string labels = arguments.text("labels");
    if (labels.empty() && !arguments.text("groupColumn").empty())
        return missingPath("labels", "name the file of labels that has the column dataset.params.groupColumn");
    if (labels.empty() && task == Classification) return listImages(folder);
    if (labels.empty())
        return missingPath("labels", task == Regression
                                         ? "name a file with a number for each image, such as labels.csv"
                                         : "name a file with the labels of each image, such as labels.csv");
    formats::LabelOptions options{.use = task == Regression   ? formats::LabelUse::Numbers
                                         : task == MultiLabel ? formats::LabelUse::Several
                                                              : formats::LabelUse::Class};
    std::istringstream columns(arguments.text("columns"));
    for (std::string column; std::getline(columns >> std::ws, column, ',');) options.columns.push_back(column);
    options.group = arguments.text("groupColumn");
    return listLabelled({.folder = folder, .labels = labels, .options = std::move(options)});
}

// Numbers are learnt in units of their own deviation.
void standardiseTargets(Dataset& dataset) {
    const torch::Tensor targets = dataset.train.targets.to(torch::kFloat64), deviation = targets.std(0, false);
    for (std::int64_t c = 0; c < targets.size(1); ++c) {
        dataset.targetMean.push_back(targets.select(1, c).mean().item<double>());
        const double one = deviation[c].item<double>();
        dataset.targetStddev.push_back(one > 0 ? one : 1);
    }
}

spec::Entry info() {
    const auto side = [](const char* name, const char* title) {
        return spec::ParamInfo{.name = name,
                               .title = title,
                               .type = ParamType::Integer,
                               .defaultValue = std::int64_t{32},
                               .min = 1.0,
                               .max = 4096.0,
                               .logScale = true,
                               .unit = Engine::tr("pixels"),
                               .help = Engine::tr("Images are resized to this.")};
    };
    spec::Entry entry;
    entry.name = "images";
    entry.title = Engine::tr("Image folder");
    entry.help = Engine::tr("Images of your own: a folder for each class, or a file of labels.");
    entry.params = {
        {.name = "folder",
         .title = Engine::tr("Folder"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr(
             "Folder with one folder per class, or with folders train, val and optionally test of that kind; a pack of "
             "one; or archives of WebDataset.")},
        side("width", Engine::tr("Width")),
        side("height", Engine::tr("Height")),
        {.name = "labels",
         .title = Engine::tr("Labels"),
         .type = ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("A file in the folder that says the label of each image: a table, JSON lines, a list, or "
                            "annotations of COCO or VOC. Empty: the folders are the classes.")},
        {.name = "columns",
         .title = Engine::tr("Label columns"),
         .type = ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("Columns of that table with the labels, separated by commas; empty: those named label, "
                            "class and the like.")},
        {.name = "groupColumn",
         .title = Engine::tr("Group column"),
         .type = ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("A column of that table that says which images belong together, such as a patient: all of "
                            "them fall into one part. Empty: each image by itself.")},
        {.name = "colour",
         .title = Engine::tr("Colour"),
         .type = ParamType::Option,
         .defaultValue = std::string("rgb"),
         .options = {"rgb", "grey"},
         .help = Engine::tr("Three channels or one; images are converted.")},
        {.name = "fit",
         .title = Engine::tr("Fit"),
         .type = ParamType::Option,
         .defaultValue = std::string("crop"),
         .options = {"crop", "stretch"},
         .help = Engine::tr("Crops or stretches images of another shape.")},
        validationInfo(20.0, 0.0, Engine::tr("Share of the images kept for validation, when there is no folder val.")),
        testInfo(),
        foldsInfo(),
        foldInfo(),
        normaliseInfo(),
        placementInfo()};
    return entry;
}

// Rule: whether pictures are decoded batch by batch, and not once ahead.
Result<bool> streams(double bytes, const spec::DataRules& rules) {
    if (rules.loading == "stream") return true;
    const double ofRun = train::ranksOfHost().leastOfRun, free = ofRun > 0 ? ofRun : train::availableMemory();
    if (rules.loading == "auto" && bytes > std::min(kMostDecoded, free / 2)) return true;
    TY_TRY(checkMemoryFor(bytes, "dataset images", Copies::OnePerHost));
    return false;
}

// Of all training pictures that are kept, or of some where none are.
Result<void> measure(const AllPictures& all, const PictureForm& form, const KeptPictures* kept, std::int64_t most,
                     const spec::DataRules& rules, Dataset& dataset) {
    if (kept) return measurePictures(dataset, *kept, upTo(kept->count()));
    const auto numbers = someOf(all.counts[0], most);
    auto files = std::make_shared<formats::FileNames>();
    for (const std::int64_t number : numbers) files->add((*all.files)[static_cast<std::size_t>(number)]);
    std::vector<std::string> ignored;
    TY_ASSIGN(const auto some, KeptPictures::make(files, keyOf(all, numbers, form), storeFor(all), ignored));
    if (const auto& bad = some->unreadable(); !bad.empty() && rules.onError != "skip")
        return inputError(bad.front().second, shown((*files)[static_cast<std::size_t>(bad.front().first)]),
                          "remove the image or replace it, or leave it out: --set data.onError=skip")
            .withCode(ErrorCode::DataUnreadable);
    return measurePictures(dataset, *some, numbers);
}

// What cannot be read, as the rules have it: left out, or an error.
Result<void> judgeUnreadable(const Listed& listed, const std::array<const Read*, 3>& parts, const Reasons& gone,
                             const fs::path& folder, const spec::DataRules& rules, Dataset& dataset) {
    UnreadableShare share(dataset.classNames.size());
    if (!listed.isRemembered())
        for (const Read* part : parts) share.add(part->classes, part->bad, part->badTargets);
    else
        for (const Read* part : parts) {
            std::vector<UnreadableFile> files;
            std::vector<std::int64_t> classes, ofGone;
            const auto* const row = part->split.size() > 0 ? part->split.rows.data_ptr<std::int64_t>() : nullptr;
            for (std::size_t i = 0; i < part->classes.size(); ++i) {
                const auto found = gone.find(row[i]);
                (found == gone.end() ? classes : ofGone).push_back(part->classes[i]);
                if (found != gone.end())
                    files.push_back({(*listed.all.files)[static_cast<std::size_t>(row[i])].string(), found->second});
            }
            share.add(classes, files, ofGone);
        }
    TY_TRY(share.judge(folder, rules));
    if (share.files().empty()) return {};
    dataset.notes.push_back(share.note(listed.isRemembered()
                                           ? " images are gone since the run began, and others take their places"
                                           : " images left out, since they cannot be read",
                                       dataset));
    dataset.leftOut = share.files();
    return {};
}

// The validation and test of the folder itself, or shares of all.
Result<void> divideParts(Dataset& dataset, Read train, Read validation, Read test, const train::Arguments& arguments,
                         const spec::DataRules& rules, const fs::path& folder, std::int64_t seed) {
    const std::int64_t folds = arguments.integer("folds");
    if (validation.split.size() > 0 && folds > 0)
        return inputError("is " + std::to_string(folds) + ", and " + shown(folder) +
                              " has images for validation of its own",
                          "dataset.params.folds", "set it to 0, or name the part for training alone as the folder");
    if (validation.split.size() > 0) {
        dataset.train = std::move(train.split);
        dataset.validation = std::move(validation.split);
    } else {
        const Shares dealt{.validation = arguments.number("validation"),
                           .test = test.split.size() > 0 ? 0.0 : arguments.number("test"),
                           .byClass = rules.dividesByClass(),
                           .folds = folds,
                           .fold = arguments.integer("fold"),
                           .groups = groupNumbers(train.groups)};
        TY_TRY(splitOff(dataset, train.split, dealt, seed));
    }
    if (test.split.size() > 0) dataset.test = std::move(test.split);
    return {};
}

Result<Dataset> loadListed(const Listed& listed, const train::Arguments& arguments, std::int64_t seed,
                           train::TaskKind task, const spec::DataRules& rules, bool glance) {
    const fs::path folder = arguments.text("folder");
    const PictureForm form{static_cast<int>(arguments.integer("width")), static_cast<int>(arguments.integer("height")),
                           arguments.text("colour") == "grey" ? 1 : 3, arguments.text("fit") == "crop"};
    const ImageParts& parts = listed.parts;
    const AllPictures& all = listed.all;
    const auto count = static_cast<std::int64_t>(all.files->size());
    Dataset dataset;
    dataset.task = task;
    TY_ASSIGN(dataset.streams, streams(static_cast<double>(count) * static_cast<double>(form.bytes()), rules));
    dataset.oneCopyAHost = !dataset.streams;
    dataset.notes = parts.notes;
    dataset.classNames = parts.train.classes;
    std::shared_ptr<const KeptPictures> kept;
    if (!dataset.streams) { TY_ASSIGN(kept, decoded(listed, form, glance, dataset.notes)); }
    std::shared_ptr<const SampleSource> source = kept;
    if (!kept) source = std::make_shared<PictureFiles>(all.files, form);
    const Reasons leftOut = listed.isRemembered() ? listed.leftOut : unreadableIn(kept.get());
    const Reasons gone = listed.isRemembered() ? goneOf(listed, kept.get()) : Reasons();
    Read train = partOf(parts.train, 0, source, kept.get(), leftOut);
    Read validation = partOf(parts.validation, all.counts[0], source, kept.get(), leftOut);
    Read test = partOf(parts.test, all.counts[0] + all.counts[1], source, kept.get(), leftOut);
    TY_TRY(judgeUnreadable(listed, {&train, &validation, &test}, gone, folder, rules, dataset));
    noteRecovered(train.recovered + validation.recovered + test.recovered, dataset);
    TY_TRY(
        divideParts(dataset, std::move(train), std::move(validation), std::move(test), arguments, rules, folder, seed));
    if (task == train::TaskKind::Regression) standardiseTargets(dataset);
    for (Split* split : {&dataset.train, &dataset.validation, &dataset.test}) replaceGone(*split, gone, seed);
    dataset.sampleShape = {form.channels, form.height, form.width};
    dataset.classes = static_cast<std::int64_t>(dataset.classNames.size());
    TY_TRY(measure(all, form, kept.get(), glance ? kGlanced : kMeasured, rules, dataset));
    normaliseImages(dataset, arguments.text("normalise"), form.channels);
    dataset.source = folder.string();
    dataset.digest = listed.isRemembered()
                         ? listed.digest
                         : digestOf(parts, all, dataset.leftOut, folder, !arguments.text("labels").empty());
    if (!glance && !listed.isRemembered()) {
        std::vector<bool> isLeftOut(all.facts.size());
        for (const auto& [number, why] : leftOut) isLeftOut[static_cast<std::size_t>(number)] = true;
        keepListing({folder, dataset.digest}, parts, all.facts, isLeftOut);
    }
    return dataset;
}

// `glance`: only as much is read as a preview shows.
Result<Dataset> loadFolder(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                           const spec::DataRules& rules, bool glance) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const fs::path folder = arguments.text("folder");
    if (folder.empty()) return missingPath("folder", "set it to a folder with a folder for each class");
    TY_ASSIGN(ImageParts parts, partsOf(folder, arguments, task));
    AllPictures all = allOf(parts);
    return loadListed({std::move(parts), std::move(all)}, arguments, seed, task, rules, glance);
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                     const spec::DataRules& rules) {
    return loadFolder(choice, seed, task, rules, false);
}

Result<Dataset> glanceAtFolder(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                               const spec::DataRules& rules) {
    return loadFolder(choice, seed, task, rules, true);
}

Result<PictureForm> formOfSamples(const std::vector<std::int64_t>& shape, bool crop, const std::string& where) {
    if (shape.size() != 3 || (shape[0] != 1 && shape[0] != 3))
        return inputError("is an image, and the model takes none of one or three channels", where,
                          "give samples of the kind that it was trained on");
    return PictureForm{static_cast<int>(shape[2]), static_cast<int>(shape[1]), static_cast<int>(shape[0]), crop};
}

} // namespace

bool hasImageName(const fs::path& file) { return fileRoleOf(file) == FileRole::Image; }

Result<torch::Tensor> loadImage(const fs::path& file, const std::vector<std::int64_t>& shape, bool crop) {
    TY_ASSIGN(const PictureForm form, formOfSamples(shape, crop, shown(file)));
    torch::Tensor sample = torch::empty(shape, torch::kUInt8);
    TY_TRY(readPicture(file, form, nullptr, sample.data_ptr<std::uint8_t>()));
    return sample;
}

Result<torch::Tensor> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name,
                                  const std::vector<std::int64_t>& shape, bool crop) {
    TY_ASSIGN(const PictureForm form, formOfSamples(shape, crop, name));
    torch::Tensor sample = torch::empty(shape, torch::kUInt8);
    TY_TRY(decodePicture(bytes, name, form, sample.data_ptr<std::uint8_t>()));
    return sample;
}

Result<std::vector<fs::path>> imagesBelow(const fs::path& folder) {
    std::error_code problem, ignored;
    std::vector<fs::path> files;
    fs::recursive_directory_iterator at(folder, problem), end;
    for (; !problem && at != end && files.size() < kMaxFiles; at.increment(problem)) {
        if (roleOf(at->path().filename().string()) == FolderRole::Clutter) at.disable_recursion_pending();
        else if (hasImageName(at->path()) && !at->is_directory(ignored)) files.push_back(at->path());
    }
    if (problem)
        return environmentError("cannot be read: " + problem.message(), shown(folder), "check its permissions");
    if (files.empty())
        return inputError("holds no images (.png, .jpg, .webp, .tif, .bmp, .gif)", shown(folder),
                          "name a folder of images, or one with folders of images in it");
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::optional<Dataset>> imagesAsListed(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                                              const spec::DataRules& rules, const std::string& digest, bool mayBeMore) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const fs::path folder = arguments.text("folder");
    auto kept = keptListing({folder, digest});
    if (!kept) return std::optional<Dataset>();
    Listed listed{std::move(kept->parts), {}};
    listed.all = allOf(listed.parts);
    const auto now = std::exchange(listed.all.facts, std::move(kept->facts));
    std::size_t there = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        if (now[i].size >= 0) ++there;
        if (kept->leftOut[i]) listed.leftOut[number] = "could not be read when the run began";
        else if (now[i].size < 0) listed.gone[number] = "is gone since the run began";
        else if (now[i].size != listed.all.facts[i].size) listed.gone[number] = "has changed since the run began";
    }
    if (!mayBeMore) {
        TY_ASSIGN(const ImageParts parts, partsOf(folder, arguments, task));
        if (parts.train.files.size() + parts.validation.files.size() + parts.test.files.size() != there)
            return std::optional<Dataset>();
    }
    listed.digest = digest;
    TY_ASSIGN(Dataset set, loadListed(listed, arguments, seed, task, rules, /*glance=*/false));
    return std::optional(std::move(set));
}

DatasetEntry imageFolderEntry() {
    using enum train::TaskKind;
    return {.info = info(),
            .load = load,
            .tasks = {Classification, Regression, MultiLabel},
            .streams = true,
            .glance = glanceAtFolder};
}

} // namespace trainyard::data
