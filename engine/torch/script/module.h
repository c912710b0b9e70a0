// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/script/probe.h"

#include <torch/script.h>

namespace trainyard::script {

// For this process and for good: LibTorch compiles no parts of modules into kernels of its own. Where it was built with
// LLVM (Debian 13's 2.6) compiling a transformer has no end.
void turnFuserOff();

// Loads the module from bytes in memory and refuses operations that touch files. Input: an operation that this LibTorch
// does not have, code that cannot be run. Runs code of the file: call it where that can do no harm.
Result<torch::jit::Module> loadModule(const std::string& bytes, const std::string& where);

// The same in a thread that may write no file and start nothing (restrictThread).
Result<torch::jit::Module> loadModuleRestricted(const std::string& bytes, const std::string& where);

// The names of all operations that the module's code calls, sorted.
std::vector<std::string> operationsOf(const torch::jit::Module& module);

// A saved module as a model: its parameters and buffers under their own names, shared with it.
class ScriptModel final : public models::Model {
public:
    // `report`: what a probe with samples of its use has found.
    ScriptModel(torch::jit::Module module, Report report);
    // Throws when the module fails, or when there are fewer samples than it takes. Where it squeezes the batch of a
    // single sample away, the result has it all the same.
    torch::Tensor forward(torch::Tensor x) override;
    std::int64_t leastBatch() const override;
    std::vector<std::string> notices() const override { return m_report.notices; }
    void train(bool on = true) override;
    void to(torch::Device device, bool nonBlocking = false) override;
    const torch::jit::Module& module() const { return m_module; }

private:
    torch::jit::Module m_module;
    Report m_report;
};

} // namespace trainyard::script
