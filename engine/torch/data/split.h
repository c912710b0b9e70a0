// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

class KeptPictures;

// Shares of all samples, in percent.
struct Shares {
    double validation = 0, test = 0;
    bool byClass = false; // each class gets its share in every part, where it has one (Split::targets are classes)
    // Of so many equal parts, all but the test, the validation is the one with the number `fold`, from 0; 0: by its
    // share. Each sample is in the validation of exactly one fold.
    std::int64_t folds = 0, fold = 0;
    std::vector<std::int64_t> groups{}; // of each sample, from 0: all of a group fall into one part; empty: no groups
};

// Of each sample the number of its group, in the order in which the names first come.
std::vector<std::int64_t> groupNumbers(const std::vector<std::string>& names);

// Rule: how many samples of a class go to which part.
// `total` samples are divided among the classes in proportion to `counts` by largest remainders, but no class gives
// more than `left` can spare. The sum is less than `total` if too few are left.
std::vector<std::int64_t> quotas(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& left,
                                 std::int64_t total);

// How many of n samples are held out.
struct HeldOut {
    std::int64_t validation = 0, test = 0;
};
HeldOut heldOut(std::int64_t n, const Shares& shares);
// Input: of n samples nothing would be left to train on, or the folds are none.
Result<void> checkShares(std::int64_t n, const Shares& shares);

// Deals `all` into training, validation and test samples at random, by `seed`: at least one for each share above 0. By
// class, every class keeps a training sample; where there are too few samples for that, the classes do not count.
// Groups are dealt whole, the largest first, each to the part that lacks most of its share, by class of its classes.
// Input when that leaves nothing to train on.
Result<void> splitOff(Dataset& dataset, const Split& all, const Shares& shares, std::int64_t seed);

// For a set with a test part of its own: without a share for validation the test part is what is validated on, else it
// stays for the test.
Result<void> useTestPart(Dataset& dataset, Split train, Split test, double validationPercent, std::int64_t seed);

// Keeps the first `limit` samples; 0: all. The parameter "limit" of a set of images.
void limitTo(Split& split, std::int64_t limit);
spec::ParamInfo limitInfo();

// The parameters "validation" and "test" of a dataset, and their values.
spec::ParamInfo validationInfo(double defaultValue, double least, const char* help);
spec::ParamInfo testInfo();
// "folds" and "fold".
spec::ParamInfo foldsInfo();
spec::ParamInfo foldInfo();
// "placement", of data of one's own: run::placementOf().
spec::ParamInfo placementInfo();
// "validation" of a set that is published with a test part.
spec::ParamInfo officialValidationInfo();

// Mean and standard deviation of the training images' bytes, per channel, in [0, 1]. The images are a tensor.
void measureImages(Dataset& dataset);
// The parameter "normalise" of a set of images: measured, imagenet, weights.
spec::ParamInfo normaliseInfo();
// Sets mean and deviation as the parameter says: measures them, or takes those of ImageNet, with which nearly all
// published weights were trained. With "weights" the trainer replaces them where a file of weights has its own.
void normaliseImages(Dataset& dataset, const std::string& how, std::int64_t channels);

// The same of a streamed or kept set, by those training samples that are in `kept`: its picture k is the source's
// picture numbers[k]. Input: none of them is.
Result<void> measurePictures(Dataset& dataset, const KeptPictures& kept, const std::vector<std::int64_t>& numbers);

// Adds to the notes which classes have no sample to train on, or none to validate on.
void noteMissingClasses(Dataset& dataset);

// "\"cat\", \"dog\" and 12 more"
std::string shownNames(const std::vector<std::string>& names, std::size_t most = 10);

// "dataset.params.file: is missing (...)" for an empty path.
Error missingPath(const char* param, const char* remedy);

// How a text becomes samples.
struct WindowOptions {
    std::int64_t length = 128; // tokens of a sample
    std::int64_t stride = 0;   // from the beginning of one to that of the next; 0: length
    Shares shares;             // of the text; validation is taken from its end, the test from the very end
};

// Sets the splits of a language dataset to views of `tokens` (int64 [n]): inputs [N, length], and as targets the token
// that follows each. Parts do not overlap. Input when a part is shorter than one sample.
Result<void> windowsOf(Dataset& dataset, const torch::Tensor& tokens, const WindowOptions& options);

} // namespace trainyard::data
