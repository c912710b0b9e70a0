// SPDX-License-Identifier: GPL-3.0-or-later
// Images in a folder for each class, and those folders in one folder, or in its folders train and val (and test).
#include "engine/base/ids.h"
#include "engine/formats/image.h"
#include "engine/formats/text.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/files.h"
#include "engine/torch/data/memory.h"
#include "engine/torch/data/sources.h"
#include "engine/torch/data/split.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>

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

struct Listing {
    std::vector<std::string> classes;
    std::vector<fs::path> files;
    std::vector<std::int64_t> targets; // of the files
};

std::string shown(const fs::path& path) { return printable(path.string(), 4096); }

// What file managers leave behind.
bool isClutter(const std::string& name) {
    return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini";
}

// The entries of a folder by name, so that every rank has the same order.
Result<std::vector<fs::directory_entry>> entriesOf(const fs::path& folder) {
    std::error_code problem;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator at(folder, problem), end;
    for (; !problem && at != end && entries.size() < kMaxFiles; at.increment(problem))
        if (!isClutter(at->path().filename().string())) entries.push_back(*at);
    if (problem == std::errc::no_such_file_or_directory)
        return inputError("the folder does not exist", shown(folder),
                          "set dataset.params.folder to the folder of the classes")
            .withCode(ErrorCode::FileMissing);
    if (problem == std::errc::not_a_directory)
        return inputError("is not a folder", shown(folder), "set dataset.params.folder to the folder of the classes");
    if (problem)
        return environmentError("cannot be read: " + problem.message(), shown(folder), "check its permissions");
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path() < b.path(); });
    return entries;
}

Result<void> listClass(const fs::path& folder, Listing& listing) {
    const std::string name = folder.filename().string();
    if (!formats::isUtf8(name))
        return inputError("the name of the class is not UTF-8", shown(folder), "rename the folder");
    TY_ASSIGN(const auto entries, entriesOf(folder));
    const std::size_t before = listing.files.size();
    for (const fs::directory_entry& entry : entries) {
        std::error_code problem;
        const fs::file_status status = entry.status(problem); // follows links
        if (problem || !fs::exists(status))
            return inputError("is a link that leads nowhere", shown(entry.path()), "remove the link");
        if (fs::is_directory(status))
            return inputError("is a folder inside the folder of a class", shown(entry.path()),
                              "put the images of a class into its folder itself");
        if (!fs::is_regular_file(status))
            return inputError("is not a regular file", shown(entry.path()), "remove it from the folder");
        if (!hasImageName(entry.path()))
            return inputError("is not named as a PNG or JPEG image (.png, .jpg, .jpeg)", shown(entry.path()),
                              "convert the image, or remove it from the folder");
        listing.files.push_back(entry.path());
        listing.targets.push_back(static_cast<std::int64_t>(listing.classes.size()));
    }
    if (listing.files.size() == before)
        return inputError("the class has no images", shown(folder), "add images or remove the folder");
    listing.classes.push_back(name);
    return {};
}

// Files beside the folders of the classes (a licence, a list) are passed over.
Result<Listing> listFolder(const fs::path& folder) {
    TY_ASSIGN(const auto entries, entriesOf(folder));
    Listing listing;
    for (const fs::directory_entry& entry : entries) {
        std::error_code ignored;
        if (fs::is_directory(entry.status(ignored))) TY_TRY(listClass(entry.path(), listing));
    }
    if (listing.classes.size() < 2)
        return inputError("has " + std::string(listing.classes.empty() ? "no folder" : "only one folder") +
                              " with images, and each class needs its own",
                          shown(folder), "make a folder for each class");
    return listing;
}

Result<void> readInto(const fs::path& file, const Geometry& geometry, std::uint8_t* planes) {
    TY_ASSIGN(formats::Image image, formats::readImage(file));
    image = formats::resized(formats::withChannels(image, geometry.channels), geometry.width, geometry.height,
                             geometry.crop);
    const std::size_t channels = static_cast<std::size_t>(geometry.channels);
    const std::size_t plane = image.pixels.size() / channels;
    for (std::size_t c = 0; c < channels; ++c) // [H, W, C] -> [C, H, W]
        for (std::size_t p = 0; p < plane; ++p) planes[c * plane + p] = image.pixels[p * channels + c];
    return {};
}

// Of several bad images the first is named, however many threads read.
Result<Split> readImages(const Listing& listing, const Geometry& geometry) {
    const auto count = static_cast<std::int64_t>(listing.files.size());
    Split split{torch::empty({count, geometry.channels, geometry.height, geometry.width}, torch::kUInt8),
                torch::tensor(listing.targets, torch::kInt64)};
    std::uint8_t* pixels = split.inputs.data_ptr<std::uint8_t>();
    std::mutex mutex;
    std::optional<std::pair<std::int64_t, Error>> first;
    at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            auto read = readInto(listing.files[static_cast<std::size_t>(i)], geometry, pixels + i * geometry.bytes());
            if (read) continue;
            const std::lock_guard lock(mutex);
            if (!first || i < first->first) first.emplace(i, std::move(read).error());
            return;
        }
    });
    if (first) return first->second;
    return split;
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
                               .unit = "pixels",
                               .help = "Images are resized to this."};
    };
    spec::Entry entry;
    entry.name = "images";
    entry.title = "Image folder";
    entry.help = "PNG and JPEG images of your own, a folder for each class.";
    entry.params = {
        {.name = "folder",
         .title = "Folder",
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = "Folder with a folder for each class, or with such folders train and val, and perhaps test."},
        side("width", "Width"),
        side("height", "Height"),
        {.name = "colour",
         .title = "Colour",
         .type = ParamType::Option,
         .defaultValue = std::string("rgb"),
         .options = {"rgb", "grey"},
         .help = "Three channels or one; images are converted."},
        {.name = "fit",
         .title = "Fit",
         .type = ParamType::Option,
         .defaultValue = std::string("crop"),
         .options = {"crop", "stretch"},
         .help = "How an image of another shape is made to fit: cut or stretched."},
        validationInfo(20.0, 0.0, "Share of the images kept for validation, when there is no folder val."),
        testInfo()};
    return entry;
}

// The first of the names that is a folder inside.
fs::path folderNamed(const fs::path& folder, std::initializer_list<const char*> names) {
    std::error_code ignored;
    for (const char* name : names)
        if (fs::is_directory(folder / name, ignored)) return folder / name;
    return {};
}

struct Parts {
    Listing train, validation, test;
};

Result<Parts> listParts(const fs::path& folder) {
    const fs::path train = folderNamed(folder, {"train"}),
                   validation = folderNamed(folder, {"val", "validation", "valid"}),
                   test = folderNamed(folder, {"test"});
    Parts parts;
    const bool divided = !train.empty() && (!validation.empty() || !test.empty());
    TY_ASSIGN(parts.train, listFolder(divided ? train : folder));
    const auto alsoList = [&](const fs::path& part, Listing& listing) -> Result<void> {
        if (part.empty()) return {};
        TY_ASSIGN(listing, listFolder(part));
        if (listing.classes != parts.train.classes)
            return inputError("has other classes than " + shown(train), shown(part), "give both the same folders");
        return {};
    };
    if (divided) TY_TRY(alsoList(validation, parts.validation));
    if (divided) TY_TRY(alsoList(test, parts.test));
    return parts;
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t seed, train::TaskKind) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const fs::path folder = arguments.text("folder");
    if (folder.empty()) return missingPath("folder", "set it to a folder with a folder for each class");
    const Geometry geometry{static_cast<int>(arguments.integer("width")), static_cast<int>(arguments.integer("height")),
                            arguments.text("colour") == "grey" ? 1 : 3, arguments.text("fit") == "crop"};
    TY_ASSIGN(const Parts parts, listParts(folder));
    const std::size_t files = parts.train.files.size() + parts.validation.files.size() + parts.test.files.size();
    TY_TRY(checkMemoryFor(2.0 * static_cast<double>(files) * static_cast<double>(geometry.bytes()), "dataset images"));
    Dataset dataset;
    TY_ASSIGN(Split train, readImages(parts.train, geometry));
    if (!parts.validation.files.empty()) {
        dataset.train = std::move(train);
        TY_ASSIGN(dataset.validation, readImages(parts.validation, geometry));
    } else {
        const double test = parts.test.files.empty() ? arguments.number("test") : 0.0;
        TY_TRY(splitOff(dataset, train, {arguments.number("validation"), test}, seed));
    }
    if (!parts.test.files.empty()) { TY_ASSIGN(dataset.test, readImages(parts.test, geometry)); }
    measureImages(dataset);
    dataset.sampleShape = {geometry.channels, geometry.height, geometry.width};
    dataset.classes = static_cast<std::int64_t>(parts.train.classes.size());
    dataset.classNames = parts.train.classes;
    dataset.source = folder.string();
    return dataset;
}

} // namespace

bool hasImageName(const fs::path& file) {
    std::string end = file.extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return end == ".png" || end == ".jpg" || end == ".jpeg";
}

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
        const bool clutter = isClutter(at->path().filename().string());
        if (clutter) at.disable_recursion_pending();
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
