// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "app/ctl/worker_call.h"
#include "engine/base/text/quoted.h"
#include "engine/run/share/bundle.h"
#include "engine/run/share/export_adapters.h"
#include "engine/run/share/export_run.h"
#include "engine/run/share/export_snippet.h"
#include "engine/store/files/safetensors.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    std::string run, format = "safetensors", out;
    std::vector<std::string> checkpoints; // of a bundle
    bool force = false, snippet = false;
};

Result<void> exportByWorker(const fs::path& checkpoint, const std::string& format, const fs::path& out, bool force) {
    std::vector<std::string> words{"export", checkpoint.string(), "--format", format, "--out", out.string()};
    if (force) words.emplace_back("--force");
    TY_TRY(callWorker(words));
    return {};
}

// Programs that load the export, beside it.
Result<void> writePrograms(const fs::path& checkpoint, const std::string& format, const fs::path& out) {
    TY_ASSIGN(const auto file, store::SafetensorsFile::open(checkpoint));
    const auto& metadata = file.metadata();
    const auto info = metadata.find("modelInfo"), run = metadata.find("run");
    run::ExportedModel exported{out, format, info == metadata.end() ? std::string() : info->second, {}};
    if (run != metadata.end()) {
        TY_ASSIGN(const auto spec, spec::parseRunSpec(run->second, checkpoint.string()));
        exported.loss = spec.loss.name;
    }
    TY_TRY(run::writeSnippets(exported));
    return {};
}

Result<void> exportCsv(const Session& session, const std::string& run, const fs::path& out) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto row, runAt(*open.query, run));
    return run::exportCsv(*open.query, row.id, out);
}

// A folder, which TensorBoard reads as a run.
Result<fs::path> exportTensorBoard(const Session& session, const ExportOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto row, runAt(*open.query, options.run));
    const fs::path folder = options.out;
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        return inputError("is a file", "--out " + options.out, "TensorBoard reads folders: name one");
    if (!options.force && fs::exists(run::eventFileOf(row, folder), ignored))
        return inputError("already holds the event file of this run", "--out " + options.out,
                          "choose another folder, or add --force");
    return run::exportTensorBoard(*open.query, row, folder);
}

// A folder, which PEFT reads.
Result<fs::path> exportPeft(const Session& session, const ExportOptions& options) {
    const fs::path folder = options.out;
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        return inputError("is a file", "--out " + options.out, "PEFT reads folders: name one");
    if (!options.force && fs::exists(folder / "adapter_config.json", ignored))
        return inputError("already holds an adapter", "--out " + options.out, "choose another folder, or add --force");
    TY_ASSIGN(const auto checkpoint, findCheckpoint(session, options.run));
    TY_TRY(run::exportAdapters(checkpoint.path, folder));
    return folder;
}

// The whole run; @CHECKPOINT names none of its own.
Result<void> exportBundle(const Session& session, const ExportOptions& options, const fs::path& out) {
    const std::string& run = options.run;
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    const auto row = open.query->run(run);
    if (!row && run.find('@') != std::string::npos)
        return inputError("a bundle holds a whole run", run, "choose checkpoints with --checkpoint");
    if (!row) return row.error();
    TY_ASSIGN(const auto chosen, run::bundledCheckpoints(options.checkpoints));
    return run::writeBundle(open.workspace, {row->id}, out, chosen);
}

// Of a file, or of all files in a folder.
std::int64_t bytesOf(const fs::path& written) {
    std::error_code ignored;
    if (!fs::is_directory(written, ignored)) return static_cast<std::int64_t>(fs::file_size(written, ignored));
    std::int64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(written, ignored))
        bytes += static_cast<std::int64_t>(entry.file_size(ignored));
    return bytes;
}

// Returns what was written.
Result<fs::path> exportRun(const Session& session, const ExportOptions& options) {
    if (options.format == "tensorboard") return exportTensorBoard(session, options);
    if (!options.checkpoints.empty() && options.format != "bundle")
        return inputError("is for bundles", "--checkpoint", "name one as RUN@CHECKPOINT");
    if (options.format == "peft") return exportPeft(session, options);
    const fs::path out = options.out;
    std::error_code ignored;
    if (fs::is_directory(out, ignored)) return inputError("is a folder", "--out " + options.out, "name a file in it");
    if (!options.force && fs::exists(out, ignored))
        return inputError("exists already", "--out " + options.out, "choose another name, or add --force");
    if (const auto folder = fs::absolute(out, ignored).parent_path(); !fs::is_directory(folder, ignored))
        return inputError("the folder " + folder.string() + " does not exist", "--out " + options.out,
                          "make the folder first: mkdir -p " + shellArgument(folder.string()));
    if (options.format == "csv") {
        TY_TRY(exportCsv(session, options.run, out));
        return out;
    }
    if (options.format == "bundle") {
        TY_TRY(exportBundle(session, options, out));
        return out;
    }
    TY_ASSIGN(const auto checkpoint, findCheckpoint(session, options.run));
    if (options.format == "safetensors") TY_TRY(run::exportSafetensors(checkpoint.path, out));
    else TY_TRY(exportByWorker(checkpoint.path, options.format, out, options.force));
    if (options.snippet) TY_TRY(writePrograms(checkpoint.path, options.format, out));
    return out;
}

} // namespace

void addExportCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand("export", "write a trained model, or the metrics, to a file");
    command->add_option("RUN", options->run, "RUN[@CHECKPOINT]: @best (the default), @last or @STEP")->required();
    command
        ->add_option("--format", options->format,
                     "safetensors, state-dict, torchscript, peft (the low-rank matrices of finetune.lora), csv (the "
                     "metrics), tensorboard (the metrics as event files) or bundle (the whole run, for another "
                     "computer)")
        ->check(CLI::IsMember({"safetensors", "state-dict", "torchscript", "peft", "csv", "tensorboard", "bundle"}));
    command->add_flag_callback(
        "--bundle", [options] { options->format = "bundle"; },
        "the same as --format bundle: settings, points, checkpoints and logs in one file for `import`");
    command
        ->add_option("--checkpoint", options->checkpoints,
                     "checkpoints of a bundle: all (the default), none, best, last or a step; may be repeated")
        ->take_all();
    command->add_option("--out", options->out, "file to write; a folder for tensorboard and peft")
        ->type_name("FILE")
        ->required();
    command->add_flag("--force", options->force, "replace the file");
    command->add_flag("--snippet", options->snippet, "also write programs that load it, in Python and C++");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto done = exportRun(session, *options);
            if (!done) return fail(done.error());
            std::error_code ignored;
            const std::int64_t size = bytesOf(*done);
            if (session.json)
                return printJson(
                    {{"path", fs::absolute(*done, ignored).string()}, {"format", options->format}, {"bytes", size}});
            return std::printf("%s (%s)\n", done->c_str(), bytesText(size).c_str()) > 0 ? 0 : 3;
        };
    });
}

} // namespace trainyard::ctl
