// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/text.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/split.h"

#include <filesystem>

namespace trainyard::data {

using spec::ParamType;

namespace {

spec::Entry info() {
    spec::Entry entry;
    entry.name = "text";
    entry.title = Engine::tr("Text file");
    entry.help = Engine::tr("A text in UTF-8, read character by character; the task is language: the next character.");
    entry.params = {{.name = "file",
                     .title = Engine::tr("File"),
                     .type = ParamType::Path,
                     .defaultValue = std::string(),
                     .help = Engine::tr("The text, in UTF-8, plain or gzip.")},
                    {.name = "sequenceLength",
                     .title = Engine::tr("Sequence length"),
                     .type = ParamType::Integer,
                     .defaultValue = std::int64_t{128},
                     .min = 2.0,
                     .max = 65536.0,
                     .logScale = true,
                     .unit = Engine::tr("characters"),
                     .help = Engine::tr("Characters per sample.")},
                    {.name = "stride",
                     .title = Engine::tr("Stride"),
                     .type = ParamType::Integer,
                     .defaultValue = std::int64_t{0},
                     .min = 0.0,
                     .max = 65536.0,
                     .unit = Engine::tr("characters"),
                     .help = Engine::tr(
                         "Characters from the start of one sample to the start of the next; 0: the sequence length.")},
                    validationInfo(10.0, 0.0, Engine::tr("Share of the text, at its end, kept for validation.")),
                    testInfo()};
    entry.facts = {{"task", "language"}};
    return entry;
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t, train::TaskKind, const spec::DataRules&) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    const std::string file = arguments.text("file");
    if (file.empty()) return missingPath("file", "set it to a text file");
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(file, ignored); // 8 bytes a token, and 6 while it is read
    if (!ignored) TY_TRY(checkMemoryFor(14.0 * static_cast<double>(bytes), file));
    TY_ASSIGN(formats::CharacterText text, formats::readCharacters(file));
    Dataset dataset;
    dataset.classes = static_cast<std::int64_t>(text.vocabulary.size());
    if (dataset.classes < 2)
        return inputError("has only one different character", file, "choose a text of more than one character");
    const torch::Tensor tokens =
        torch::from_blob(text.tokens.data(), {static_cast<std::int64_t>(text.tokens.size())}, torch::kInt32)
            .to(torch::kInt64);
    TY_TRY(windowsOf(dataset, tokens,
                     {.length = arguments.integer("sequenceLength"),
                      .stride = arguments.integer("stride"),
                      .shares = {arguments.number("validation"), arguments.number("test")}}));
    dataset.classNames = std::move(text.vocabulary);
    dataset.source = file;
    return dataset;
}

} // namespace

DatasetEntry textFileEntry() { return {info(), load, {train::TaskKind::Language}}; }

} // namespace trainyard::data
