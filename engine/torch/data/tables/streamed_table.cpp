// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/tables/streamed_table.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/amounts.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/kept/kept_table.h"
#include "engine/torch/data/kept/mapped_tensor.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/data/table_features.h"
#include "engine/torch/data/tables/table_converter.h"
#include "engine/torch/data/tables/validation_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::data {

using formats::Table;
using nlohmann::json;

namespace {

constexpr std::int64_t kMedianRows = std::int64_t{1} << 17;    // that a median is taken of at most
constexpr std::int64_t kNumbersAtOnce = std::int64_t{1} << 23; // in memory, while moments are summed
constexpr std::int64_t kMostInMemory = 4'000'000'000;          // bytes of rows; more are read in blocks
constexpr double kBytesOfByte =
    4; // of memory for each byte of a file: a cell takes two at least, and eight as a number

// The targets of rows as gather() takes them: classes int64, labels float32, numbers float64.
class RowTargets {
public:
    RowTargets(const ConvertedTable& table, train::TaskKind task)
        : m_table(table), m_task(task), m_columns(table.rows->shape().targets) {}

    std::vector<std::int64_t> shape(std::int64_t rows) const {
        if (m_task == train::TaskKind::Classification) return {rows};
        return {rows, m_columns};
    }
    torch::ScalarType type() const {
        return m_task == train::TaskKind::Classification ? torch::kInt64
               : m_task == train::TaskKind::MultiLabel   ? torch::kFloat32
                                                         : torch::kFloat64;
    }
    std::int64_t classOf(std::int64_t row) const {
        const auto label = static_cast<std::int64_t>(m_table.rows->target(row, 0));
        return m_table.placeOfLabel.empty() ? label : m_table.placeOfLabel.at(label);
    }
    void write(std::int64_t row, std::int64_t place, torch::Tensor& to) const {
        if (m_task == train::TaskKind::Classification) {
            to.data_ptr<std::int64_t>()[place] = classOf(row);
            return;
        }
        for (std::int64_t c = 0; c < m_columns; ++c) {
            const double value = m_table.rows->target(row, c);
            if (m_task == train::TaskKind::MultiLabel)
                to.data_ptr<float>()[place * m_columns + c] = static_cast<float>(value);
            else to.data_ptr<double>()[place * m_columns + c] = value;
        }
    }

private:
    const ConvertedTable& m_table;
    train::TaskKind m_task;
    std::int64_t m_columns;
};

// Which part a row falls into, without a list of the rows.
class RowDivision {
public:
    // `counts` of the classes that are dealt each for themselves, or of all rows.
    RowDivision(const std::vector<std::int64_t>& counts, const Shares& shares, std::int64_t seed) : m_shares(shares) {
        std::int64_t all = 0;
        for (const std::int64_t count : counts) all += count;
        const auto held = heldOut(all, shares);
        std::vector<std::int64_t> left = counts;
        for (std::int64_t& count : left) count = std::max<std::int64_t>(0, count - 1);
        m_test = quotas(counts, left, held.test);
        for (std::size_t c = 0; c < left.size(); ++c) left[c] -= m_test[c];
        m_validation = quotas(counts, left, held.validation);
        for (std::size_t c = 0; c < counts.size(); ++c)
            m_places.emplace_back(std::max<std::int64_t>(1, counts[c]), static_cast<std::uint64_t>(seed),
                                  0x726F7773 + c); // streams of their own: "rows"
    }
    // 0: training, 1: validation, 2: the test; of the k-th row of its class.
    std::size_t partOf(std::size_t ofClass, std::int64_t k) const {
        const std::int64_t place = m_places[ofClass].at(k);
        if (place < m_test[ofClass]) return 2;
        if (m_shares.folds > 0) return (place - m_test[ofClass]) % m_shares.folds == m_shares.fold ? 1 : 0;
        return place < m_test[ofClass] + m_validation[ofClass] ? 1 : 0;
    }

private:
    const Shares& m_shares;
    std::vector<std::int64_t> m_test, m_validation;
    std::vector<KeyedPermutation> m_places;
};

// Whether the parts of a table are in the order of its file, and read in blocks of neighbours. It follows from the data
// alone, so that a run resumes anywhere with the same order.
bool inFileOrder(const ConvertedTable& table) {
    const std::int64_t n = table.rows->count();
    const bool large = n > kShuffledInMemory || n * table.rows->sampleBytes() > kMostInMemory;
    return large && !table.roles.group;
}

// Parts of more rows than a list is kept of: their rows and targets are in files that go with this process.
Result<void> divideLarge(Dataset& dataset, const ConvertedTable& table, const Shares& shares, std::int64_t seed) {
    const RowTargets targets(table, dataset.task);
    const std::int64_t n = table.rows->count();
    TY_TRY(checkShares(n, shares));
    const bool byClass = shares.byClass && dataset.task == train::TaskKind::Classification;
    const auto classOf = [&](std::int64_t row) {
        return byClass ? static_cast<std::size_t>(targets.classOf(row)) : std::size_t{0};
    };
    std::vector<std::int64_t> counts(byClass ? table.classNames.size() : 1);
    for (std::int64_t row = 0; row < n; ++row) ++counts[classOf(row)];
    const RowDivision division(counts, shares, seed);
    std::array<std::int64_t, 3> sizes{};
    const auto each = [&](const auto& take) {
        std::vector<std::int64_t> seen(counts.size());
        for (std::int64_t row = 0; row < n; ++row) {
            const std::size_t of = classOf(row);
            take(row, division.partOf(of, seen[of]++));
        }
    };
    each([&](std::int64_t, std::size_t part) { ++sizes[part]; });
    const std::array parts{&dataset.train, &dataset.validation, &dataset.test};
    std::array<std::int64_t, 3> at{};
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (sizes[p] == 0) continue;
        TY_ASSIGN(torch::Tensor rows, mappedTensor({sizes[p]}, torch::kInt64));
        TY_ASSIGN(torch::Tensor own, mappedTensor(targets.shape(sizes[p]), targets.type()));
        *parts[p] = {{}, std::move(own), table.rows, std::move(rows)};
    }
    each([&](std::int64_t row, std::size_t part) {
        const std::int64_t place = at[part]++;
        parts[part]->rows.data_ptr<std::int64_t>()[place] = row;
        targets.write(row, place, parts[part]->targets);
    });
    return {};
}

Result<void> divide(Dataset& dataset, const ConvertedTable& table, Shares shares, std::int64_t seed) {
    const std::int64_t n = table.rows->count();
    const bool grouped = table.roles.group.has_value();
    if (inFileOrder(table)) return divideLarge(dataset, table, shares, seed);
    const RowTargets targets(table, dataset.task);
    Split all{{}, torch::empty(targets.shape(n), targets.type()), table.rows, torch::arange(n, torch::kInt64)};
    for (std::int64_t row = 0; row < n; ++row) targets.write(row, row, all.targets);
    for (std::int64_t row = 0; row < n && grouped; ++row) shares.groups.push_back(table.rows->group(row));
    return splitOff(dataset, all, shares, seed);
}

// Reads rows of a part, some at a time.
class PartReader {
public:
    PartReader(const KeptTable& table, const Split& part)
        : m_table(table), m_part(part), m_row(static_cast<std::size_t>(table.sampleBytes())) {}

    Result<const std::byte*> row(std::int64_t i) {
        TY_TRY(m_table.read(m_part.rows.data_ptr<std::int64_t>()[i], nullptr, m_row.data()));
        return reinterpret_cast<const std::byte*>(m_row.data());
    }

private:
    const KeptTable& m_table;
    const Split& m_part;
    std::vector<std::uint8_t> m_row;
};

// As fillIn() of a table in memory, but of some training rows where there are many.
Result<void> fillGaps(Dataset& dataset, const ConvertedTable& table) {
    auto& features = dataset.table.features;
    const auto most =
        std::clamp<std::int64_t>(kNumbersAtOnce / static_cast<std::int64_t>(features.size()), 1024, kMedianRows);
    const std::int64_t n = dataset.train.size(), count = std::min(n, most);
    torch::Tensor numbers = torch::empty({static_cast<std::int64_t>(features.size()), count}, torch::kFloat64);
    PartReader reader(*table.rows, dataset.train);
    for (std::int64_t i = 0; i < count; ++i) {
        TY_ASSIGN(const std::byte* const row, reader.row(i * n / count));
        for (std::size_t f = 0; f < features.size(); ++f)
            if (!features[f].isWords)
                numbers.data_ptr<double>()[static_cast<std::int64_t>(f) * count + i] =
                    table.rows->rows()->numberOf(row, f);
    }
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (features[f].isWords) continue;
        features[f].fill = medianOf(numbers[static_cast<std::int64_t>(f)]);
        if (!features[f].fill)
            return inputError("no training row has a value in the column " + quotedName(features[f].name),
                              table.columns.file, "leave the column out (dataset.params.ignore)")
                .withCode(ErrorCode::FieldInvalid);
    }
    return {};
}

// Mean and deviation of columns, row by row.
class RunningMoments {
public:
    void add(const double* row, std::size_t width) {
        if (m_first.empty()) {
            m_first.assign(row, row + width);
            m_least = m_most = m_first;
            m_sum.resize(width);
            m_squares.resize(width);
        }
        ++m_count;
        for (std::size_t k = 0; k < width; ++k) {
            const double above = row[k] - m_first[k]; // sums of numbers far from 0 would be rounded
            m_sum[k] += above;
            m_squares[k] += above * above;
            m_least[k] = std::min(m_least[k], row[k]);
            m_most[k] = std::max(m_most[k], row[k]);
        }
    }
    Moments moments() const {
        Moments all;
        for (std::size_t k = 0; k < m_first.size(); ++k) {
            const double mean = m_sum[k] / m_count,
                         deviation = std::sqrt(std::max(0.0, m_squares[k] / m_count - mean * mean));
            const bool constant = m_least[k] == m_most[k] || deviation <= 0;
            all.mean.push_back(constant ? m_least[k] : m_first[k] + mean);
            all.stddev.push_back(constant ? 1 : deviation);
        }
        return all;
    }
    std::vector<NumberRange> ranges() const {
        std::vector<NumberRange> ranges;
        for (std::size_t k = 0; k < m_first.size(); ++k)
            ranges.push_back({std::max(std::abs(m_least[k]), std::abs(m_most[k])), m_least[k] == m_most[k]});
        return ranges;
    }

private:
    double m_count = 0;
    std::vector<double> m_first, m_sum, m_squares, m_least, m_most;
};

// What follows from the training rows.
struct TableScale {
    std::vector<double> fills; // of the features; NaN of words
    Moments features, targets;
};

// Of rows that are read one after another. Where they are not standardised only that they keep their digits matters.
Result<void> measureRows(const Dataset& dataset, const ConvertedTable& table, bool standardises, TableScale& scale) {
    const torch::Tensor& targets = dataset.train.targets;
    const std::int64_t n = dataset.train.size(), width = table.rows->rows()->width();
    const bool regression = dataset.task == train::TaskKind::Regression;
    std::vector<double> features(static_cast<std::size_t>(width));
    PartReader reader(*table.rows, dataset.train);
    RunningMoments ofFeatures, ofTargets;
    const bool small = n * width <= kNumbersAtOnce; // then with the bits of a table in memory
    const torch::Tensor all = small ? torch::empty({n, width}, torch::kFloat64) : torch::Tensor();
    for (std::int64_t i = 0; i < n; ++i) {
        TY_ASSIGN(const std::byte* const row, reader.row(i));
        double* const to = small ? all.data_ptr<double>() + i * width : features.data();
        table.rows->rows()->features(row, scale.fills, to);
        ofFeatures.add(to, features.size());
        if (regression)
            ofTargets.add(targets.data_ptr<double>() + i * targets.size(1), static_cast<std::size_t>(targets.size(1)));
    }
    if (!standardises) {
        TY_TRY(checkDigits(ofFeatures.moments(), ofFeatures.ranges(), dataset.featureNames, table.columns.file));
        if (!regression) return {};
        return checkDigits(ofTargets.moments(), ofTargets.ranges(), dataset.classNames, table.columns.file);
    }
    scale.features = small ? momentsOf(all) : ofFeatures.moments();
    if (regression) scale.targets = small ? momentsOf(targets) : ofTargets.moments();
    return {};
}

// It is written beside the table, so that no other rank and no replacement reads all rows once more.
class ScaleFile {
public:
    ScaleFile(const ConvertedTable& table, const std::string& settings)
        : m_path(table.rows->file().parent_path() /
                 (table.rows->file().stem().string() + "." +
                  sha256Hex(std::as_bytes(std::span(settings.data(), settings.size()))).substr(0, 16) + ".scale")) {}

    std::optional<TableScale> read(const Dataset& dataset) const {
        const auto text = readFile(m_path);
        if (!text || text->size() < kSumWidth || text->substr(0, kSumWidth) != sumOf(text->substr(kSumWidth)))
            return {};
        const json found = parseJson(text->substr(kSumWidth));
        TableScale scale;
        for (const json& fill : found["fills"])
            scale.fills.push_back(fill.is_null() ? std::numeric_limits<double>::quiet_NaN() : fill.get<double>());
        const auto listOf = [&](const char* name) { return found[name].get<std::vector<double>>(); };
        scale.features = {listOf("mean"), listOf("stddev")};
        scale.targets = {listOf("targetMean"), listOf("targetStddev")};
        if (scale.fills.size() != dataset.table.features.size()) return {};
        return scale;
    }
    void write(const TableScale& scale) const {
        json fills = json::array();
        for (const double fill : scale.fills) fills.push_back(std::isnan(fill) ? json() : json(fill));
        const std::string text = jsonText(json{{"fills", fills},
                                               {"mean", scale.features.mean},
                                               {"stddev", scale.features.stddev},
                                               {"targetMean", scale.targets.mean},
                                               {"targetStddev", scale.targets.stddev}});
        (void)writeFileAtomic(m_path, sumOf(text) + text, Outlives::Process); // else the next process measures again
    }

private:
    static constexpr std::size_t kSumWidth = 64;
    static std::string sumOf(const std::string& text) {
        return sha256Hex(std::as_bytes(std::span(text.data(), text.size())));
    }

    std::filesystem::path m_path;
};

Result<TableScale> scaleOf(Dataset& dataset, const ConvertedTable& table, const train::Arguments& arguments,
                           const Shares& shares, std::int64_t seed) {
    const bool standardises = arguments.flag("standardise"), fills = arguments.text("missing") == "fill";
    const ScaleFile file(table, std::to_string(seed) + " " + spec::toText(shares.validation) + " " +
                                    spec::toText(shares.test) + " " + std::to_string(shares.folds) + " " +
                                    std::to_string(shares.fold) + (shares.byClass ? " class" : " random") +
                                    (standardises ? " standardise" : "") + (fills ? " fill" : ""));
    if (auto known = file.read(dataset)) return std::move(*known);
    TableScale scale;
    if (fills) TY_TRY(fillGaps(dataset, table));
    for (const auto& feature : dataset.table.features)
        scale.fills.push_back(feature.fill.value_or(std::numeric_limits<double>::quiet_NaN()));
    TY_TRY(measureRows(dataset, table, standardises, scale));
    file.write(scale);
    return scale;
}

void useScale(Dataset& dataset, const TableScale& scale) {
    for (std::size_t f = 0; f < scale.fills.size(); ++f)
        if (!std::isnan(scale.fills[f])) dataset.table.features[f].fill = scale.fills[f];
    dataset.mean = scale.features.mean;
    dataset.stddev = scale.features.stddev;
    dataset.targetMean = scale.targets.mean;
    dataset.targetStddev = scale.targets.stddev;
}

} // namespace

bool streamsTable(const std::filesystem::path& file, const spec::DataRules& rules) {
    if (rules.loading != "auto") return rules.loading == "stream";
    std::error_code ignored;
    const auto bytes = kBytesOfByte * static_cast<double>(std::filesystem::file_size(file, ignored));
    if (ignored || bytes < 64e6) return false;
    const train::RanksOfHost ranks = train::ranksOfHost();
    const double free = ranks.leastOfRun > 0 ? ranks.leastOfRun : train::availableMemory();
    return bytes * ranks.count > free;
}

Result<Dataset> loadStreamedTable(const train::Arguments& arguments, std::int64_t seed, train::TaskKind task,
                                  const spec::DataRules& rules) {
    const std::string another = arguments.text("validationFile");
    if (!another.empty() && !arguments.text("groupColumn").empty())
        return inputError("cannot be compared with the groups of a table that is streamed", another,
                          "set dataset.params.groupColumn to \"\" or data.loading to \"memory\"");
    TY_ASSIGN(const Shares shares, sharesOfTable(arguments, rules));
    const TableSource source{arguments.text("file"), arguments, task};
    TY_ASSIGN(const ConvertedTable table, converted(source));
    Dataset dataset;
    dataset.task = task;
    dataset.streams = true;
    dataset.inBlocks = inFileOrder(table);
    dataset.table = table.layout;
    dataset.classNames = table.classNames;
    dataset.classes = static_cast<std::int64_t>(dataset.classNames.size());
    if (source.classes() && dataset.classes < 2)
        return inputError("every row has the same class, \"" + dataset.classNames.front() + "\"", source.file,
                          "choose another target");
    dataset.featureNames = featureNames(dataset.table);
    dataset.sampleShape = {table.rows->rows()->width()};
    TY_TRY(divide(dataset, table, shares, seed));
    TY_ASSIGN(const TableScale scale, scaleOf(dataset, table, arguments, shares, seed));
    useScale(dataset, scale);
    dataset.notes = table.notes;
    if (std::string note = missingNote(table.columns, table.roles, dataset.table, table.rows->count()); !note.empty())
        dataset.notes.push_back(std::move(note));
    dataset.digest = table.content;
    if (!another.empty()) {
        TY_ASSIGN(dataset.digest, digestOfTables(source.file, another));
        TY_ASSIGN(dataset.validation, readValidationTable(another, arguments, table.columns, table.roles, dataset));
        dataset.validation.inputs = standardised(dataset.validation.inputs, dataset.mean, dataset.stddev);
    }
    dataset.notes.push_back(std::to_string(table.rows->count()) + " rows are read from " + table.rows->file().string() +
                            ", " + bytesText(table.rows->count() * table.rows->sampleBytes()));
    dataset.rowsLeftOut = table.columns.leftOut;
    dataset.source = source.file;
    return dataset;
}

} // namespace trainyard::data
