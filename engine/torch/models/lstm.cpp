// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM (Hochreiter, Schmidhuber 1997): over the tokens of a text, the rows of an image or the numbers of a vector.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"

namespace trainyard::models {

using spec::ParamType;

namespace {

// What one place of the sequence is: a token's embedding, a row of all channels, or one number.
std::int64_t placeSize(const ModelContext& context, std::int64_t embedding) {
    if (context.task == train::TaskKind::Language) return embedding;
    return context.sampleShape.size() == 3 ? context.sampleShape[0] * context.sampleShape[2] : 1;
}

class Lstm final : public HeadedModel {
public:
    Lstm(const ModelContext& context, const train::Arguments& arguments)
        : m_language(context.task == train::TaskKind::Language), m_hidden(arguments.integer("hidden")),
          m_layers(arguments.integer("layers")), m_dropout(arguments.number("dropout")) {
        const std::int64_t embedding = arguments.integer("embedding");
        if (m_language) m_embedding = register_module("embedding", torch::nn::Embedding(context.outputs, embedding));
        m_lstm = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(placeSize(context, embedding), m_hidden)
                                                             .num_layers(m_layers)
                                                             .batch_first(true)
                                                             .dropout(m_layers > 1 ? m_dropout : 0.0)));
        m_fc = register_module("fc", kernels::Linear(m_hidden, context.outputs));
    }

    torch::Tensor features(torch::Tensor x) override {
        if (m_language) x = traced(m_embedding, x);
        else if (x.dim() == 4) x = x.transpose(1, 2).flatten(2); // [B, H, C * W]
        else x = x.flatten(1).unsqueeze(2);                      // [B, F, 1]
        // Made from the input, so that a trace of this serves any batch.
        const auto zeros = torch::zeros_like(x.select(1, 0).slice(1, 0, 1)).expand({-1, m_hidden}).unsqueeze(0);
        const auto state = zeros.expand({m_layers, -1, -1}).contiguous();
        x = std::get<0>(m_lstm->forward(x, std::make_tuple(state, state)));
        recordLayer(*m_lstm, x);
        return m_language ? x : x.select(1, -1);
    }
    torch::Tensor head(const torch::Tensor& features) override {
        return traced(m_fc, torch::dropout(features, m_dropout, is_training()));
    }
    std::string headName() const override { return "fc"; }

private:
    bool m_language;
    std::int64_t m_hidden, m_layers;
    double m_dropout;
    torch::nn::Embedding m_embedding{nullptr};
    torch::nn::LSTM m_lstm{nullptr};
    kernels::Linear m_fc{nullptr};
};

spec::Entry lstmInfo() {
    const auto whole = [](const char* name, const char* title, std::int64_t usual, double max, const char* help) {
        return spec::ParamInfo{.name = name,
                               .title = title,
                               .type = ParamType::Integer,
                               .defaultValue = usual,
                               .min = 1.0,
                               .max = max,
                               .logScale = true,
                               .help = help};
    };
    spec::Entry entry;
    entry.name = "lstm";
    entry.title = Engine::tr("LSTM");
    entry.help =
        Engine::tr("Recurrent network over the tokens of a text, the rows of an image or the numbers of a vector.");
    entry.params = {
        whole("hidden", Engine::tr("Hidden units"), 128, 16384,
              Engine::tr("Size of the state carried from one position to the next.")),
        whole("layers", Engine::tr("Layers"), 1, 16, Engine::tr("Recurrent layers on top of one another.")),
        whole("embedding", Engine::tr("Embedding"), 64, 16384, Engine::tr("Size of a token's embedding; texts only.")),
        {.name = "dropout",
         .title = Engine::tr("Dropout"),
         .defaultValue = 0.0,
         .min = 0.0,
         .max = 0.95,
         .help = Engine::tr("Share of each layer's outputs set to zero while training.")}};
    entry.facts = {{Engine::tr("optimizer"), "adamw"},
                   {Engine::tr("lr"), "0.005"},
                   {Engine::tr("source"), "Hochreiter and Schmidhuber 1997, Long Short-Term Memory"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeLstm(const spec::Choice& choice, const ModelContext& context) {
    const spec::Entry info = lstmInfo();
    return std::shared_ptr<Model>(std::make_shared<Lstm>(context, train::Arguments(choice, info, "model")));
}

} // namespace

ModelEntry lstmEntry() {
    using enum train::TaskKind;
    return {lstmInfo(), makeLstm, {Classification, Regression, Language, MultiLabel}};
}

} // namespace trainyard::models
