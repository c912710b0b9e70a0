// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/split.h"

#include "engine/base/text/printable.h"
#include "engine/torch/data/pictures/kept_pictures.h"
#include "engine/torch/data/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace trainyard::data {

namespace {

std::int64_t countOf(std::int64_t n, double percent) {
    if (percent <= 0) return 0;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(n) * percent / 100.0));
}

bool haveClasses(const torch::Tensor& targets) {
    return targets.dim() == 1 && targets.scalar_type() == torch::kInt64 && targets.size(0) > 0;
}

std::vector<std::int64_t> countsOf(const torch::Tensor& targets, std::int64_t classes = 0) {
    const torch::Tensor counts = torch::bincount(targets, {}, classes);
    return {counts.data_ptr<std::int64_t>(), counts.data_ptr<std::int64_t>() + counts.numel()};
}

std::int64_t sumOf(const std::vector<std::int64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

// Brings the order so that its first samples are those of the first part, with as many of each class as `parts` says,
// and so on; within a part and in what is left over, the order stays.
void dealByClass(std::vector<std::int64_t>& order, const std::int64_t* classes,
                 std::vector<std::vector<std::int64_t>> parts) {
    std::vector<std::vector<std::int64_t>> dealt(parts.size() + 1);
    for (const std::int64_t sample : order) {
        const auto of = static_cast<std::size_t>(classes[sample]);
        std::size_t part = 0;
        while (part < parts.size() && parts[part][of] == 0) ++part;
        if (part < parts.size()) --parts[part][of];
        dealt[part].push_back(sample);
    }
    order.clear();
    for (const auto& part : dealt) order.insert(order.end(), part.begin(), part.end());
}

// False: there are too few samples to leave every class one.
bool divideByClass(std::vector<std::int64_t>& order, const Split& all, std::int64_t validation, std::int64_t test) {
    const torch::Tensor targets = all.targets.contiguous();
    const auto counts = countsOf(targets);
    std::vector<std::int64_t> left = counts;
    for (std::int64_t& count : left) count = std::max<std::int64_t>(0, count - 1);
    const auto first = quotas(counts, left, validation);
    for (std::size_t c = 0; c < left.size(); ++c) left[c] -= first[c];
    const auto second = quotas(counts, left, test);
    if (sumOf(first) < validation || sumOf(second) < test) return false;
    dealByClass(order, targets.data_ptr<std::int64_t>(), {first, second});
    return true;
}

Result<Split> part(const torch::Tensor& tokens, std::int64_t begin, std::int64_t end, const WindowOptions& options,
                   const char* what) {
    const std::int64_t stride = options.stride > 0 ? options.stride : options.length;
    const std::int64_t room = end - begin - 1 - options.length; // the last token is only a target
    if (room < 0)
        return inputError("the text's part for " + std::string(what) + " has " + std::to_string(end - begin) +
                              " tokens, and a sample takes " + std::to_string(options.length + 1),
                          "dataset.params.sequenceLength", "use a longer text, shorter samples or another share");
    const std::int64_t count = room / stride + 1;
    return Split{tokens.as_strided({count, options.length}, {stride, 1}, begin),
                 tokens.as_strided({count, options.length}, {stride, 1}, begin + 1)};
}

} // namespace

std::vector<std::int64_t> quotas(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& left,
                                 std::int64_t total) {
    std::vector<std::int64_t> quota(counts.size());
    const double all = static_cast<double>(std::max<std::int64_t>(1, sumOf(counts)));
    const auto wanted = [&](std::size_t c) {
        return static_cast<double>(total) * static_cast<double>(counts[c]) / all;
    };
    for (std::size_t c = 0; c < counts.size(); ++c)
        quota[c] = std::min(left[c], static_cast<std::int64_t>(std::floor(wanted(c))));
    const auto missing = [&](std::size_t c) { return wanted(c) - static_cast<double>(quota[c]); };
    for (std::int64_t rest = total - sumOf(quota); rest > 0; --rest) {
        std::optional<std::size_t> next;
        for (std::size_t c = 0; c < counts.size(); ++c)
            if (quota[c] < left[c] && (!next || missing(c) > missing(*next))) next = c;
        if (!next) break;
        ++quota[*next];
    }
    return quota;
}

namespace {

// The same order in which the samples of a fold come first. By class, each class is dealt to the folds in turn.
void dealFold(std::vector<std::int64_t>& order, std::size_t begin, const Shares& shares, const std::int64_t* classes) {
    std::vector<std::int64_t> dealt(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end());
    if (classes)
        std::stable_sort(dealt.begin(), dealt.end(),
                         [&](std::int64_t a, std::int64_t b) { return classes[a] < classes[b]; });
    std::vector<bool> isOf(order.size());
    for (std::size_t i = static_cast<std::size_t>(shares.fold); i < dealt.size();
         i += static_cast<std::size_t>(shares.folds))
        isOf[static_cast<std::size_t>(dealt[i])] = true;
    std::stable_partition(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
                          [&](std::int64_t sample) { return isOf[static_cast<std::size_t>(sample)]; });
}

Result<void> checkFolds(const Shares& shares, std::int64_t samples) {
    if (shares.folds == 1)
        return inputError("is 1, and a fold is one part of several", "dataset.params.folds", "use 5, or 0 for none");
    if (shares.fold < 0 || shares.fold >= shares.folds)
        return inputError("is " + std::to_string(shares.fold) + " of " + std::to_string(shares.folds) + " folds",
                          "dataset.params.fold", "use 0 to " + std::to_string(shares.folds - 1));
    if (shares.folds <= samples) return {};
    return inputError(std::to_string(samples) + " samples are too few for " + std::to_string(shares.folds) + " folds",
                      "dataset.params.folds", "use fewer folds, or more samples");
}

// Validation and training samples of a fold, after the test samples.
Result<void> splitFold(Dataset& dataset, const Split& all, std::vector<std::int64_t> order, std::int64_t test,
                       const Shares& shares) {
    const std::int64_t n = all.size();
    const bool byClass = shares.byClass && haveClasses(all.targets);
    if (byClass) divideByClass(order, all, 0, test);
    const torch::Tensor targets = byClass ? all.targets.contiguous() : torch::Tensor();
    dealFold(order, static_cast<std::size_t>(test), shares, byClass ? targets.data_ptr<std::int64_t>() : nullptr);
    const std::int64_t validation = (n - test - shares.fold - 1) / shares.folds + 1;
    const torch::Tensor deal = torch::tensor(order, torch::kInt64);
    if (test > 0) dataset.test = all.select(deal.narrow(0, 0, test));
    dataset.validation = all.select(deal.narrow(0, test, validation));
    dataset.train = all.select(deal.narrow(0, test + validation, n - test - validation));
    return {};
}

// The samples of a group, counted by class.
struct SampleGroup {
    std::int64_t size = 0;
    std::vector<std::pair<std::size_t, double>> classes; // and how many of the group's samples are of it
};

std::vector<SampleGroup> groupsOf(const std::vector<std::int64_t>& numbers, const std::int64_t* classes) {
    std::vector<std::pair<std::int64_t, std::size_t>> pairs; // group and class of each sample
    for (std::size_t i = 0; i < numbers.size(); ++i)
        pairs.emplace_back(numbers[i], classes ? static_cast<std::size_t>(classes[i]) : 0);
    std::sort(pairs.begin(), pairs.end());
    std::vector<SampleGroup> groups;
    for (const auto& [number, of] : pairs) {
        if (groups.size() <= static_cast<std::size_t>(number)) groups.resize(static_cast<std::size_t>(number) + 1);
        SampleGroup& group = groups[static_cast<std::size_t>(number)];
        ++group.size;
        if (group.classes.empty() || group.classes.back().first != of) group.classes.emplace_back(of, 0);
        ++group.classes.back().second;
    }
    return groups;
}

// Which part each group falls into: the one that lacks most of what the group has, as `wanted` samples of each part
// are dealt evenly over the classes. The groups come in their order.
std::vector<std::size_t> partsOfGroups(const std::vector<SampleGroup>& groups, const std::vector<std::size_t>& order,
                                       const std::vector<double>& wanted) {
    std::vector<double> counts; // of the classes
    double all = 0;
    for (const SampleGroup& group : groups)
        for (const auto& [of, count] : group.classes) {
            counts.resize(std::max(counts.size(), of + 1));
            counts[of] += count;
            all += count;
        }
    std::vector<std::vector<double>> has(wanted.size(), std::vector<double>(counts.size()));
    std::vector<std::size_t> parts(groups.size());
    for (const std::size_t g : order) {
        std::size_t best = 0;
        double most = -1;
        for (std::size_t p = 0; p < wanted.size(); ++p) {
            double lacks = 0;
            for (const auto& [of, count] : groups[g].classes)
                lacks += count * (wanted[p] / all - has[p][of] / counts[of]);
            if (lacks > most && wanted[p] > 0) best = p, most = lacks;
        }
        for (const auto& [of, count] : groups[g].classes) has[best][of] += count;
        parts[g] = best;
    }
    return parts;
}

// A part that no group fell into gets the smallest one of the part with most groups.
void fillEmptyParts(const std::vector<SampleGroup>& groups, const std::vector<std::size_t>& order,
                    const std::vector<double>& wanted, std::vector<std::size_t>& parts) {
    for (std::size_t empty = 0; empty < wanted.size(); ++empty) {
        std::vector<std::size_t> counts(wanted.size());
        for (const std::size_t part : parts) ++counts[part];
        if (wanted[empty] <= 0 || counts[empty] > 0) continue;
        const auto from = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
        std::size_t smallest = groups.size();
        for (const std::size_t g : order) // the largest first
            if (parts[g] == from && (smallest == groups.size() || groups[g].size <= groups[smallest].size))
                smallest = g;
        parts[smallest] = empty;
    }
}

// The samples of whole groups, each part in the order of `order`.
Result<void> splitGroups(Dataset& dataset, const Split& all, const std::vector<std::int64_t>& order,
                         std::pair<std::int64_t, std::int64_t> validationAndTest, const Shares& shares,
                         Random& random) {
    const auto [validation, test] = validationAndTest;
    const auto n = static_cast<double>(all.size());
    std::vector<double> wanted{static_cast<double>(test)}; // the test, then the folds, or validation and training
    if (shares.folds > 0)
        wanted.resize(static_cast<std::size_t>(shares.folds) + 1, (n - wanted[0]) / static_cast<double>(shares.folds));
    else wanted.insert(wanted.end(), {static_cast<double>(validation), n - static_cast<double>(validation + test)});
    const bool byClass = shares.byClass && haveClasses(all.targets);
    const torch::Tensor targets = byClass ? all.targets.contiguous() : torch::Tensor();
    const auto groups = groupsOf(shares.groups, byClass ? targets.data_ptr<std::int64_t>() : nullptr);
    const auto least = std::count_if(wanted.begin(), wanted.end(), [](double share) { return share > 0; });
    if (static_cast<std::ptrdiff_t>(groups.size()) < least)
        return inputError("makes " + std::to_string(groups.size()) + (groups.size() == 1 ? " group" : " groups") +
                              " of the samples, and there are " + std::to_string(least) + " parts",
                          "dataset.params.groupColumn",
                          shares.folds > 0 ? "use fewer folds, or another column"
                                           : "use another column, or set it to \"\"");
    std::vector<std::size_t> turn(groups.size());
    std::iota(turn.begin(), turn.end(), 0);
    for (std::size_t i = turn.size() - 1; i > 0; --i) std::swap(turn[i], turn[random.below(i + 1)]);
    std::stable_sort(turn.begin(), turn.end(),
                     [&](std::size_t a, std::size_t b) { return groups[a].size > groups[b].size; });
    auto parts = partsOfGroups(groups, turn, wanted);
    fillEmptyParts(groups, turn, wanted, parts);
    const std::size_t held = 1 + static_cast<std::size_t>(shares.folds > 0 ? shares.fold : 0);
    const auto samplesOf = [&](const auto& isOf) {
        std::vector<std::int64_t> samples;
        for (const std::int64_t sample : order)
            if (isOf(parts[static_cast<std::size_t>(shares.groups[static_cast<std::size_t>(sample)])]))
                samples.push_back(sample);
        return all.select(torch::tensor(samples, torch::kInt64));
    };
    if (test > 0) dataset.test = samplesOf([](std::size_t part) { return part == 0; });
    dataset.validation = samplesOf([&](std::size_t part) { return part == held; });
    dataset.train = samplesOf([&](std::size_t part) { return part != 0 && part != held; });
    return {};
}

} // namespace

std::vector<std::int64_t> groupNumbers(const std::vector<std::string>& names) {
    std::unordered_map<std::string_view, std::int64_t> numbers;
    std::vector<std::int64_t> groups;
    groups.reserve(names.size());
    for (const std::string& name : names)
        groups.push_back(numbers.emplace(name, static_cast<std::int64_t>(numbers.size())).first->second);
    return groups;
}

HeldOut heldOut(std::int64_t n, const Shares& shares) {
    return {shares.folds > 0 ? 0 : countOf(n, shares.validation), countOf(n, shares.test)};
}

Result<void> checkShares(std::int64_t n, const Shares& shares) {
    const auto [validation, test] = heldOut(n, shares);
    if (validation + test >= n)
        return inputError(std::to_string(n) + " samples are too few to keep " + spec::toText(shares.validation) +
                              "% of them for validation" +
                              (test > 0 ? " and " + spec::toText(shares.test) + "% for the test" : ""),
                          "dataset.params.validation", "use more samples");
    return shares.folds > 0 ? checkFolds(shares, n - test) : Result<void>();
}

Result<void> splitOff(Dataset& dataset, const Split& all, const Shares& shares, std::int64_t seed) {
    const std::int64_t n = all.size();
    TY_TRY(checkShares(n, shares));
    const auto [validation, test] = heldOut(n, shares);
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    Random random(static_cast<std::uint64_t>(seed), 0x73706C6974); // its own stream: "split"
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    if (!shares.groups.empty()) return splitGroups(dataset, all, order, {validation, test}, shares, random);
    if (shares.folds > 0) return splitFold(dataset, all, std::move(order), test, shares);
    if (shares.byClass && haveClasses(all.targets)) divideByClass(order, all, validation, test);
    const torch::Tensor deal = torch::tensor(order, torch::kInt64);
    dataset.validation = all.select(deal.narrow(0, 0, validation));
    if (test > 0) dataset.test = all.select(deal.narrow(0, validation, test));
    dataset.train = all.select(deal.narrow(0, validation + test, n - validation - test));
    return {};
}

Result<void> useTestPart(Dataset& dataset, Split train, Split test, double validationPercent, std::int64_t seed) {
    if (validationPercent > 0) {
        TY_TRY(splitOff(dataset, train, {.validation = validationPercent}, seed));
        dataset.test = std::move(test);
        return {};
    }
    dataset.train = std::move(train);
    dataset.validation = std::move(test);
    return {};
}

void limitTo(Split& split, std::int64_t limit) {
    if (limit <= 0 || limit >= split.size()) return;
    split = split.select(torch::arange(limit, torch::kInt64));
}

spec::ParamInfo validationInfo(double defaultValue, double least, const char* help) {
    return {.name = "validation",
            .title = Engine::tr("Validation share"),
            .defaultValue = defaultValue,
            .min = least,
            .max = 90.0,
            .unit = Engine::tr("%"),
            .help = help};
}

spec::ParamInfo officialValidationInfo() {
    return validationInfo(10.0, 0.0,
                          Engine::tr("Share of the training images kept for validation; the official test images are "
                                     "measured once, at the end. 0: validates on the test images."));
}

spec::ParamInfo limitInfo() {
    return {.name = "limit",
            .title = Engine::tr("Training images"),
            .type = spec::ParamType::Integer,
            .defaultValue = std::int64_t{0},
            .min = 0.0,
            .unit = Engine::tr("0: all"),
            .help = Engine::tr("Use only this many training images, for a quick try; 0: all.")};
}

spec::ParamInfo testInfo() {
    return {.name = "test",
            .title = Engine::tr("Test share"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 90.0,
            .unit = Engine::tr("%"),
            .help = Engine::tr("Share of the samples held out for a test after training.")};
}

spec::ParamInfo foldsInfo() {
    return {.name = "folds",
            .title = Engine::tr("Folds"),
            .type = spec::ParamType::Integer,
            .defaultValue = std::int64_t{0},
            .min = 0.0,
            .max = 100.0,
            .unit = Engine::tr("0: none"),
            .help =
                Engine::tr("Divides the samples into this many equal parts, of which one is for validation, instead "
                           "of a share; a sweep over the fold is a cross-validation.")};
}

spec::ParamInfo foldInfo() {
    return {.name = "fold",
            .title = Engine::tr("Fold"),
            .type = spec::ParamType::Integer,
            .defaultValue = std::int64_t{0},
            .min = 0.0,
            .max = 99.0,
            .help = Engine::tr("Which of the folds is for validation, from 0.")};
}

spec::ParamInfo placementInfo() {
    return {.name = "placement",
            .title = Engine::tr("Placement"),
            .type = spec::ParamType::Option,
            .defaultValue = std::string("auto"),
            .options = {"auto", "shared", "copy"},
            .help = Engine::tr("On other hosts: data at the same path with the same content, else a copy; what is at "
                               "the same path, with names and sizes compared; always a copy.")};
}

void measureImages(Dataset& dataset) {
    dataset.mean.clear();
    dataset.stddev.clear();
    const torch::Tensor value = torch::arange(256, torch::kFloat64) / 255.0;
    for (std::int64_t c = 0; c < dataset.train.inputs.size(1); ++c) {
        torch::Tensor histogram = torch::zeros({256}, torch::kFloat64);
        for (const torch::Tensor& some : dataset.train.inputs.select(1, c).split(4096)) // int64 copies stay small
            histogram += torch::bincount(some.flatten().to(torch::kInt64), {}, 256).to(torch::kFloat64);
        const double count = histogram.sum().item<double>();
        const double mean = (histogram * value).sum().item<double>() / count;
        const double square = (histogram * value * value).sum().item<double>() / count;
        dataset.mean.push_back(mean);
        dataset.stddev.push_back(std::sqrt(std::max(square - mean * mean, 1e-12)));
    }
}

Result<void> measurePictures(Dataset& dataset, const KeptPictures& kept, const std::vector<std::int64_t>& numbers) {
    const std::int64_t* row = dataset.train.rows.data_ptr<std::int64_t>();
    const std::unordered_set<std::int64_t> training(row, row + dataset.train.size());
    PackEntry all; // whole numbers: no order of the pictures changes the sums
    std::int64_t pictures = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const PackEntry& one = kept.entry(static_cast<std::int64_t>(k));
        if (one.state == PackedAs::Unreadable || !training.contains(numbers[k])) continue;
        ++pictures;
        for (std::size_t c = 0; c < one.sum.size(); ++c) {
            all.sum[c] += one.sum[c];
            all.squares[c] += one.squares[c];
        }
    }
    if (pictures == 0)
        return inputError("none of the images that were tried can be read", "dataset images",
                          "remove what is no image, or replace it");
    dataset.mean.clear();
    dataset.stddev.clear();
    const auto channels = dataset.sampleShape.front();
    const double count = static_cast<double>(pictures) * static_cast<double>(kept.sampleBytes() / channels);
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
        const double mean = static_cast<double>(all.sum[c]) / count / 255.0;
        const double square = static_cast<double>(all.squares[c]) / count / (255.0 * 255.0);
        dataset.mean.push_back(mean);
        dataset.stddev.push_back(std::sqrt(std::max(square - mean * mean, 1e-12)));
    }
    return {};
}

spec::ParamInfo normaliseInfo() {
    return {.name = "normalise",
            .title = Engine::tr("Normalisation"),
            .type = spec::ParamType::Option,
            .defaultValue = std::string("measured"),
            .options = {"measured", "imagenet", "weights"},
            .help = Engine::tr("Mean and deviation of the channels: measured on the training images, ImageNet's, or "
                               "those of the weights the model begins with.")};
}

void normaliseImages(Dataset& dataset, const std::string& how, std::int64_t channels) {
    if (how == "measured") return;
    dataset.mean = {0.485, 0.456, 0.406};
    dataset.stddev = {0.229, 0.224, 0.225};
    if (channels == 3) return;
    dataset.mean.assign(static_cast<std::size_t>(channels), 0.449); // of the three together
    dataset.stddev.assign(static_cast<std::size_t>(channels), 0.226);
}

void noteMissingClasses(Dataset& dataset) {
    if (dataset.task != train::TaskKind::Classification || dataset.train.size() == 0) return;
    const auto missingIn = [&](const Split& split) {
        const auto counts = countsOf(split.targets, dataset.classes);
        std::vector<std::string> names;
        for (std::size_t c = 0; c < dataset.classNames.size() && c < counts.size(); ++c)
            if (counts[c] == 0) names.push_back(dataset.classNames[c]);
        return names;
    };
    const auto note = [&](const std::vector<std::string>& names, const char* what) {
        if (names.empty()) return;
        const char* of = names.size() == 1 ? "the class " : "the classes ";
        dataset.notes.push_back("no " + std::string(what) + " sample is of " + of + shownNames(names));
    };
    note(missingIn(dataset.train), "training");
    if (dataset.validation.size() > 0) note(missingIn(dataset.validation), "validation");
}

std::string shownNames(const std::vector<std::string>& names, std::size_t most) {
    const std::size_t shown = names.size() > most + 1 ? most : names.size(); // never "and 1 more"
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == names.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + ('"' + printable(names[i], 60) + '"');
    }
    return names.size() > shown ? text + " and " + std::to_string(names.size() - shown) + " more" : text;
}

Error missingPath(const char* param, const char* remedy) {
    return inputError("is missing", std::string("dataset.params.") + param, remedy);
}

Result<void> windowsOf(Dataset& dataset, const torch::Tensor& tokens, const WindowOptions& options) {
    const std::int64_t n = tokens.size(0);
    const auto share = [&](double percent) {
        return static_cast<std::int64_t>(static_cast<double>(n) * percent / 100.0);
    };
    const std::int64_t testFrom = n - share(options.shares.test);
    const std::int64_t validationFrom = testFrom - share(options.shares.validation);
    TY_ASSIGN(dataset.train, part(tokens, 0, std::max<std::int64_t>(0, validationFrom), options, "training"));
    if (options.shares.validation > 0) {
        TY_ASSIGN(dataset.validation, part(tokens, validationFrom, testFrom, options, "validation"));
    }
    if (options.shares.test > 0) { TY_ASSIGN(dataset.test, part(tokens, testFrom, n, options, "the test")); }
    dataset.sampleShape = {options.length};
    return {};
}

} // namespace trainyard::data
