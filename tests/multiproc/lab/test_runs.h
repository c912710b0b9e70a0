// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sstream>
#include <string>

namespace trainyard::test {

// A run file for tests: points on three spiral arms (960 to train on, 240 to validate with) and a small network,
// unless told otherwise.
struct RunJson {
    int ranks = 2, epochs = 1, steps = 0; // steps > 0 instead of epochs
    int perRank = 12, accumulate = 1;
    std::string model = R"({"name": "mlp", "params": {"hidden": [32, 32]}})";
    std::string dataset = R"({"name": "spirals", "params": {"samples": 1200, "validation": 20}})";
    std::string optimizer = "sgd", optimizerParams = R"("momentum": 0.9)"; // besides lr
    double lr = 0.05;
    std::string schedule = R"({"name": "constant"})";
    std::string loss = R"({"name": "cross-entropy"})", more{}; // more: whole fields, each with a comma behind it
    std::string averaging = "auto", precision = "fp32";
    int everyEpochs = 1, everySteps = 0;
    int port = 0, seed = 7;
    std::string kernels = "stock", layout = "contiguous"; // so that runs can be compared to the bit
    bool dropLast = false;
    std::string checkpoint{};                       // more fields of it, each with a comma before it
    std::string task = "classification", scaling{}; // more fields of it, likewise

    std::string text() const {
        std::ostringstream out;
        out << R"({"version": 1, "name": "test", "task": ")" << task << R"(", "model": )" << model << R"(, "dataset": )"
            << dataset << R"(, "optimizer": {"name": ")" << optimizer << R"(", "lr": )" << lr
            << (optimizerParams.empty() ? "" : ", ") << optimizerParams << R"(}, "schedule": )" << schedule
            << R"(, "loss": )" << loss << ", " << more << R"("batch": {"perRank": )" << perRank << R"(, "accumulate": )"
            << accumulate << R"(, "dropLast": )" << (dropLast ? "true" : "false") << R"(}, "precision": ")" << precision
            << "\", " << (steps > 0 ? "\"steps\": " : "\"epochs\": ") << (steps > 0 ? steps : epochs)
            << R"(, "tuning": {"layout": ")" << layout << R"(", "kernels": ")" << kernels << R"("})"
            << R"(, "seed": )" << seed << R"(, "scaling": {"workers": )" << ranks
            << R"(, "device": "cpu", "averaging": ")" << averaging << R"(", "threadsPerWorker": 1, "port": )" << port
            << scaling << R"(}, "checkpoint": {"everyEpochs": )" << everyEpochs << R"(, "everySteps": )" << everySteps
            << checkpoint << "}}";
        return out.str();
    }
};

} // namespace trainyard::test
