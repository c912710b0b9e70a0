// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/commands.h"

#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/worker/checkpoint_fit.h"
#include "engine/torch/worker/export.h"
#include "engine/torch/worker/make_catalog.h"
#include "engine/torch/worker/preview_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::train {

namespace {

constexpr std::size_t kMaxRunFile = 4u << 20;

Result<void> print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fputc('\n', stdout) == EOF ||
        std::fflush(stdout) != 0)
        return systemError("cannot write the result", "standard output");
    return {};
}

Result<std::string> readRunFile(const std::string& file) {
    if (file != "-") return readFile(file, kMaxRunFile);
    std::string text;
    char piece[4096];
    while (const std::size_t got = std::fread(piece, 1, sizeof piece, stdin)) {
        text.append(piece, got);
        if (text.size() > kMaxRunFile) return inputError("is longer than 4 MiB", "standard input");
    }
    return text;
}

// `samples`: as previewJson() sets it.
Result<std::string> preview(std::vector<std::string> args, std::int64_t& samples) {
    std::string checkpoint;
    if (const auto option = std::find(args.begin(), args.end(), "--checkpoint"); option != args.end()) {
        if (option + 1 == args.end()) return inputError("has no value", "--checkpoint");
        checkpoint = option[1];
        args.erase(option, option + 2);
    }
    if (args.size() > 1) return inputError("\"" + args[1] + "\" is one argument too many", "preview");
    const std::string file = args.empty() ? "-" : args.front();
    TY_ASSIGN(const std::string text, readRunFile(file));
    const std::string shown = file == "-" ? "standard input" : file;
    TY_ASSIGN(spec::RunSpec spec, spec::parseRunSpec(text, shown));
    if (const auto errors = spec::validate(spec, makeCatalog()); !errors.empty()) return spec::toError(errors, shown);
    return previewJson(spec, checkpoint, &samples);
}

struct ExportArguments {
    std::string checkpoint, out;
    ExportOptions options;
};

Result<ExportArguments> parseExport(const std::vector<std::string>& args) {
    static const char* const kUsage =
        "usage: trainyard-worker export CHECKPOINT --format safetensors|state-dict|torchscript --out PATH [--force]";
    ExportArguments parsed;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string& word = args[i];
        if (word == "--force") {
            parsed.options.overwrite = true;
        } else if (word == "--format" || word == "--out") {
            if (i + 1 == args.size()) return inputError("has no value", word, kUsage);
            (word == "--out" ? parsed.out : parsed.options.format) = args[++i];
        } else if (word.starts_with("-") || !parsed.checkpoint.empty()) {
            return inputError("\"" + word + "\" is not known here", "export", kUsage);
        } else {
            parsed.checkpoint = word;
        }
    }
    if (parsed.checkpoint.empty()) return inputError("no checkpoint is named", "export", kUsage);
    if (parsed.out.empty()) return inputError("is missing", "--out", kUsage);
    return parsed;
}

Result<void> fits(const std::vector<std::string>& args) {
    if (args.size() != 2)
        return inputError("a checkpoint and a run file are needed", "fits", "trainyard-worker fits CHECKPOINT FILE");
    TY_ASSIGN(const spec::RunSpec spec, spec::readRunSpec(args[1]));
    TY_TRY(checkFit(std::filesystem::path(args[0]), spec));
    return print("{\"fits\": true}");
}

Result<void> exportOne(const std::vector<std::string>& args) {
    TY_ASSIGN(const ExportArguments parsed, parseExport(args));
    return exportModel(parsed.checkpoint, parsed.out, parsed.options);
}

int finish(const Result<void>& result) { return result ? 0 : failCommand(result.error()); }

} // namespace

int describeCommand() {
    return finish(guarded("describe", [] { return print(spec::toJson(makeCatalog())); }));
}

int previewCommand(const std::vector<std::string>& args) {
    std::int64_t samples = 0;
    const Result<void> done = guarded("preview", [&]() -> Result<void> {
        TY_ASSIGN(const std::string text, preview(args, samples));
        return print(text);
    });
    return done ? 0 : failCommand(done.error(), samples);
}

int fitsCommand(const std::vector<std::string>& args) {
    return finish(guarded("fits", [&] { return fits(args); }));
}

int exportCommand(const std::vector<std::string>& args) {
    return finish(guarded("export", [&] { return exportOne(args); }));
}

int failCommand(const Error& error, std::int64_t samples) {
    std::fprintf(stderr, "trainyard-worker: %s\n", error.text().c_str());
    auto told = parseJson(errorToJson(error));
    if (samples > 0) told["samples"] = samples;
    std::printf("%s\n", asciiJson(told, 2).c_str());
    return exitCode(error.kind);
}

} // namespace trainyard::train
