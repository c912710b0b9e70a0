// SPDX-License-Identifier: GPL-3.0-or-later
// A dataset as two tensors, or as targets and a source of pictures; a batch is one pass over its samples.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/base/served_tasks.h"
#include "engine/torch/base/table_layout.h"
#include "engine/torch/base/token_layout.h"
#include "engine/torch/data/pictures/sample_source.h"

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::data {

// One part of a dataset, raw: images uint8 [N, C, H, W], features float32 [N, F], or tokens [N, T] (int64, or int32
// from a text; views of it, which may overlap). Images may come from a source instead: then `inputs` is undefined.
struct Split {
    torch::Tensor inputs;
    // int64 [N], each in [0, classes); float32 or float64 [N, columns]; or tokens [N, T]: see TaskKind
    torch::Tensor targets;
    std::shared_ptr<const SampleSource> source{};
    torch::Tensor rows{}; // with a source: int64 [N] on the CPU, which of its samples are those of this part

    std::int64_t size() const { return targets.defined() ? targets.size(0) : 0; }
    // What a sample's bytes are, as the source gives them.
    std::vector<std::int64_t> bytesShape(const std::vector<std::int64_t>& sampleShape) const;
    bool isStreamed() const { return source && !source->isResident(); } // a sample is decoded when it is wanted
    torch::Device device() const { return targets.defined() ? targets.device() : torch::kCPU; }
    // Bytes of all inputs and targets, in memory or not.
    std::int64_t bytes() const;
    // Sample i as it is: uint8 [C, H, W], float32 [F] or int64 [T], but not of a table that is streamed (gather());
    // `shape` is Dataset::sampleShape. Throws train::Raised when a source cannot read it.
    torch::Tensor sample(std::int64_t i, const std::vector<std::int64_t>& shape) const;
    // The samples at `indices` (int64, on the CPU) as a part of their own; the first n as a view.
    Split select(const torch::Tensor& indices) const;
    Split first(std::int64_t n) const;
    // Inputs of all samples as one tensor, as `inputs` holds them, but not of rows; reads every one. Throws as sample()
    // does.
    torch::Tensor allInputs(const std::vector<std::int64_t>& shape) const;
};

// A file that could not be read, and why.
struct UnreadableFile {
    std::string file, why;
};

// A dataset.
struct Dataset {
    // Samples are pictures: bytes that gather() normalises.
    bool ofPictures() const;
    // Each sample is a file of its own, streamed or kept.
    bool ofFiles() const { return streams || oneCopyAHost; }

    train::TaskKind task = train::TaskKind::Classification;
    Split train, validation, test;         // the last may be empty
    std::vector<std::int64_t> sampleShape; // [C, H, W], [F] or [T]
    std::int64_t classes = 0;              // what a model puts out: classes, columns of targets, or tokens known
    std::vector<std::string> classNames;   // `classes` of them: of classes, of columns, or the tokens as text
    // Of images: per channel, of bytes in [0, 1]; gather() applies them. Of features: what each was standardised
    // with, already applied; empty when they are as they were.
    std::vector<double> mean, stddev;
    std::vector<std::string> featureNames;        // of a table's features, in order; else empty
    train::TableLayout table;                     // how its rows became features; without any when it is no table
    train::TokenLayout tokens;                    // how a text became tokens
    std::vector<double> targetMean, targetStddev; // per column of regression; gather() divides them out; empty: raw
    std::string source;                           // where it came from: a file, a folder, or "generated"
    std::string digest;                           // of what was read there; empty: generated
    std::vector<std::string> notes;               // for people, a sentence each: what was left out, filled, assumed
    std::vector<UnreadableFile> leftOut;          // by spec::DataRules
    std::int64_t rowsLeftOut = 0;                 // of a table, since a cell is missing
    bool streams = false;                         // a run decodes its samples batch by batch
    bool inBlocks = false;                        // data.order auto: neighbours are read together
    bool oneCopyAHost = false;                    // the processes of a host share its samples; else each has its own
    // What gather() computes with on a device, put there by moveTo(): to copy it for each batch would wait for the
    // device each time. Float32, [1, C, 1, 1] of images, and float64, [columns] of targets; undefined where there is
    // none.
    struct OnDevice {
        torch::Tensor mean, stddev, targetMean, targetStddev;
    } onDevice;
};

// What a model is given: inputs float32 [B, ...sampleShape] normalised (tokens int64 [B, T]), targets of TaskKind.
struct Batch {
    torch::Tensor inputs, targets;
};

// Loads or generates the dataset that the run file names. `seed` decides generated samples and the validation split,
// so every rank that asks with the same arguments holds the same data. Kinds: Input (unknown name, a set that does not
// serve the task, bad file: names file, offset and remedy; DataUnreadable where the rules could leave it out),
// Environment (files that cannot be read, not enough memory). Blocks; any thread.
Result<Dataset> loadDataset(const spec::Choice& choice, std::int64_t seed,
                            train::TaskKind task = train::TaskKind::Classification, const spec::DataRules& rules = {});

// The same for a preview: everything but the samples themselves and what they alone tell, of which only some are read.
Result<Dataset> glanceAtDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                                const spec::DataRules& rules);

// The samples at `indices` (int64 [B], on the split's device, where moveTo() has brought the dataset if that is not the
// CPU), normalised: (x / 255 - mean) / stddev for images, as they are for features. The result lies on the split's
// device. Throws c10::Error on an index out of range, and as Split::sample() does; streamed samples are decoded here
// and now (loader/batch_loader.h decodes ahead).
Batch gather(const Dataset& dataset, const Split& split, const torch::Tensor& indices);

// The batch of samples that are decoded already: bytes uint8 [B, C, H, W], or those of rows, on the CPU, with the
// targets at `indices`. Normalised and on the split's device, as gather() gives it.
Batch batchOf(const Dataset& dataset, const Split& split, const torch::Tensor& bytes, const torch::Tensor& indices);

// Brings all splits to the device, once, so that gather() works there; images of a small dataset are normalised on the
// way; of streamed ones the targets go alone. On the CPU nothing changes.
void moveTo(Dataset& dataset, const torch::Device& device);

// The table behind loadDataset: one row per dataset.
struct DatasetEntry {
    spec::Entry info; // parameters, facts and whether its files are there (cheap: headers only)
    Result<Dataset> (*load)(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                            const spec::DataRules& rules);
    std::vector<train::TaskKind> tasks = {train::TaskKind::Classification};
    // Its files are installed as they are and parsing them costs time: the pool keeps it in memory between runs.
    bool worthCaching = false;
    bool streams = false; // it can: spec::DataRules::loading
    // As load(), but for a preview, where load() reads much; null: load().
    Result<Dataset> (*glance)(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                              const spec::DataRules& rules) = nullptr;
};
std::vector<DatasetEntry> datasetEntries();
// One of them; it looks for the files of this one alone. Input: there is none of that name.
Result<DatasetEntry> datasetEntry(const std::string& name);

// The folders in which the files of a named dataset are looked for, best first: the one chosen in the run file, else
// where `trainyardctl datasets download` puts them, then where Debian's packages do.
std::vector<std::filesystem::path> datasetFolders(const std::string& name, const std::string& chosen);

// Whether each process of a host needs memory for itself, or all share one copy.
enum class Copies { OnePerProcess, OnePerHost };

// Environment with OutOfMemory when `bytes`, which a dataset is about to need, are more than the ranks of this host can
// still get together (train::RanksOfHost): free memory of the computer, what is left of the control groups' limits, and
// of the address space limit. Before anything is reserved, since Linux grants what it does not have and kills later.
// `what` is named as the place: "dataset images".
Result<void> checkMemoryFor(double bytes, const std::string& what, Copies copies = Copies::OnePerProcess);

} // namespace trainyard::data
