// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/ids.h"
#include "engine/formats/table.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/memory.h"
#include "engine/torch/data/sources.h"
#include "engine/torch/data/split.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

namespace trainyard::data {

using formats::Column;
using formats::Table;
using spec::ParamType;

namespace {

constexpr std::size_t kMaxClasses = 1000, kMaxOneHot = 100;

struct Roles {
    std::vector<std::size_t> features, targets; // columns
};

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
    entry.title = "CSV table";
    entry.help = "A table of your own: one sample per row; one column is predicted from the others.";
    entry.params = {
        {.name = "file",
         .title = "File",
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = "The table, in UTF-8, plain or gzip."},
        names("target", "Target",
              "The column to predict, by name or number (1: the first); for regression several, with "
              "commas between them. Empty: the last."),
        names("ignore", "Left out", "Columns that are not used, by name or number, with commas between them."),
        option("header", "Header", {"auto", "yes", "no"},
               "Whether the first line names the columns; auto: when it has no number."),
        option("separator", "Separator", {"auto", "comma", "semicolon", "tab", "bar"},
               "What stands between two cells."),
        option("words", "Words", {"one-hot", "refuse"},
               "A feature of words becomes one feature of 0 and 1 for each word, at most 100, or is refused."),
        {.name = "classes",
         .title = "Classes",
         .type = ParamType::Integer,
         .defaultValue = std::int64_t{0},
         .min = 0.0,
         .max = 1000.0,
         .unit = "0: as found",
         .help = "Labels run from 0 to one less than this; 0: as found in the file."},
        {.name = "standardise",
         .title = "Standardise",
         .type = ParamType::Flag,
         .defaultValue = true,
         .help =
             "Scale each feature, and a regression target, to mean 0 and standard deviation 1 over the training rows."},
        validationInfo(20.0, 0.0, "Share of the rows kept for validation."),
        testInfo()};
    entry.facts = {{"task", "classification or regression"}};
    return entry;
}

std::string joinedNames(const Table& table) {
    std::string line;
    for (const Column& column : table.columns) {
        if (line.size() > 300) return line + ", …";
        line += (line.empty() ? "" : ", ") + printable(column.name, 40);
    }
    return line;
}

// The columns of a list of names or numbers. A name with a comma in it is found when it is the whole list.
Result<std::vector<std::size_t>> columnsOf(const Table& table, const std::string& list, const char* param) {
    const auto find = [&](std::string word) -> std::optional<std::size_t> {
        word.erase(0, std::min(word.size(), word.find_first_not_of(' ')));
        while (!word.empty() && word.back() == ' ') word.pop_back();
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name == word) return i;
        const bool number =
            !word.empty() && word.size() < 7 && word.find_first_not_of("0123456789") == std::string::npos;
        const std::size_t place = number ? std::stoul(word) : 0;
        if (place >= 1 && place <= table.columns.size()) return place - 1;
        return std::nullopt;
    };
    if (list.empty()) return std::vector<std::size_t>{};
    if (const auto whole = find(list)) return std::vector<std::size_t>{*whole};
    std::vector<std::size_t> found;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string word = list.substr(begin, end - begin);
        const auto column = find(word);
        if (!column)
            return inputError(table.file + " has no column \"" + printable(word, 60) + "\"",
                              std::string("dataset.params.") + param,
                              "its columns: " + joinedNames(table) + (table.hasHeader ? "" : "; it has no header"));
        if (std::find(found.begin(), found.end(), *column) != found.end())
            return inputError("names the column \"" + printable(word, 60) + "\" twice",
                              std::string("dataset.params.") + param, "name it once");
        found.push_back(*column);
        begin = end + 1;
    }
    return found;
}

Result<Roles> rolesOf(const Table& table, const train::Arguments& arguments, train::TaskKind task) {
    Roles roles;
    TY_ASSIGN(roles.targets, columnsOf(table, arguments.text("target"), "target"));
    TY_ASSIGN(const auto ignored, columnsOf(table, arguments.text("ignore"), "ignore"));
    if (roles.targets.empty()) roles.targets = {table.columns.size() - 1};
    if (roles.targets.size() > 1 && task != train::TaskKind::Regression)
        return inputError("names " + std::to_string(roles.targets.size()) + " columns, and a class is one",
                          "dataset.params.target", "name one column, or set task to regression");
    const auto isIn = [](const std::vector<std::size_t>& list, std::size_t i) {
        return std::find(list.begin(), list.end(), i) != list.end();
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (!isIn(roles.targets, i) && !isIn(ignored, i)) roles.features.push_back(i);
    if (roles.features.empty())
        return inputError("has no column beside the target to learn from", table.file,
                          "add columns, or check dataset.params.separator");
    return roles;
}

// Each feature as float32 columns of one tensor; a feature of words as one column for each word.
Result<torch::Tensor> featuresOf(const Table& table, const Roles& roles, bool oneHot, Dataset& dataset) {
    std::int64_t width = 0;
    for (const std::size_t i : roles.features) {
        const Column& column = table.columns[i];
        if (column.isWords && (!oneHot || column.vocabulary.size() > kMaxOneHot))
            return inputError(
                oneHot ? "the feature has " + std::to_string(column.vocabulary.size()) +
                             " different words, and at most " + std::to_string(kMaxOneHot) + " become features"
                       : "the feature has words in it",
                table.position(0, i), "leave the column out (dataset.params.ignore), or turn it into numbers");
        width += column.isWords ? static_cast<std::int64_t>(column.vocabulary.size()) : 1;
    }
    TY_TRY(checkMemoryFor(8.0 * static_cast<double>(width) * static_cast<double>(table.rows()), table.file));
    torch::Tensor features = torch::zeros({table.rows(), width}, torch::kFloat32);
    float* const out = features.data_ptr<float>();
    std::int64_t at = 0;
    for (const std::size_t i : roles.features) {
        const Column& column = table.columns[i];
        for (std::size_t row = 0; row < column.numbers.size(); ++row)
            out[static_cast<std::int64_t>(row) * width + at] = static_cast<float>(column.numbers[row]);
        for (std::size_t row = 0; row < column.words.size(); ++row)
            out[static_cast<std::int64_t>(row) * width + at + column.words[row]] = 1;
        if (!column.isWords) dataset.featureNames.push_back(column.name);
        for (const std::string& word : column.vocabulary) dataset.featureNames.push_back(column.name + " = " + word);
        at += column.isWords ? static_cast<std::int64_t>(column.vocabulary.size()) : 1;
    }
    return features;
}

Result<torch::Tensor> numbersOf(const Table& table, const Roles& roles, Dataset& dataset) {
    std::vector<torch::Tensor> columns;
    for (const std::size_t i : roles.targets) {
        const Column& column = table.columns[i];
        if (column.isWords)
            return inputError("the target has words in it, and regression needs numbers", table.position(0, i),
                              "choose another target, or set task to classification");
        columns.push_back(torch::tensor(column.numbers, torch::kFloat64).to(torch::kFloat32));
        dataset.classNames.push_back(column.name);
    }
    dataset.classes = static_cast<std::int64_t>(columns.size());
    return torch::stack(columns, 1);
}

// The labels of a column of numbers: 0 to `classes` - 1, or each different one a class.
Result<torch::Tensor> numberedClasses(const Table& table, std::size_t target, std::int64_t classes, Dataset& dataset) {
    const Column& column = table.columns[target];
    std::map<std::int64_t, std::int64_t> places; // of each label
    for (std::int64_t k = 0; k < classes; ++k) places[k] = k;
    for (std::size_t row = 0; row < column.numbers.size(); ++row) {
        const double label = column.numbers[row];
        const std::string place = table.position(static_cast<std::int64_t>(row), target);
        if (std::nearbyint(label) != label || std::abs(label) > 1e15)
            return inputError(spec::toText(label) + " is not a class: a class is a word or a whole number", place,
                              "choose another target, or set task to regression");
        const auto whole = static_cast<std::int64_t>(label);
        if (classes > 0 && !places.contains(whole))
            return inputError("label " + std::to_string(whole) + " is not one of the " + std::to_string(classes) +
                                  " classes, 0 to " + std::to_string(classes - 1),
                              place, "correct the label or dataset.params.classes");
        places.try_emplace(whole, 0);
        if (places.size() > kMaxClasses)
            return inputError("the target has more than " + std::to_string(kMaxClasses) + " different numbers", place,
                              "choose another target, or set task to regression");
    }
    std::int64_t next = 0;
    for (auto& [label, place] : places) {
        place = next++;
        dataset.classNames.push_back(std::to_string(label));
    }
    std::vector<std::int64_t> labels;
    for (const double label : column.numbers) labels.push_back(places[static_cast<std::int64_t>(label)]);
    return torch::tensor(labels, torch::kInt64);
}

Result<torch::Tensor> classesOf(const Table& table, std::size_t target, std::int64_t classes, Dataset& dataset) {
    const Column& column = table.columns[target];
    torch::Tensor labels;
    if (column.isWords) {
        dataset.classNames = column.vocabulary;
        labels = torch::tensor(std::vector<std::int64_t>(column.words.begin(), column.words.end()), torch::kInt64);
        if (classes > 0 && classes != static_cast<std::int64_t>(column.vocabulary.size()))
            return inputError(std::to_string(classes) + " classes are asked for, and column \"" +
                                  printable(column.name, 60) + "\" has " + std::to_string(column.vocabulary.size()) +
                                  " different words",
                              "dataset.params.classes", "set it to 0 to take those found");
    } else {
        TY_ASSIGN(labels, numberedClasses(table, target, classes, dataset));
    }
    dataset.classes = static_cast<std::int64_t>(dataset.classNames.size());
    if (dataset.classes < 2)
        return inputError("every row has the same class, \"" + printable(dataset.classNames.front(), 60) + "\"",
                          table.position(0, target), "choose another target");
    return labels;
}

struct Moments {
    torch::Tensor mean, stddev; // float32 [columns]; 1 where a column is constant
};

Moments momentsOf(const torch::Tensor& columns) {
    const torch::Tensor wide = columns.to(torch::kFloat64);
    torch::Tensor stddev = wide.std(0, /*unbiased=*/false);
    stddev = torch::where(stddev > 1e-12, stddev, torch::ones_like(stddev));
    return {wide.mean(0).to(torch::kFloat32), stddev.to(torch::kFloat32)};
}

std::vector<double> listOf(const torch::Tensor& numbers) {
    const torch::Tensor wide = numbers.to(torch::kFloat64).contiguous();
    return {wide.data_ptr<double>(), wide.data_ptr<double>() + wide.numel()};
}

void standardise(Dataset& dataset, bool regression) {
    const Moments features = momentsOf(dataset.train.inputs);
    for (Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->size() > 0) split->inputs.sub_(features.mean).div_(features.stddev);
    dataset.mean = listOf(features.mean);
    dataset.stddev = listOf(features.stddev);
    if (!regression) return;
    const Moments targets = momentsOf(dataset.train.targets);
    dataset.targetMean = listOf(targets.mean);
    dataset.targetStddev = listOf(targets.stddev);
}

formats::TableOptions tableOptions(const train::Arguments& arguments) {
    static const std::map<std::string, char> kSeparators{
        {"auto", '\0'}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"bar", '|'}};
    static const std::map<std::string, formats::Header> kHeaders{
        {"auto", formats::Header::Auto}, {"yes", formats::Header::Yes}, {"no", formats::Header::No}};
    return {.separator = kSeparators.at(arguments.text("separator")), .header = kHeaders.at(arguments.text("header"))};
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                     const spec::DataRules& rules) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const std::string file = arguments.text("file");
    if (file.empty()) return missingPath("file", "set it to a CSV file");
    std::error_code ignored;
    const auto bytes =
        std::filesystem::file_size(file, ignored); // a cell takes two bytes at least, and eight as a number
    if (!ignored) TY_TRY(checkMemoryFor(4.0 * static_cast<double>(bytes), file));
    TY_ASSIGN(const Table table, formats::readTable(file, tableOptions(arguments)));
    TY_ASSIGN(const Roles roles, rolesOf(table, arguments, task));
    Dataset dataset;
    Split all;
    TY_ASSIGN(all.inputs, featuresOf(table, roles, arguments.text("words") == "one-hot", dataset));
    const bool regression = task == train::TaskKind::Regression;
    if (regression) {
        TY_ASSIGN(all.targets, numbersOf(table, roles, dataset));
    } else {
        TY_ASSIGN(all.targets, classesOf(table, roles.targets.front(), arguments.integer("classes"), dataset));
    }
    TY_TRY(splitOff(dataset, all,
                    {.validation = arguments.number("validation"),
                     .test = arguments.number("test"),
                     .byClass = rules.dividesByClass()},
                    seed));
    if (arguments.flag("standardise")) standardise(dataset, regression);
    dataset.sampleShape = {all.inputs.size(1)};
    dataset.source = file;
    return dataset;
}

} // namespace

DatasetEntry csvEntry() { return {info(), load, {train::TaskKind::Classification, train::TaskKind::Regression}}; }

} // namespace trainyard::data
