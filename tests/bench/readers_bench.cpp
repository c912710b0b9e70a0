// SPDX-License-Identifier: GPL-3.0-or-later
// How fast files are read, in MB a second of processor time, in interleaved pairs with Python's usual readers
// (peers/readers.py, as far as Debian's packages are installed): a CSV beside pandas, also by the clock, byte-level BPE
// beside SentencePiece and plain Python, the weights of a ResNet-50 beside torch.load.
//   readers_bench [PAIRS] [ROWS] [TEXT MB] [WEIGHTS.pth]
// No rows, no text and "none" leave a part out. Without a file of weights the peer writes one of random numbers with
// the names and shapes of torchvision's ResNet-50.
#include "engine/base/files/atomic_file.h"
#include "engine/formats/table.h"
#include "engine/formats/tokens/encode.h"
#include "engine/program/checkpoints/tensor_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <time.h>
#include <vector>

using namespace trainyard;
namespace fs = std::filesystem;

namespace {

constexpr int kColumns = 21, kVocabulary = 4096;

template <class T>
T orEnd(Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::exit(1);
}

double processorTime() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double clockTime() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double secondsOf(const std::function<void()>& what) {
    const double from = processorTime();
    what();
    return processorTime() - from;
}

// What the peer prints, of processor time and by the clock; 0: it cannot.
struct PeerTime {
    double processor = 0, clock = 0;
};
PeerTime timeOfPeer(const std::string& words) {
    const std::string command = "/usr/bin/python3 " BENCH_FOLDER "/peers/readers.py " + words + " 2>/dev/null";
    std::FILE* const out = ::popen(command.c_str(), "r");
    PeerTime time;
    if (out && std::fscanf(out, "%lf %lf", &time.processor, &time.clock) < 1) time = {};
    return out && ::pclose(out) == 0 ? time : PeerTime();
}
double peerSeconds(const std::string& words) { return timeOfPeer(words).processor; }

struct Pairs {
    std::vector<double> ours, peer, ratios;
    void add(double mine, double theirs) {
        ours.push_back(mine);
        if (theirs <= 0) return;
        peer.push_back(theirs);
        ratios.push_back(theirs / mine);
    }
    static double middle(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }
    void print(const char* what, const char* peerName, double megabytes) const {
        std::printf("%-34s %8.1f MB/s", what, megabytes / middle(ours));
        if (ratios.empty()) std::printf("   %s is not installed\n", peerName);
        else
            std::printf("   %s %.1f MB/s; ratio %.2f (%.2f to %.2f)\n", peerName, megabytes / middle(peer),
                        middle(ratios), *std::min_element(ratios.begin(), ratios.end()),
                        *std::max_element(ratios.begin(), ratios.end()));
    }
};

double megabytesOf(const fs::path& file) { return static_cast<double>(fs::file_size(file)) / 1e6; }

void writeTable(const fs::path& file, int rows) {
    std::mt19937 draws(1);
    std::normal_distribution<double> normal;
    std::string text;
    for (int c = 0; c < kColumns; ++c) text += "c" + std::to_string(c) + ",";
    text += "kind\n";
    for (int row = 0; row < rows; ++row) {
        char cell[32];
        for (int c = 0; c < kColumns; ++c)
            text.append(cell, static_cast<std::size_t>(std::snprintf(cell, sizeof cell, "%.6f,", normal(draws))));
        text += draws() % 2 ? "up\n" : "down\n";
    }
    if (!writeFileAtomic(file, text, Outlives::Process)) std::abort();
}

// The sources of this program, over and over.
void writeText(const fs::path& file, std::size_t bytes) {
    std::string text;
    std::vector<fs::path> sources;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(BENCH_FOLDER).parent_path().parent_path() / "engine"))
        if (entry.path().extension() == ".md" || entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
            sources.push_back(entry.path());
    std::sort(sources.begin(), sources.end());
    for (std::size_t i = 0; text.size() < bytes && !sources.empty(); ++i)
        text += orEnd(readFile(sources[i % sources.size()]));
    if (!writeFileAtomic(file, text, Outlives::Process)) std::abort();
}

void compareTables(const fs::path& folder, int pairs, int rows) {
    const fs::path file = folder / "table.csv";
    writeTable(file, rows);
    Pairs whole, wholeByClock, pieces, piecesByClock;
    const auto compare = [](Pairs& ofProcessor, Pairs& byClock, const PeerTime& peer, const auto& read) {
        const double from = clockTime();
        ofProcessor.add(secondsOf(read), peer.processor);
        byClock.add(clockTime() - from, peer.clock);
    };
    for (int pair = 0; pair < pairs; ++pair) {
        const PeerTime peer = timeOfPeer("csv " + file.string());
        compare(whole, wholeByClock, peer, [&] { orEnd(formats::readTable(file)); });
        compare(pieces, piecesByClock, peer, [&] {
            const auto outline = orEnd(formats::outlineTable(file, {}));
            const auto drop = [](const formats::Table&) -> Result<void> { return {}; };
            if (!formats::eachPiece(file, {}, outline, 65536, drop)) std::abort();
        });
    }
    whole.print("CSV", "pandas", megabytesOf(file));
    wholeByClock.print("CSV, by the clock", "pandas", megabytesOf(file));
    pieces.print("CSV, twice, in bounded memory", "pandas", megabytesOf(file));
    piecesByClock.print("the same by the clock", "pandas", megabytesOf(file));
}

void compareTokens(const fs::path& folder, int pairs, std::size_t megabytes) {
    const fs::path file = folder / "text.txt", model = folder / "pieces";
    writeText(file, megabytes << 20);
    const auto documents = orEnd(formats::oneDocumentFile(file));
    Pairs training, encoding, plain;
    for (int pair = 0; pair < pairs; ++pair) {
        formats::BpeTable table;
        const double learned = secondsOf([&] { table = orEnd(formats::trainBpe(documents, "text", kVocabulary)); });
        training.add(learned, peerSeconds("train " + file.string() + " " + model.string()));
        const auto bpe = orEnd(formats::Bpe::make(table));
        const double encoded = secondsOf([&] { orEnd(formats::encodeDocuments(documents, "text", false, bpe, 1)); });
        encoding.add(encoded, peerSeconds("encode " + file.string() + " " + model.string()));
        std::string merges;
        for (const formats::Merge& merge : table.merges)
            merges += table.names[static_cast<std::size_t>(merge.left)] + " " +
                      table.names[static_cast<std::size_t>(merge.right)] + "\n";
        if (!writeFileAtomic(folder / "merges.txt", merges, Outlives::Process)) std::abort();
        plain.add(encoded, peerSeconds("plain " + file.string() + " " + (folder / "merges.txt").string()));
    }
    training.print("BPE, 4,096 tokens learned", "SentencePiece", megabytesOf(file));
    encoding.print("BPE, one thread encodes", "SentencePiece", megabytesOf(file));
    plain.print("BPE, one thread encodes", "plain Python", megabytesOf(file));
}

void compareWeights(const fs::path& folder, int pairs, fs::path file) {
    if (file.empty()) {
        file = folder / "resnet50.pth";
        if (peerSeconds("write " + file.string()) <= 0) {
            std::printf("python3-torch is not installed: no weights\n");
            return;
        }
    }
    Pairs opened, read;
    for (int pair = 0; pair < pairs; ++pair) {
        const double peer = peerSeconds("load " + file.string());
        opened.add(secondsOf([&] { orEnd(program::TensorFile::open(file)); }), peer);
        std::vector<std::byte> bytes;
        read.add(secondsOf([&] {
                     const auto tensors = orEnd(program::TensorFile::open(file));
                     for (std::size_t i = 0; i < tensors.tensors().size(); ++i) {
                         bytes.resize(tensors.tensors()[i].bytes);
                         if (!tensors.read(i, bytes)) std::abort();
                     }
                 }),
                 peer);
    }
    opened.print("weights of a ResNet-50, mapped", "torch.load", megabytesOf(file));
    read.print("the same, every value copied", "torch.load", megabytesOf(file));
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 5, rows = argc > 2 ? std::atoi(argv[2]) : 200'000;
    const auto megabytes = static_cast<std::size_t>(argc > 3 ? std::atoi(argv[3]) : 8);
    const fs::path folder = fs::temp_directory_path() / ("readers-bench-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string weights = argc > 4 ? argv[4] : "";
    if (rows > 0) compareTables(folder, pairs, rows);
    if (megabytes > 0) compareTokens(folder, pairs, megabytes);
    if (weights != "none") compareWeights(folder, pairs, weights);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return 0;
}
