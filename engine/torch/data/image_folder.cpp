// SPDX-License-Identifier: GPL-3.0-or-later
// Images in a folder for each class, and those folders in one folder, or in its folders train and val (and test).
#include "engine/torch/data/image_folder.h"

#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/formats/image.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/image_listing.h"
#include "engine/torch/data/split.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace trainyard::data {

namespace fs = std::filesystem;
using spec::ParamType;

namespace {

constexpr std::size_t kMaxFiles = 20'000'000;

struct Geometry {
    int width = 32, height = 32, channels = 3;
    bool crop = true;
    std::int64_t bytes() const { return std::int64_t{width} * height * channels; }
};

std::string shown(const fs::path& path) { return printable(path.string(), 4096); }

// The part of a dataset that a listing has become.
struct Read {
    Split split;
    std::vector<UnreadableFile> bad;
    std::vector<std::int64_t> badTargets; // of those
    std::int64_t recovered = 0;           // images with errors that cost no pixel
    std::size_t files() const { return static_cast<std::size_t>(split.size()) + bad.size(); }
};

// True: the file had errors that cost no pixel.
Result<bool> readInto(const fs::path& file, const Geometry& geometry, std::uint8_t* planes) {
    TY_ASSIGN(formats::Image image, formats::readImage(file));
    const bool recovered = image.recovered;
    image = formats::resized(formats::withChannels(image, geometry.channels), geometry.width, geometry.height,
                             geometry.crop);
    const std::size_t channels = static_cast<std::size_t>(geometry.channels);
    const std::size_t plane = image.pixels.size() / channels;
    for (std::size_t c = 0; c < channels; ++c) // [H, W, C] -> [C, H, W]
        for (std::size_t p = 0; p < plane; ++p) planes[c * plane + p] = image.pixels[p * channels + c];
    return recovered;
}

// The errors are in the order of the files, however many threads read.
Result<Read> readImages(const ImageListing& listing, const Geometry& geometry) {
    const auto count = static_cast<std::int64_t>(listing.files.size());
    Read read{.split = {torch::empty({count, geometry.channels, geometry.height, geometry.width}, torch::kUInt8),
                        torch::tensor(listing.targets, torch::kInt64)},
              .bad = listing.unread,
              .badTargets = listing.unreadTargets};
    std::uint8_t* pixels = read.split.inputs.data_ptr<std::uint8_t>();
    Mutex mutex;
    std::map<std::int64_t, Error> errors;
    std::atomic<std::int64_t> recovered = 0;
    at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            auto done = readInto(listing.files[static_cast<std::size_t>(i)], geometry, pixels + i * geometry.bytes());
            if (done && *done) ++recovered;
            if (done) continue;
            const MutexLock lock(mutex);
            errors.emplace(i, std::move(done).error());
        }
    });
    read.recovered = recovered;
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto error = errors.find(i);
        if (error == errors.end()) {
            kept.push_back(i);
            continue;
        }
        if (error->second.kind != ErrorKind::Input) return error->second; // not the file's fault
        read.bad.push_back({listing.files[static_cast<std::size_t>(i)].string(), error->second.message});
        read.badTargets.push_back(listing.targets[static_cast<std::size_t>(i)]);
    }
    if (errors.empty()) return read;
    const torch::Tensor rows = torch::tensor(kept, torch::kInt64);
    read.split = {read.split.inputs.index_select(0, rows), read.split.targets.index_select(0, rows)};
    return read;
}

// Of all files and of each class, what cannot be read.
struct BadShares {
    std::size_t files = 0, bad = 0;
    std::vector<std::int64_t> ofClass, badOfClass;
    std::vector<UnreadableFile> list;

    void add(const Read& read) {
        files += read.files();
        bad += read.bad.size();
        list.insert(list.end(), read.bad.begin(), read.bad.end());
        for (const std::int64_t target : read.badTargets) ++badOfClass[static_cast<std::size_t>(target)];
        std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
        if (read.split.size() == 0) return;
        const torch::Tensor counts = torch::bincount(read.split.targets, {}, static_cast<std::int64_t>(ofClass.size()));
        for (std::size_t c = 0; c < ofClass.size(); ++c)
            ofClass[c] += counts[static_cast<std::int64_t>(c)].item<std::int64_t>();
    }
    double shareOf(std::size_t c) const {
        const auto all = static_cast<double>(ofClass[c] + badOfClass[c]);
        return all > 0 ? static_cast<double>(badOfClass[c]) / all : 0;
    }
    std::size_t worstClass() const {
        std::size_t worst = 0;
        for (std::size_t c = 1; c < ofClass.size(); ++c)
            if (shareOf(c) > shareOf(worst)) worst = c;
        return worst;
    }
    double largest() const {
        return std::max(static_cast<double>(bad) / static_cast<double>(std::max<std::size_t>(1, files)),
                        shareOf(worstClass()));
    }
};

std::string listed(const std::vector<UnreadableFile>& files, const fs::path& folder) {
    constexpr std::size_t kShown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(files.size(), kShown); ++i)
        text += (i > 0 ? "; " : "") + shown(fs::path(files[i].file).lexically_relative(folder)) + ": " + files[i].why;
    return files.size() > kShown ? text + "; and " + std::to_string(files.size() - kShown) + " more" : text;
}

// What the person can do, as it can be typed: to allow as many, if the rules do not.
std::string remedyFor(const BadShares& shares, const spec::DataRules& rules) {
    std::string how = rules.onError == "skip" ? "" : "--set data.onError=skip";
    if (shares.largest() > rules.maxBad)
        how += std::string(how.empty() ? "" : " ") +
               "--set data.maxBad=" + spec::toText(std::ceil(100 * shares.largest()) / 100);
    const char* what = shares.bad == 1 ? "remove the image or replace it" : "remove the images or replace them";
    return std::string(what) + ", or leave " + (shares.bad == 1 ? "it" : "them") + " out: " + how;
}

Error unreadable(const BadShares& shares, const fs::path& folder, const spec::DataRules& rules) {
    const std::string remedy = remedyFor(shares, rules);
    if (shares.bad == 1)
        return inputError(shares.list.front().why, shown(shares.list.front().file), remedy)
            .withCode(ErrorCode::DataUnreadable);
    return inputError(std::to_string(shares.bad) + " of " + std::to_string(shares.files) +
                          " images cannot be read: " + listed(shares.list, folder),
                      shown(folder), remedy)
        .withCode(ErrorCode::DataUnreadable);
}

std::string percentText(double share) { return std::to_string(std::lround(100 * share)) + "%"; }

// Notes what was left out, or says why it may not be.
Result<void> judgeBad(const BadShares& shares, const fs::path& folder, const spec::DataRules& rules, Dataset& dataset) {
    if (shares.bad == 0) return {};
    if (rules.onError != "skip" || shares.largest() > rules.maxBad) return unreadable(shares, folder, rules);
    const std::size_t worst = shares.worstClass();
    dataset.notes.push_back(std::to_string(shares.bad) + " of " + std::to_string(shares.files) +
                            " images left out, since they cannot be read; the class \"" +
                            printable(dataset.classNames[worst], 60) + "\" lost most, " +
                            percentText(shares.shareOf(worst)));
    dataset.leftOut = shares.list;
    return {};
}

void noteRecovered(std::int64_t images, Dataset& dataset) {
    if (images == 0) return;
    dataset.notes.push_back(std::to_string(images) + (images == 1 ? " image has" : " images have") +
                            " errors in the JPEG data that cost no pixel");
}

// By the names below the folder and the sizes of what is used: the same wherever the folder is, and where an image that
// is left out is removed.
std::string digestOf(const ImageParts& parts, const std::vector<UnreadableFile>& leftOut, const fs::path& folder) {
    std::set<std::string> unused;
    for (const auto& each : leftOut) unused.insert(each.file);
    Sha256 hash;
    const auto add = [&](const std::string& text) {
        hash.add(text.c_str(), text.size() + 1); // the end of a name counts
    };
    for (const ImageListing* part : {&parts.train, &parts.validation, &parts.test}) {
        for (const fs::path& file : part->files) {
            if (unused.contains(file.string())) continue;
            std::error_code ignored;
            add(file.lexically_relative(folder).string());
            add(std::to_string(fs::file_size(file, ignored)));
        }
        add({});
    }
    return hash.hex();
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
    entry.help = Engine::tr("PNG and JPEG images of your own, a folder for each class.");
    entry.params = {
        {.name = "folder",
         .title = Engine::tr("Folder"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr(
             "Folder with one folder per class, or with folders train, val and optionally test of that kind.")},
        side("width", Engine::tr("Width")),
        side("height", Engine::tr("Height")),
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
        testInfo()};
    return entry;
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t seed, train::TaskKind, const spec::DataRules& rules) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const fs::path folder = arguments.text("folder");
    if (folder.empty()) return missingPath("folder", "set it to a folder with a folder for each class");
    const Geometry geometry{static_cast<int>(arguments.integer("width")), static_cast<int>(arguments.integer("height")),
                            arguments.text("colour") == "grey" ? 1 : 3, arguments.text("fit") == "crop"};
    TY_ASSIGN(const ImageParts parts, listImages(folder));
    const std::size_t files = parts.train.files.size() + parts.validation.files.size() + parts.test.files.size();
    TY_TRY(checkMemoryFor(2.0 * static_cast<double>(files) * static_cast<double>(geometry.bytes()), "dataset images"));
    Dataset dataset;
    dataset.notes = parts.notes;
    dataset.classNames = parts.train.classes;
    TY_ASSIGN(Read train, readImages(parts.train, geometry));
    TY_ASSIGN(Read validation, readImages(parts.validation, geometry));
    TY_ASSIGN(Read test, readImages(parts.test, geometry));
    BadShares shares;
    shares.ofClass = shares.badOfClass = std::vector<std::int64_t>(dataset.classNames.size());
    for (const Read* part : {&train, &validation, &test}) shares.add(*part);
    TY_TRY(judgeBad(shares, folder, rules, dataset));
    noteRecovered(train.recovered + validation.recovered + test.recovered, dataset);
    if (validation.split.size() > 0) {
        dataset.train = std::move(train.split);
        dataset.validation = std::move(validation.split);
    } else {
        const Shares dealt{.validation = arguments.number("validation"),
                           .test = test.split.size() > 0 ? 0.0 : arguments.number("test"),
                           .byClass = rules.dividesByClass()};
        TY_TRY(splitOff(dataset, train.split, dealt, seed));
    }
    if (test.split.size() > 0) dataset.test = std::move(test.split);
    measureImages(dataset);
    dataset.sampleShape = {geometry.channels, geometry.height, geometry.width};
    dataset.classes = static_cast<std::int64_t>(dataset.classNames.size());
    dataset.source = folder.string();
    dataset.digest = digestOf(parts, dataset.leftOut, folder);
    return dataset;
}

} // namespace

bool hasImageName(const fs::path& file) { return fileRoleOf(file) == FileRole::Image; }

Result<torch::Tensor> loadImage(const fs::path& file, const std::vector<std::int64_t>& shape, bool crop) {
    if (shape.size() != 3 || (shape[0] != 1 && shape[0] != 3))
        return inputError("is an image, and the model takes none of one or three channels", shown(file),
                          "give samples of the kind that it was trained on");
    const Geometry geometry{static_cast<int>(shape[2]), static_cast<int>(shape[1]), static_cast<int>(shape[0]), crop};
    torch::Tensor sample = torch::empty(shape, torch::kUInt8);
    TY_TRY(readInto(file, geometry, sample.data_ptr<std::uint8_t>()));
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
        return inputError("holds no PNG or JPEG images (.png, .jpg, .jpeg)", shown(folder),
                          "name a folder of images, or one with folders of images in it");
    std::sort(files.begin(), files.end());
    return files;
}

DatasetEntry imageFolderEntry() { return {info(), load}; }

} // namespace trainyard::data
