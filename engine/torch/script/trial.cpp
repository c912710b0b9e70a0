// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/script/trial.h"

#include "engine/torch/base/guard.h"

#include <algorithm>

namespace trainyard::script {
namespace {

// Of a call with the same input: what only the optimised code rounds otherwise is no difference.
constexpr double kSame = 1e-3;

std::string shapeText(const std::vector<std::int64_t>& shape, const char* around = "[]") {
    std::string text;
    for (const std::int64_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
    return around[0] + text + around[1];
}

std::string typeText(const c10::IValue& value) { return value.type() ? value.type()->repr_str() : value.tagKind(); }

class Trial {
public:
    Trial(torch::jit::Module& module, const Use& use) : m_module(module), m_use(use) {}

    Result<Findings> run() {
        TY_TRY(checkArguments());
        TY_TRY(trains());
        TY_TRY(evaluates());
        TY_ASSIGN(m_found.batches.leastTraining, leastIn(true));
        TY_ASSIGN(m_found.batches.leastEvaluating, leastIn(false));
        return m_found;
    }

private:
    bool isText() const { return m_use.task == train::TaskKind::Language; }

    // The batch alone: a tensor.
    Result<void> checkArguments() const {
        const auto& arguments = m_module.get_method("forward").function().getSchema().arguments();
        if (arguments.size() < 2)
            return inputError("forward takes no input", {}, "give it one argument, the batch, as a tensor");
        const auto& batch = *arguments[1].type();
        if (!c10::TensorType::get()->isSubtypeOf(batch))
            return inputError("forward takes " + batch.repr_str() + " for \"" + arguments[1].name() +
                                  "\", and a run gives it a tensor",
                              {}, "wrap the module in one whose forward takes the batch as a tensor");
        for (std::size_t i = 2; i < arguments.size(); ++i)
            if (!arguments[i].default_value())
                return inputError("forward needs \"" + arguments[i].name() +
                                      "\" as well, and a run gives it one tensor",
                                  {}, "wrap the module in one whose forward takes the batch alone");
        return {};
    }

    // Two samples, then three: a module that was traced with a fixed batch is found out.
    Result<void> trains() {
        m_module.train();
        TY_ASSIGN(const torch::Tensor output, forward(inputOf(2)));
        m_found.inputShape = shapeOf(2);
        m_found.outputShape = output.sizes().vec();
        m_found.outputType = c10::toString(output.scalar_type());
        if (!output.requires_grad())
            return inputError("no parameter influences the output of forward, so nothing can be trained", {},
                              "check requires_grad and torch.no_grad in the module");
        try {
            output.sum().backward();
        } catch (const std::exception& exception) {
            const Error error = train::errorFrom(exception, {});
            if (error.kind == ErrorKind::Environment) return error;
            return inputError("backward fails for an input of " + shapeText(shapeOf(2)) + ": " + error.message, {},
                              "call model(" + exampleOf(2) + ").sum().backward() in Python, and change the module");
        }
        TY_TRY(forward(inputOf(3)));
        return {};
    }

    Result<void> evaluates() {
        const torch::NoGradGuard noGradients;
        m_module.eval();
        const torch::Tensor input = inputOf(2);
        TY_ASSIGN(const torch::Tensor first, forward(input.clone()));
        TY_ASSIGN(const torch::Tensor second, forward(input.clone()));
        const double scale = torch::nan_to_num(first).abs().max().item<double>();
        if (!torch::allclose(first, second, kSame, kSame * scale, /*equal_nan=*/true))
            m_found.notices.push_back(
                "the module gives different numbers for the same input in evaluation mode: validation and predictions "
                "vary by chance (if dropout is the reason, call it with training=self.training, and save "
                "torch.jit.script(model) instead of a trace)");
        TY_TRY(forward(inputOf(3)));
        return {};
    }

    // One sample is a batch that may come, at the end of an epoch or to be predicted.
    Result<std::int64_t> leastIn(bool training) {
        const torch::NoGradGuard noGradients;
        m_module.train(training);
        const auto one = forward(inputOf(1));
        if (one) return 1;
        if (one.error().kind == ErrorKind::Environment) return one.error();
        m_found.batches.why = one.error().message;
        if (!training) // in training, batches have more
            m_found.notices.push_back("the module cannot take a single sample in evaluation mode: " +
                                      one.error().message);
        return 2;
    }

    std::vector<std::int64_t> shapeOf(std::int64_t batch) const {
        std::vector<std::int64_t> shape = m_use.sampleShape;
        shape.insert(shape.begin(), batch);
        return shape;
    }
    // Numbers as standardised samples have them; of the tokens the last, too.
    torch::Tensor inputOf(std::int64_t batch) const {
        if (!isText()) return torch::randn(shapeOf(batch));
        const auto tokens = torch::zeros(shapeOf(batch), torch::kInt64);
        if (m_use.outputs == 0) return tokens;
        return (m_use.outputs - 1 - torch::arange(tokens.numel(), torch::kInt64))
            .remainder(m_use.outputs)
            .view_as(tokens);
    }
    std::string exampleOf(std::int64_t batch) const {
        const std::string shape = shapeText(shapeOf(batch), "()");
        return isText()
                   ? "torch.randint(" + std::to_string(std::max<std::int64_t>(1, m_use.outputs)) + ", " + shape + ")"
                   : "torch.randn(" + shape.substr(1, shape.size() - 2) + ")";
    }

    Result<torch::Tensor> forward(const torch::Tensor& input) {
        c10::IValue output;
        try {
            output = m_module.forward({input.clone()}); // which it may change
        } catch (const std::exception& exception) { return failureOf(exception, input.sizes().vec()); }
        if (!output.isTensor())
            return inputError("forward gives " + typeText(output) + mode() + ", and a model must give one tensor", {},
                              "wrap the module in one that returns the tensor alone");
        TY_TRY(check(output.toTensor(), input.sizes().vec()));
        return output.toTensor();
    }

    std::string mode() const { return m_module.is_training() ? "" : " in evaluation mode"; }

    Error failureOf(const std::exception& exception, const std::vector<std::int64_t>& shape) const {
        const Error error = train::errorFrom(exception, {});
        if (error.kind == ErrorKind::Environment) return error;
        const std::string fails =
            "forward fails" + mode() + " for an input of " + shapeText(shape) + ": " + error.message;
        for (const torch::Tensor& parameter : m_module.parameters())
            if (parameter.is_floating_point() && parameter.scalar_type() != torch::kFloat32)
                return inputError(fails + "; it has parameters of type " + c10::toString(parameter.scalar_type()) +
                                      ", and a run gives it Float",
                                  {}, "save model.float()");
        const bool raises = error.kind == ErrorKind::Input;
        const std::string call =
            (m_module.is_training() ? "call it in Python with " : "call it in Python, after eval(), with ") +
            exampleOf(shape.front());
        if (raises)
            return inputError(fails, {},
                              call + ", and change the module: a run calls it in both modes, to train and to validate");
        return inputError(fails, {},
                          call + (isText() ? ": it may know fewer tokens, or be made for another length"
                                           : ": it may be made for another sample shape"));
    }

    Result<void> check(const torch::Tensor& output, const std::vector<std::int64_t>& input) const {
        if (output.scalar_type() != torch::kFloat32)
            return inputError(std::string("forward gives numbers of type ") + c10::toString(output.scalar_type()) +
                                  mode() + ", and training needs Float (32 bits)",
                              {}, "end the module with .float()");
        std::vector<std::int64_t> wanted{input.front()};
        if (isText()) wanted = input;
        auto found = output.sizes().vec();
        // squeeze() has taken the batch of one away, which ScriptModel gives back.
        if (input.front() == 1 && found.size() == wanted.size()) found.insert(found.begin(), 1);
        const bool outputsFit = m_use.outputs == 0 || (!found.empty() && found.back() == m_use.outputs);
        if (found.size() == wanted.size() + 1 && outputsFit && std::equal(wanted.begin(), wanted.end(), found.begin()))
            return {};
        if (m_use.outputs > 0) wanted.push_back(m_use.outputs);
        return inputError("forward gives " + shapeText(output.sizes().vec()) + mode() + " for an input of " +
                              shapeText(input) +
                              (m_use.outputs > 0 ? ", and the run needs " + shapeText(wanted)
                                                 : ", and one row for each sample is needed"),
                          {}, "change the last layer of the module, or the dataset");
    }

    torch::jit::Module& m_module;
    const Use& m_use;
    Findings m_found;
};

} // namespace

Result<Findings> tryOut(torch::jit::Module& module, const Use& use) { return Trial(module, use).run(); }

} // namespace trainyard::script
