// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/export_run.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/record/series/metrics_csv.h"
#include "engine/run/share/exported_tensors.h"
#include "engine/store/files/adapter_names.h"
#include "engine/store/files/event_file.h"
#include "engine/store/files/safetensors.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr std::size_t kPieceBytes = 4U << 20;

std::int64_t beginOf(const store::RunRow& row) { return row.startedMs > 0 ? row.startedMs : row.createdMs; }

} // namespace

Result<void> exportSafetensors(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                               const std::function<bool(double share)>& goesOn) {
    TY_ASSIGN(const auto file, store::SafetensorsFile::open(checkpoint));
    std::vector<store::TensorSource> tensors;
    const ExportedTensors exported(file, checkpoint.string());
    double total = 0, done = 0;
    for (const auto& tensor : file.tensors()) {
        if (!ExportedTensors::isOfModel(tensor) || store::isAdapter(tensor.name)) continue;
        const std::string name = ExportedTensors::nameOf(tensor);
        total += static_cast<double>(file.bytes(tensor).size());
        tensors.push_back({name, tensor.dtype, tensor.shape, [&, name](const ByteSink& sink) -> Result<void> {
                               TY_ASSIGN(const auto merged, exported.merged(tensor));
                               const auto bytes = merged ? std::as_bytes(std::span(*merged)) : exported.bytesOf(name);
                               for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
                                   const auto piece = bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at));
                                   TY_TRY(sink(piece));
                                   done += static_cast<double>(piece.size());
                                   if (goesOn && !goesOn(done / total)) return stoppedError("the export was cancelled");
                               }
                               return {};
                           }});
    }
    if (tensors.empty()) return inputError("has no tensors of a model", checkpoint.string());
    // "pt" tells other readers that names and layouts are PyTorch's.
    store::Metadata metadata{{"format", "pt"}, {"producer", std::string("trainyard ") + TRAINYARD_VERSION}};
    for (const char* key : {"step", "epoch", "modelInfo", "metrics"})
        if (const auto found = file.metadata().find(key); found != file.metadata().end()) metadata[key] = found->second;
    return store::writeSafetensorsFrom(out, tensors, metadata);
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
    for (const auto& name : names) { TY_ASSIGN(series[name], query.points(RunId(row.id), name)); }
    return store::writeEventFile(folder, row.id, beginOf(row), series);
}

} // namespace trainyard::run
