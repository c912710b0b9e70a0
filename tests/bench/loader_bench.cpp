// SPDX-License-Identifier: GPL-3.0-or-later
// Images per second of processor time, from JPEG files to normalised batches, in interleaved pairs with torchvision's
// DataLoader (peers/loader.py, where python3-torchvision is installed): random resized crops of 224 x 224. And the same
// images from a pack: by the clock, and once more when the disk has to read the bytes again (names stay known). Last
// the order of 10^9 samples, gone on with in the middle of an epoch.
//   loader_bench [PAIRS] [IMAGES] [FOLDER]
// Without a folder the images are made here: 500 x 400 pixels, about 70 kB each.
#include "engine/formats/folders/pack_writer.h"
#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/data/pictures/picture_files.h"
#include "engine/torch/data/sampler.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <jpeglib.h>
#include <random>
#include <string>
#include <vector>

using namespace trainyard;
namespace fs = std::filesystem;

namespace {

constexpr int kSide = 224, kBatch = 64, kWide = 500, kHigh = 400;

// Smooth areas with some noise, as photographs have.
void writeJpeg(const fs::path& file, std::mt19937& draws) {
    std::vector<unsigned char> pixels(std::size_t{kWide} * kHigh * 3);
    std::array<double, 6> waves{};
    for (double& wave : waves) wave = 0.005 + 0.03 * static_cast<double>(draws() % 1000) / 1000;
    for (int y = 0; y < kHigh; ++y)
        for (int x = 0; x < kWide; ++x)
            for (std::size_t c = 0; c < 3; ++c) {
                const double level = 128 + 90 * std::sin(waves[c] * x) * std::cos(waves[c + 3] * y);
                pixels[(static_cast<std::size_t>(y) * kWide + static_cast<std::size_t>(x)) * 3 + c] =
                    static_cast<unsigned char>(std::clamp(level + static_cast<double>(draws() % 25) - 12, 0.0, 255.0));
            }
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    if (!out) std::abort();
    jpeg_compress_struct state{};
    jpeg_error_mgr errors{};
    state.err = jpeg_std_error(&errors);
    jpeg_create_compress(&state);
    jpeg_stdio_dest(&state, out);
    state.image_width = kWide;
    state.image_height = kHigh;
    state.input_components = 3;
    state.in_color_space = JCS_RGB;
    jpeg_set_defaults(&state);
    jpeg_set_quality(&state, 90, TRUE);
    jpeg_start_compress(&state, TRUE);
    while (state.next_scanline < state.image_height) {
        JSAMPROW row = pixels.data() + std::size_t{state.next_scanline} * kWide * 3;
        jpeg_write_scanlines(&state, &row, 1);
    }
    jpeg_finish_compress(&state);
    jpeg_destroy_compress(&state);
    std::fclose(out);
}

double processorSeconds(int who) {
    rusage usage{};
    ::getrusage(who, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Milliseconds an image.
struct Cost {
    double processor = 0, clock = 0;
};
Cost ours(const data::PictureList& files) {
    const auto count = static_cast<std::int64_t>(files->size());
    data::Dataset set;
    set.sampleShape = {3, kSide, kSide};
    set.mean = {0.485, 0.456, 0.406};
    set.stddev = {0.229, 0.224, 0.225};
    set.train = {{},
                 torch::zeros({count}, torch::kInt64),
                 std::make_shared<data::PictureFiles>(files, data::PictureForm{kSide, kSide, 3, true}),
                 torch::arange(count, torch::kInt64)};
    const double before = processorSeconds(RUSAGE_SELF);
    const auto begin = std::chrono::steady_clock::now();
    data::BatchLoader loader(set.train, set.sampleShape, {.threads = 2, .leastCut = 0.08, .seed = 1});
    const auto requestAt = [&](std::int64_t from) -> std::optional<data::BatchRequest> {
        if (from >= count) return {};
        return data::BatchRequest{torch::arange(from, std::min(count, from + kBatch), torch::kInt64), 0};
    };
    for (std::int64_t at = 0; at < count; at += kBatch) {
        const auto batch = loader.take(*requestAt(at), [&](int k) { return requestAt(at + k * kBatch); }, {});
        if (!batch) {
            std::fprintf(stderr, "%s\n", batch.error().text().c_str());
            std::exit(1);
        }
        (void)data::batchOf(set, set.train, batch->bytes, batch->indices);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {1e3 * (processorSeconds(RUSAGE_SELF) - before) / static_cast<double>(count),
            1e3 * seconds / static_cast<double>(count)};
}

// What the disk has to read again.
void forget(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        ::fdatasync(file);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        ::close(file);
    }
}

// A pack of these files, and their names in it.
std::shared_ptr<formats::FileNames> packed(const std::vector<fs::path>& files, const fs::path& folder,
                                           const fs::path& out) {
    formats::PackOrder order{.folder = folder, .out = out};
    formats::FileNames names;
    for (const fs::path& file : files) names.add(file);
    const auto facts = formats::factsOf(names);
    auto inPack = std::make_shared<formats::FileNames>();
    for (std::size_t i = 0; i < files.size(); ++i) {
        order.files.push_back({files[i].lexically_relative(folder).string(), "data", facts[i]});
        inPack->add(out / order.files.back().path);
    }
    if (const auto made = formats::writePack(order); !made) {
        std::fprintf(stderr, "%s\n", made.error().text().c_str());
        std::exit(1);
    }
    return inPack;
}

// The same of the peer, less what starting it costs; 0: it is not installed.
double theirs(const fs::path& folder, std::size_t images) {
    const auto run = [&](const std::string& words) {
        const double before = processorSeconds(RUSAGE_CHILDREN);
        const std::string command = "/usr/bin/python3 " BENCH_FOLDER "/peers/loader.py " + words;
        return std::system(command.c_str()) == 0 ? processorSeconds(RUSAGE_CHILDREN) - before : 0.0;
    };
    const double whole = run("folder='" + folder.string() + "'"),
                 start = run("folder='" + folder.string() + "' most=0");
    return whole > 0 && start > 0 ? 1e3 * (whole - start) / static_cast<double>(images) : 0;
}

// Milliseconds from nothing to the first batch of an epoch that is gone on with in its middle.
double resumedOrder(bool blocks) {
    constexpr std::int64_t kSamples = 1'000'000'000;
    const auto begin = std::chrono::steady_clock::now();
    data::ShardedSampler sampler({.samples = kSamples, .batchPerRank = kBatch, .seed = 1, .blocks = blocks});
    sampler.setEpoch(3);
    if (sampler.indices(kSamples / kBatch / 2).size(0) != kBatch) std::abort();
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 5, images = argc > 2 ? std::atoi(argv[2]) : 600;
    torch::set_num_threads(1);
    fs::path folder = argc > 3 ? argv[3] : "", made;
    if (folder.empty()) {
        folder = made = fs::temp_directory_path() / ("loader-bench-" + std::to_string(::getpid()));
        fs::create_directories(folder / "a");
        std::mt19937 draws(1);
        for (int i = 0; i < images; ++i) writeJpeg(folder / "a" / (std::to_string(i) + ".jpg"), draws);
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    const auto files = std::make_shared<formats::FileNames>();
    for (const fs::path& file : found) files->add(file);
    const fs::path pack = fs::temp_directory_path() / ("loader-bench-pack-" + std::to_string(::getpid()));
    const auto inPack = packed(found, folder, pack);
    std::vector<double> mine, peer, ratios;
    std::array<std::vector<double>, 6> clocks; // warm and cold of files and pack; processor of the pack; its ratio
    for (int pair = 0; pair < pairs; ++pair) {
        const Cost warm = ours(files), warmPack = ours(inPack);
        mine.push_back(warm.processor);
        clocks[0].push_back(warm.clock);
        clocks[1].push_back(warmPack.clock);
        clocks[4].push_back(warmPack.processor);
        forget(folder);
        clocks[2].push_back(ours(files).clock);
        forget(pack);
        clocks[3].push_back(ours(inPack).clock);
        clocks[5].push_back(clocks[2].back() / clocks[3].back());
        peer.push_back(theirs(folder, files->size()));
        if (peer.back() > 0) ratios.push_back(peer.back() / mine.back());
    }
    std::printf("%zu images, %d pairs: %.2f ms of processor time an image, %.0f images/s a core\n", files->size(),
                pairs, medianOf(mine), 1e3 / medianOf(mine));
    std::printf("from a pack: %.2f ms of processor time; by the clock, files and pack: %.2f and %.2f ms, read from the "
                "disk again %.2f and %.2f ms, ratio %.2f (%.2f to %.2f)\n",
                medianOf(clocks[4]), medianOf(clocks[0]), medianOf(clocks[1]), medianOf(clocks[2]), medianOf(clocks[3]),
                medianOf(clocks[5]), *std::min_element(clocks[5].begin(), clocks[5].end()),
                *std::max_element(clocks[5].begin(), clocks[5].end()));
    std::printf("order of 10^9 samples from the middle of an epoch: shuffled %.2f ms, in blocks %.2f ms\n",
                resumedOrder(false), resumedOrder(true));
    if (ratios.empty()) std::printf("python3-torchvision is not installed: no peer\n");
    else
        std::printf("torchvision, 2 workers: %.2f ms; ratio %.2f (%.2f to %.2f)\n", medianOf(peer), medianOf(ratios),
                    *std::min_element(ratios.begin(), ratios.end()), *std::max_element(ratios.begin(), ratios.end()));
    std::error_code ignored;
    fs::remove_all(pack, ignored);
    if (!made.empty()) fs::remove_all(made, ignored);
    return 0;
}
