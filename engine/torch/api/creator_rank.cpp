// SPDX-License-Identifier: GPL-3.0-or-later
// A rank of a CreatorTrainer.
#include "engine/torch/api/creator_rank.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/torch/api/driver_line.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "trainyard/context.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace trainyard::train {
namespace {

constexpr const char* kState = "state.pt";
constexpr const char* kAnswer = "answer.json"; // to the command that led to the state

class CreatorRank {
public:
    CreatorRank(RankSession& session, const CreatorOptions& options)
        : m_session(session), m_config(session.spec().model.params), m_line(connect()) {
        m_model = prepareModelOf(options);
        m_optimizer = options.optimizerCreator(m_model, m_config);
        m_loss = options.lossCreator(m_config);
        std::tie(m_train, m_validation) = options.dataCreator(m_config);
        if (!m_optimizer || !m_loss || !m_train)
            throw InputError("a creator of optimizer, loss or training data returned nothing");
        for (auto* loader : {&m_train, &m_validation})
            if (*loader) loader->prepare(detail::shardOfThisRank());
        if (const auto checkpoint = getCheckpoint()) restore(checkpoint->asDirectory().path());
    }

    // Until shutdown is asked for.
    void serve() {
        m_line.send(jsonText(Json{{"rank", m_session.start().rank}, {"generation", m_session.start().generation}}));
        for (;;) {
            m_session.progress().setCollective(Engine::tr("wait for the driver"));
            const auto line = m_line.receive(100);
            if (m_session.stopRequested()) throw StopRequested();
            if (m_line.closed()) throw std::runtime_error("the program that drives this run is gone");
            if (!line) continue;
            m_session.progress().setDoing(Engine::tr("the driver's command"));
            const auto command = parseJson(*line);
            if (command.at("command") == "shutdown") return;
            answer(command);
        }
    }

private:
    struct Sums { // of one pass over a loader
        double loss = 0, samples = 0, right = 0, batches = 0, last = 0;
        bool classes = true;
    };

    static DriverLine connect() {
        const char* socket = std::getenv(kDriverSocket);
        return valueOrRaise(DriverLine::connect(socket ? socket : ""));
    }

    AnyNetwork prepareModelOf(const CreatorOptions& options) {
        torch::manual_seed(static_cast<std::uint64_t>(m_session.spec().seed));
        auto model = options.modelCreator(m_config);
        prepareModule(model.module());
        return model;
    }

    // A command that was answered before the ranks were started again is not done twice.
    void answer(const Json& command) {
        if (m_answered.is_object() && m_answered.at("n") == command.at("n")) return reply(m_answered);
        Json answer{{"n", command.at("n")}};
        try {
            perform(command, answer);
        } catch (const InputError& e) { answer["input"] = e.what(); }
        m_answered = answer;
        if (command.at("command") == "train" || command.at("command") == "load") keep(answer);
        reply(answer);
    }

    void reply(const Json& answer) {
        if (m_session.start().rank == 0) m_line.send(jsonText(answer));
    }

    void perform(const Json& command, Json& answer) {
        const auto& word = command.at("command");
        if (word == "train") answer["metrics"] = m_metrics = trainEpoch();
        else if (word == "validate") answer["metrics"] = validate();
        else if (word == "load") load(command.at("file").get<std::string>());
        else if (word == "state" && m_session.start().rank == 0)
            torch::save(state(), command.at("file").get<std::string>());
    }

    Metrics trainEpoch() {
        m_model->train();
        m_train.setEpoch(m_epoch);
        Sums sums;
        m_train.forEach([&](Batch& batch) {
            const auto loss = m_loss(m_model(batch.data), batch.target);
            m_optimizer->zero_grad();
            loss.backward();
            m_optimizer->step();
            count(sums, loss, batch.data.size(0));
        });
        ++m_epoch;
        reduce(sums);
        return {{"train_loss", sums.loss / sums.samples},
                {"last_train_loss", sums.last},
                {"num_samples", sums.samples},
                {"batch_count", sums.batches},
                {"epoch", static_cast<double>(m_epoch)}};
    }

    Metrics validate() {
        if (!m_validation) throw InputError("the data creator returned no validation loader");
        const torch::NoGradGuard noGrad;
        syncBuffers(*m_model.module());
        m_model->eval();
        m_validation.setEpoch(0);
        Sums sums;
        m_validation.forEach([&](Batch& batch) {
            const auto output = m_model(batch.data);
            count(sums, m_loss(output, batch.target), batch.data.size(0));
            sums.classes =
                sums.classes && output.dim() == 2 && batch.target.dim() == 1 && !batch.target.is_floating_point();
            if (sums.classes) sums.right += output.argmax(1).eq(batch.target).sum().item<double>();
        });
        reduce(sums);
        Metrics metrics{
            {"val_loss", sums.loss / sums.samples}, {"num_samples", sums.samples}, {"batch_count", sums.batches}};
        if (sums.classes) metrics["val_accuracy"] = sums.right / sums.samples;
        auto reported = metrics;
        reported["epoch"] = static_cast<double>(m_epoch);
        report(reported);
        return metrics;
    }

    static void count(Sums& sums, const torch::Tensor& loss, std::int64_t samples) {
        sums.last = loss.item<double>();
        sums.loss += sums.last * static_cast<double>(samples);
        sums.samples += static_cast<double>(samples);
        sums.batches += 1;
    }

    void reduce(Sums& sums) const {
        auto numbers = torch::tensor({sums.loss, sums.samples, sums.right, sums.last}, torch::kFloat64);
        m_session.group().sum(numbers);
        sums.loss = numbers[0].item<double>();
        sums.samples = numbers[1].item<double>();
        sums.right = numbers[2].item<double>();
        sums.last = numbers[3].item<double>() / m_session.start().worldSize;
    }

    StateDict state() const {
        StateDict state;
        for (const auto& each : m_model->named_parameters())
            state.tensors["model." + each.key()] = each.value().detach().to(torch::kCPU);
        for (const auto& each : m_model->named_buffers())
            state.tensors["model." + each.key()] = each.value().detach().to(torch::kCPU);
        std::ostringstream bytes;
        torch::save(*m_optimizer, bytes);
        const std::string text = bytes.str();
        auto packed = torch::empty({static_cast<std::int64_t>(text.size())}, torch::kUInt8);
        std::copy(text.begin(), text.end(), packed.data_ptr<std::uint8_t>());
        state.tensors["optimizer"] = packed;
        state.tensors["epoch"] = torch::tensor(m_epoch);
        return state;
    }

    void load(const std::string& file) {
        StateDict state;
        torch::load(state, file);
        state.loadInto(*m_model.module());
        m_epoch = state.epoch();
        const auto found = state.tensors.find("optimizer");
        if (found == state.tensors.end()) return;
        const auto bytes = found->second.contiguous();
        std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes.data_ptr<std::uint8_t>()),
                                              static_cast<std::size_t>(bytes.numel())));
        torch::load(*m_optimizer, stream);
    }

    // The state that restarted ranks continue from.
    void keep(const Json& answer) {
        auto reported = answer.contains("metrics") ? m_metrics : Metrics{};
        if (m_session.start().rank != 0) return report(reported);
        const TemporaryDirectory folder;
        torch::save(state(), (folder / kState).string());
        std::ofstream(folder / kAnswer) << jsonText(answer);
        report(reported, Checkpoint::fromDirectory(folder));
    }

    void restore(const std::filesystem::path& folder) {
        load((folder / kState).string());
        if (const auto text = readFile(folder / kAnswer)) m_answered = parseJson(*text);
    }

    RankSession& m_session;
    const Config m_config;
    DriverLine m_line;
    AnyNetwork m_model;
    std::shared_ptr<torch::optim::Optimizer> m_optimizer;
    Loss m_loss;
    AnyLoader m_train, m_validation;
    std::int64_t m_epoch = 0;
    Metrics m_metrics;
    Json m_answered;
};

} // namespace

void serveCreators(const CreatorOptions& options) {
    RankSession::serve([&](RankSession& session) { CreatorRank(session, options).serve(); });
}

} // namespace trainyard::train
