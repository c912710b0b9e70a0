// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what a run of a multilayer perceptron starts from, for another program to train on: for each line "RUN_FILE
// FOLDER" that it reads, which it answers by "done". The files are described in python/ddp_curve.py.
#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"

#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

using namespace trainyard;

void write(const std::string& path, const torch::Tensor& tensor) {
    const auto whole = tensor.detach().contiguous();
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char*>(whole.data_ptr()), static_cast<std::streamsize>(whole.nbytes()));
}

// As many steps as the run has, each with the ranks' shares one behind the other.
void writeOrder(const spec::RunSpec& spec, std::int64_t samples, const std::string& folder) {
    std::vector<data::ShardedSampler> samplers;
    for (int rank = 0; rank < spec.scaling.workers; ++rank)
        samplers.emplace_back(data::ShardedSampler::Options{.samples = samples,
                                                            .batchPerRank = spec.perRankBatch(),
                                                            .rank = rank,
                                                            .worldSize = spec.scaling.workers,
                                                            .seed = spec.seed,
                                                            .dropLast = spec.batch.dropLast,
                                                            .even = true});
    std::vector<torch::Tensor> order;
    std::vector<std::int64_t> counts;
    const auto perEpoch = samplers.front().batchesPerEpoch();
    for (std::int64_t step = 0; step < spec.steps.value_or(0); ++step)
        for (auto& sampler : samplers) {
            sampler.setEpoch(step / perEpoch);
            order.push_back(sampler.indices(step % perEpoch).clone());
            if (&sampler == &samplers.front()) counts.push_back(order.back().size(0));
        }
    write(folder + "/order.i64", torch::cat(order));
    write(folder + "/counts.i64", torch::tensor(counts));
}

Result<void> dump(const std::string& file, const std::string& folder) {
    TY_ASSIGN(const auto spec, spec::readRunSpec(file));
    TY_ASSIGN(const auto data, data::loadDataset(spec.dataset, spec.seed));
    const auto batch = data::gather(data, data.train, torch::arange(data.train.size(), torch::kInt64));
    write(folder + "/x.f32", batch.inputs.flatten(1));
    write(folder + "/y.i64", batch.targets);
    writeOrder(spec, data.train.size(), folder);

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

int main() {
    for (std::string file, folder; std::cin >> file >> folder;) {
        if (const auto done = dump(file, folder); !done) {
            std::fprintf(stderr, "%s\n", done.error().text().c_str());
            return exitCode(done.error().kind);
        }
        std::cout << "done" << std::endl;
    }
}
