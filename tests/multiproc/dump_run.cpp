// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what a run of a multilayer perceptron starts from, for another program to train on: dump_run RUN_FILE FOLDER.
// The files are described in python/ddp_curve.py.
#include "engine/spec/run_spec.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"

#include <cstdio>
#include <fstream>

namespace {

using namespace trainyard;

void write(const std::string& path, const torch::Tensor& tensor) {
    const auto whole = tensor.detach().contiguous();
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char*>(whole.data_ptr()), static_cast<std::streamsize>(whole.nbytes()));
}

Result<void> dump(const std::string& file, const std::string& folder) {
    TY_ASSIGN(const auto spec, spec::readRunSpec(file));
    TY_ASSIGN(const auto data, data::loadDataset(spec.dataset, spec.seed));
    const auto batch = data::gather(data, data.train, torch::arange(data.train.size(), torch::kInt64));
    write(folder + "/x.f32", batch.inputs.flatten(1));
    write(folder + "/y.i64", batch.targets);
    // The ranks' shares of a batch lie side by side, so the whole order is that of one rank with the whole batch.
    const data::ShardedSampler sampler({.samples = data.train.size(), .batchPerRank = spec.globalBatch(),
                                        .seed = spec.seed});
    std::vector<torch::Tensor> order;
    for (std::int64_t b = 0; b < sampler.batchesPerEpoch(); ++b) order.push_back(sampler.indices(b));
    write(folder + "/order.i64", torch::cat(order));

    torch::manual_seed(static_cast<std::uint64_t>(spec.seed));
    TY_ASSIGN(const auto model, models::makeModel(spec.model, {data.sampleShape, data.classes}));
    std::vector<std::int64_t> widths{batch.inputs.flatten(1).size(1)};
    std::size_t layer = 0;
    for (const auto& parameter : model->named_parameters()) {
        const bool weight = parameter.value().dim() == 2;
        write(folder + (weight ? "/w" : "/b") + std::to_string(layer) + ".f32", parameter.value());
        if (weight) widths.push_back(parameter.value().size(0));
        else ++layer;
    }
    write(folder + "/widths.i64", torch::tensor(widths));
    return {};
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const auto done = dump(argv[1], argv[2]);
    if (done) return 0;
    std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return exitCode(done.error().kind);
}
