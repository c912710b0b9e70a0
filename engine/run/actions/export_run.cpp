// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/export_run.h"

#include "engine/base/atomic_file.h"
#include "engine/run/record/metrics_csv.h"
#include "engine/store/event_file.h"
#include "engine/store/safetensors.h"

namespace trainyard::run {
namespace {

constexpr std::string_view kModelPrefix = "model.";
constexpr std::string_view kAveragePrefix = "ema.";

std::int64_t beginOf(const store::RunRow& row) { return row.startedMs > 0 ? row.startedMs : row.createdMs; }

} // namespace

Result<void> exportSafetensors(const std::filesystem::path& checkpoint, const std::filesystem::path& out) {
    TY_ASSIGN(const auto file, store::SafetensorsFile::open(checkpoint));
    std::vector<store::TensorBytes> tensors;
    for (const auto& tensor : file.tensors()) {
        if (!tensor.name.starts_with(kModelPrefix)) continue;
        const std::string name = tensor.name.substr(kModelPrefix.size());
        const auto* average = file.find(std::string(kAveragePrefix) + name);
        tensors.push_back({name, tensor.dtype, tensor.shape, file.bytes(average ? *average : tensor)});
    }
    if (tensors.empty()) return inputError("has no tensors of a model", checkpoint.string());
    // "pt" tells other readers that names and layouts are PyTorch's.
    store::Metadata metadata{{"format", "pt"}, {"producer", std::string("trainyard ") + TRAINYARD_VERSION}};
    for (const char* key : {"step", "epoch", "modelInfo", "metrics"})
        if (const auto found = file.metadata().find(key); found != file.metadata().end()) metadata[key] = found->second;
    return store::writeSafetensors(out, tensors, metadata);
}

Result<void> exportCsv(store::RunQuery& query, const std::string& run, const std::filesystem::path& out) {
    TY_ASSIGN(const auto text, metricsCsv(query, run));
    return writeFileAtomic(out, text);
}

std::filesystem::path eventFileOf(const store::RunRow& row, const std::filesystem::path& folder) {
    return folder / store::eventFileName(beginOf(row), row.id);
}

Result<std::filesystem::path> exportTensorBoard(store::RunQuery& query, const store::RunRow& row,
                                                const std::filesystem::path& folder) {
    TY_ASSIGN(const auto names, query.seriesNames(row.id));
    std::map<std::string, std::vector<wire::Point>> series;
    for (const auto& name : names) { TY_ASSIGN(series[name], query.points(row.id, name)); }
    return store::writeEventFile(folder, row.id, beginOf(row), series);
}

} // namespace trainyard::run
