// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/file_reader.h"
#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"
#include "engine/formats/record_reader.h"
#include "engine/formats/table.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/table_features.h"
#include "engine/torch/data/tables/streamed_table.h"
#include "engine/torch/data/tables/table_converter.h"
#include "engine/torch/data/tables/table_roles.h"
#include "engine/torch/data/tables/validation_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>

namespace trainyard::data {

using formats::Column;
using formats::Table;
using spec::ParamType;

namespace {

spec::Entry info() {
    const auto option = [](const char* name, const char* title, std::vector<std::string> options, const char* help) {
        return spec::ParamInfo{.name = name,
                               .title = title,
                               .type = ParamType::Option,
                               .defaultValue = options.front(),
                               .options = options,
                               .help = help};
    };
    const auto names = [](const char* name, const char* title, const char* help) {
        return spec::ParamInfo{
            .name = name, .title = title, .type = ParamType::Text, .defaultValue = std::string(), .help = help};
    };
    spec::Entry entry;
    entry.name = "csv";
    entry.title = Engine::tr("Table");
    entry.help = Engine::tr("A table of your own: one sample per row; one column is predicted from the others.");
    entry.params = {
        {.name = "file",
         .title = Engine::tr("File"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("The table: CSV, JSON lines or NumPy (.npy, .npz), in UTF-8, plain or gzip.")},
        names("target", Engine::tr("Target"),
              Engine::tr("The column to predict, by name or number (1: the first); for regression several, separated "
                         "by commas. Empty: the last.")),
        names("ignore", Engine::tr("Ignore"), Engine::tr("Columns to ignore, by name or number, separated by commas.")),
        option("header", Engine::tr("Header"), {"auto", "yes", "no"},
               Engine::tr("Whether the first line names the columns; auto: detected.")),
        option("separator", Engine::tr("Separator"), {"auto", "comma", "semicolon", "tab", "bar"},
               Engine::tr("The character between two cells.")),
        option("decimal", Engine::tr("Decimal mark"), {"auto", "point", "comma"},
               Engine::tr("Decimal separator; auto: detected from the columns.")),
        option("missing", Engine::tr("Missing cells"), {"fill", "drop", "refuse"},
               Engine::tr("Rows with empty cells: fill the cells with the median of the column's training rows or a "
                          "word of their own, drop the rows, or refuse the table. Rows without a target are dropped.")),
        option("dates", Engine::tr("Dates"), {"parts", "words"},
               Engine::tr("Columns of dates and times: year, month, day, weekday, hour and seconds, or words.")),
        option("words", Engine::tr("Words"), {"one-hot", "refuse"},
               Engine::tr("Columns of words: one feature of 0 and 1 for each word (at most 100), or refuse them.")),
        {.name = "classes",
         .title = Engine::tr("Classes"),
         .type = ParamType::Integer,
         .defaultValue = std::int64_t{0},
         .min = 0.0,
         .max = 1000.0,
         .unit = Engine::tr("0: from the file"),
         .help = Engine::tr("Number of classes, with labels from 0 to one less; 0: taken from the file.")},
        {.name = "standardise",
         .title = Engine::tr("Standardise"),
         .type = ParamType::Flag,
         .defaultValue = true,
         .help = Engine::tr("Scale each feature, and a regression target, to mean 0 and standard deviation 1 over the "
                            "training rows.")},
        validationInfo(20.0, 0.0, Engine::tr("Share of the rows kept for validation.")),
        {.name = "validationFile",
         .title = Engine::tr("Validation file"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("Another table with the same columns, whose rows are for validation, instead of a share.")},
        testInfo(),
        foldsInfo(),
        foldInfo(),
        names("groupColumn", Engine::tr("Group column"),
              Engine::tr("A column that says which rows belong together, such as a patient: all of them fall into one "
                         "part. It is not learned from. Empty: each row by itself.")),
        placementInfo()};
    entry.facts = {{"task", "classification or regression"}};
    return entry;
}

// Each feature as float64 columns of one tensor; a feature of words as one column for each word.
Result<torch::Tensor> featuresOf(const Table& table, const Roles& roles, bool oneHot, Dataset& dataset) {
    dataset.table = layoutOf(table, roles);
    TY_TRY(checkFeatures(table, roles, dataset.table, oneHot));
    dataset.featureNames = featureNames(dataset.table);
    const auto width = static_cast<double>(dataset.featureNames.size());
    TY_TRY(checkMemoryFor(24.0 * width * static_cast<double>(table.rows()), table.file));
    return encoded(table, roles.features, dataset.table, Gaps::Keep);
}

Result<torch::Tensor> numbersOf(const Table& table, const Roles& roles, Dataset& dataset) {
    std::vector<torch::Tensor> columns;
    for (const std::size_t i : roles.targets) {
        const Column& column = table.columns[i];
        if (column.isWords)
            return inputError("the target has words in it, and regression needs numbers", table.position(0, i),
                              "choose another target, or set task to classification");
        columns.push_back(torch::tensor(column.numbers, torch::kFloat64));
        dataset.classNames.push_back(column.name);
    }
    dataset.classes = static_cast<std::int64_t>(columns.size());
    return torch::stack(columns, 1);
}

Result<torch::Tensor> classesOf(const Table& table, std::size_t target, std::int64_t classes, Dataset& dataset) {
    const Column& column = table.columns[target];
    torch::Tensor labels;
    if (column.isWords) {
        dataset.classNames = column.vocabulary;
        labels = torch::tensor(std::vector<std::int64_t>(column.words.begin(), column.words.end()), torch::kInt64);
        TY_TRY(checkClassWords(column, classes));
    } else {
        NumberedClasses numbered(classes);
        TY_TRY(numbered.add(table, target));
        dataset.classNames = numbered.names();
        std::vector<std::int64_t> places;
        for (const double label : column.numbers) places.push_back(numbered.place(label));
        labels = torch::tensor(places, torch::kInt64);
    }
    dataset.classes = static_cast<std::int64_t>(dataset.classNames.size());
    if (dataset.classes < 2)
        return inputError("every row has the same class, \"" + printable(dataset.classNames.front(), 60) + "\"",
                          table.position(0, target), table.rows() == 1 ? "add rows" : "choose another target");
    return labels;
}

// Missing numbers become the median of the training rows, here and wherever the model is asked later.
Result<void> fillIn(Dataset& dataset, const Table& table, const Roles& roles) {
    std::int64_t at = 0;
    for (std::size_t f = 0; f < roles.features.size(); ++f) {
        auto& feature = dataset.table.features[f];
        const std::int64_t width = feature.width();
        if (!feature.isWords) {
            feature.fill = medianOf(dataset.train.inputs.select(1, at + width - 1)); // of dates the seconds
            if (!feature.fill)
                return inputError("no training row has a value in the column " + quotedName(feature.name),
                                  table.position(0, roles.features[f]), "leave the column out (dataset.params.ignore)")
                    .withCode(ErrorCode::FieldInvalid);
            std::vector<double> filled(static_cast<std::size_t>(width));
            writeNumber(feature, *feature.fill, filled.data());
            for (Split* split : {&dataset.train, &dataset.validation, &dataset.test})
                for (std::int64_t i = 0; i < width && split->size() > 0; ++i)
                    split->inputs.select(1, at + i).nan_to_num_(filled[static_cast<std::size_t>(i)]);
        }
        at += width;
    }
    return {};
}

Result<void> checkDigits(const torch::Tensor& numbers, const std::vector<std::string>& names, const Table& table) {
    const Moments moments = momentsOf(numbers);
    const torch::Tensor largest = numbers.abs().amax(0);
    std::vector<NumberRange> ranges;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i);
        ranges.push_back(
            {largest[column].item<double>(), (numbers.select(1, column) == moments.mean[i]).all().item<bool>()});
    }
    return checkDigits(moments, ranges, names, table.file);
}

void standardise(Dataset& dataset, bool regression) {
    const Moments features = momentsOf(dataset.train.inputs);
    dataset.mean = features.mean;
    dataset.stddev = features.stddev;
    if (!regression) return;
    const Moments targets = momentsOf(dataset.train.targets);
    dataset.targetMean = targets.mean;
    dataset.targetStddev = targets.stddev;
}

// Features as float32, standardised where that is asked for; targets stay in double until gather() has standardised
// them.
Result<void> settleNumbers(Dataset& dataset, bool standardises, bool regression, const Table& table) {
    if (standardises) {
        standardise(dataset, regression);
    } else {
        TY_TRY(checkDigits(dataset.train.inputs, dataset.featureNames, table));
        if (regression) TY_TRY(checkDigits(dataset.train.targets, dataset.classNames, table));
    }
    for (Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->size() > 0) split->inputs = standardised(split->inputs, dataset.mean, dataset.stddev);
    return {};
}

// A label is there or not.
Result<void> checkLabels(torch::Tensor& targets, const std::vector<std::string>& names, const std::string& file) {
    const torch::Tensor wrong = (targets != 0).logical_and(targets != 1).nonzero();
    if (wrong.size(0) > 0) {
        const auto row = wrong[0][0].item<std::int64_t>(), column = wrong[0][1].item<std::int64_t>();
        return inputError("a label is 1 or 0, and " + quotedName(names[static_cast<std::size_t>(column)]) + " holds " +
                              spec::toText(targets[row][column].item<double>()) + " in sample " +
                              std::to_string(row + 1),
                          file, "name columns of 1 and 0 in dataset.params.target, or set task to regression");
    }
    targets = targets.to(torch::kFloat32);
    return {};
}

// The table, of which only features and targets are read, and which columns they are.
Result<Table> readWithRoles(const std::string& file, const train::Arguments& arguments, train::TaskKind task,
                            Roles& roles) {
    TY_ASSIGN(Table table, formats::readTable(file, tableOptions(arguments, task, roles)));
    std::erase_if(roles.features, [&](std::size_t i) { return !table.columns[i].isRead; }); // without names
    if (roles.features.empty()) return noFeature(file);
    return table;
}

// Of each row the number of its group, in the order in which they first come.
std::vector<std::int64_t> groupsOfRows(const Column& column) {
    std::vector<std::int64_t> numbers(column.vocabulary.size(), -1), groups;
    std::int64_t next = 0;
    for (const std::int32_t word : column.words) {
        std::int64_t& number = numbers[static_cast<std::size_t>(word)];
        if (number < 0) number = next++;
        groups.push_back(number);
    }
    return groups;
}

Result<void> checkTableMemory(const std::string& file) {
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(file, ignored);
    if (ignored) return {};
    return checkMemoryFor(4.0 * static_cast<double>(bytes), file); // two bytes a cell at least, eight as a number
}

// Of a table that was read, and its columns.
Result<Dataset> datasetOf(const Table& table, const Roles& roles, const train::Arguments& arguments, std::int64_t seed,
                          train::TaskKind task, const spec::DataRules& rules) {
    const std::string file = arguments.text("file"), another = arguments.text("validationFile");
    Dataset dataset;
    dataset.task = task;
    const bool regression = task == train::TaskKind::Regression;
    {
        Split all;
        TY_ASSIGN(all.inputs, featuresOf(table, roles, arguments.text("words") == "one-hot", dataset));
        if (regression || task == train::TaskKind::MultiLabel) {
            TY_ASSIGN(all.targets, numbersOf(table, roles, dataset));
            if (!regression) TY_TRY(checkLabels(all.targets, dataset.classNames, table.file));
        } else {
            TY_ASSIGN(all.targets, classesOf(table, roles.targets.front(), arguments.integer("classes"), dataset));
        }
        TY_ASSIGN(Shares shares, sharesOfTable(arguments, rules));
        if (roles.group) shares.groups = groupsOfRows(table.columns[*roles.group]);
        TY_TRY(splitOff(dataset, all, shares, seed));
    }
    dataset.sampleShape = {dataset.train.inputs.size(1)};
    if (arguments.text("missing") == "fill") TY_TRY(fillIn(dataset, table, roles));
    if (!another.empty()) {
        TY_ASSIGN(dataset.digest, digestOfTables(file, another));
        TY_ASSIGN(dataset.validation, readValidationTable(another, arguments, table, roles, dataset));
    }
    TY_TRY(settleNumbers(dataset, arguments.flag("standardise"), regression, table));
    const bool classes = task == train::TaskKind::Classification;
    const auto notes = tableNotes(table, roles, dataset.table, classes ? dataset.classes : 0);
    dataset.notes.insert(dataset.notes.begin(), notes.begin(), notes.end());
    dataset.rowsLeftOut = table.leftOut;
    dataset.source = file;
    return dataset;
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                     const spec::DataRules& rules) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const std::string file = arguments.text("file");
    if (file.empty()) return missingPath("file", "set it to a table: CSV, JSON lines or NumPy's .npy and .npz");
    if (streamsTable(file, rules)) return loadStreamedTable(arguments, seed, task, rules);
    TY_TRY(checkTableMemory(file));
    Roles roles;
    TY_ASSIGN(const Table table, readWithRoles(file, arguments, task, roles));
    return datasetOf(table, roles, arguments, seed, task, rules);
}

// The first lines of a CSV, as a text; empty: it is another kind of file, or a line of it has no end.
std::string firstLines(const std::string& file) {
    constexpr std::size_t kLookedAt = 4u << 20;
    const auto kind = formats::tableKindOf(file);
    auto reader = FileReader::open(file);
    if (!kind || *kind != formats::TableKind::Csv || !reader) return {};
    std::string text(kLookedAt, '\0');
    const auto got = reader->readUpTo(text.data(), static_cast<std::int64_t>(text.size()));
    text.resize(got ? static_cast<std::size_t>(*got) : 0);
    text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
    return text;
}

// Of a table that a run would stream, and that has yet to be read, only the beginning: reading it takes minutes.
Result<Dataset> glanceAtTable(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                              const spec::DataRules& rules) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const std::string file = arguments.text("file");
    const bool isLong = !file.empty() && streamsTable(file, rules) && !isConverted({file, arguments, task});
    const std::string text = isLong ? firstLines(file) : std::string();
    if (text.empty()) return load(choice, seed, task, rules);
    Roles roles;
    TY_ASSIGN(const Table table, formats::readTableText(text, file, tableOptions(arguments, task, roles)));
    std::erase_if(roles.features, [&](std::size_t i) { return !table.columns[i].isRead; });
    if (roles.features.empty()) return noFeature(file);
    TY_ASSIGN(Dataset dataset, datasetOf(table, roles, arguments, seed, task, rules));
    dataset.digest = "unread"; // of the whole file, which is not read now
    dataset.notes.push_back("looks at the first " + std::to_string(table.rows()) +
                            " rows; a run reads all of them once, and streams them");
    return dataset;
}

} // namespace

DatasetEntry csvEntry() {
    using enum train::TaskKind;
    return {.info = info(),
            .load = load,
            .tasks = {Classification, Regression, MultiLabel},
            .streams = true,
            .glance = glanceAtTable};
}

} // namespace trainyard::data
