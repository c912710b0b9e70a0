// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of attention: blocks give what the plain computation gives, and what is computed again has the same bits.
#include "engine/spec/run/field_use.h"
#include "engine/torch/models/block_attention.h"
#include "engine/torch/models/model.h"
#include "engine/torch/models/recompute.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace trainyard;
using models::AttentionRule;

class TorchRecomputeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksGiveThePlainAttention_data();
    void blocksGiveThePlainAttention();
    void droppedWeightsAreTheSameBackwards();
    void blocksAreForLargeModels();
    void recomputedBlocksKeepTheBits_data();
    void recomputedBlocksKeepTheBits();
    void otherModelsAreRefused();
};

namespace {

struct Attended {
    torch::Tensor seen, dq, dk, dv;
};

torch::Tensor plainAttention(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v, bool causal) {
    auto scores = torch::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
    if (causal)
        scores = scores.masked_fill(torch::ones({q.size(2), q.size(2)}, torch::kBool).triu(1),
                                    -std::numeric_limits<double>::infinity());
    return torch::matmul(torch::softmax(scores, -1), v);
}

template <class Compute>
Attended attended(const torch::Tensor& from, const Compute& compute) {
    std::vector<torch::Tensor> parts;
    for (std::int64_t i = 0; i < 3; ++i) parts.push_back(from[i].clone().requires_grad_(true));
    const torch::Tensor seen = compute(parts[0], parts[1], parts[2]);
    (seen * torch::arange(seen.numel(), seen.options()).reshape(seen.sizes()).sin()).sum().backward();
    return {seen.detach(), parts[0].grad(), parts[1].grad(), parts[2].grad()};
}

} // namespace

void TorchRecomputeTest::blocksGiveThePlainAttention_data() {
    QTest::addColumn<bool>("causal");
    QTest::addColumn<int>("length");
    QTest::newRow("all see all") << false << 50;
    QTest::newRow("none sees a later one") << true << 50;
    QTest::newRow("several blocks") << false << 3000;
    QTest::newRow("several blocks, none sees a later one") << true << 3000;
}

// Feature: attention in blocks, forwards and backwards, is the plain one but for rounding.
void TorchRecomputeTest::blocksGiveThePlainAttention() {
    QFETCH(bool, causal);
    QFETCH(int, length);
    torch::manual_seed(1);
    const torch::Tensor from = torch::randn({3, 1, 2, length, 4});
    const auto blocks = attended(from, [&](const auto& q, const auto& k, const auto& v) {
        return models::attentionInBlocks(q, k, v, {causal, 0.0});
    });
    const auto plain =
        attended(from, [&](const auto& q, const auto& k, const auto& v) { return plainAttention(q, k, v, causal); });
    for (const auto& [one, other] :
         {std::pair{blocks.seen, plain.seen}, {blocks.dq, plain.dq}, {blocks.dk, plain.dk}, {blocks.dv, plain.dv}}) {
        const double far = (one - other).abs().max().item<double>();
        QVERIFY2(far < 2e-5 * (1 + other.abs().max().item<double>()), qPrintable(QString::number(far)));
    }
    const torch::NoGradGuard noGradients;
    QVERIFY(models::attentionInBlocks(from[0], from[1], from[2], {causal, 0.0}).equal(blocks.seen));
}

// The gradient of a sum is its difference, if the same weights are dropped.
void TorchRecomputeTest::droppedWeightsAreTheSameBackwards() {
    const auto seen = [](const torch::Tensor& v) {
        torch::manual_seed(7);
        const torch::Tensor q = torch::randn({1, 1, 40, 4});
        return models::attentionInBlocks(q, q, v, {true, 0.3});
    };
    torch::Tensor v = torch::randn({1, 1, 40, 4}).requires_grad_(true);
    seen(v).sum().backward();
    const torch::NoGradGuard noGradients;
    for (const std::int64_t row : {0, 17, 39}) { // linear in v: the difference is exact but for rounding
        torch::Tensor more = v.detach().clone();
        more[0][0][row][1] += 1;
        const double difference = (seen(more) - seen(v)).sum().item<double>();
        QVERIFY(std::abs(difference - v.grad()[0][0][row][1].item<double>()) < 1e-3);
    }
}

void TorchRecomputeTest::blocksAreForLargeModels() {
    QVERIFY(!models::needsBlocks(torch::empty({32, 4, 256, 8})));
    QVERIFY(models::needsBlocks(torch::empty({4, 12, 1024, 8})));
    QVERIFY(!models::needsBlocks(torch::empty({100'000, 12, 16, 1})));
}

void TorchRecomputeTest::recomputedBlocksKeepTheBits_data() {
    QTest::addColumn<bool>("text");
    QTest::addColumn<double>("dropout");
    QTest::newRow("gpt") << true << 0.0;
    QTest::newRow("gpt, dropout") << true << 0.2;
    QTest::newRow("vit") << false << 0.0;
    QTest::newRow("vit, dropout") << false << 0.2;
}

// Feature: `tuning.recompute` keeps loss, gradients and later draws to the bit.
void TorchRecomputeTest::recomputedBlocksKeepTheBits() {
    QFETCH(bool, text);
    QFETCH(double, dropout);
    const models::ModelContext context =
        text ? models::ModelContext{{12}, 30, train::TaskKind::Language} : models::ModelContext{{3, 8, 8}, 5};
    const spec::Choice choice{
        text ? "gpt" : "vit",
        {{"width", std::int64_t{24}}, {"depth", std::int64_t{3}}, {"heads", std::int64_t{2}}, {"dropout", dropout}}};
    struct Step {
        double loss = 0;
        std::vector<torch::Tensor> gradients;
        torch::Tensor draw;
    };
    const auto step = [&](const char* word) {
        torch::manual_seed(3);
        const auto model = models::makeModel(choice, context).value();
        if (!models::setRecompute(*model, word)) qFatal("it has blocks");
        const auto input = text ? torch::randint(30, {4, 12}) : torch::rand({4, 3, 8, 8});
        Step taken;
        for (int micro = 0; micro < 2; ++micro) { // gradients add up
            const auto output = model->forward(input).flatten(0, -2);
            const auto loss = torch::nn::functional::cross_entropy(output, torch::arange(output.size(0)) % 5) +
                              output.square().mean();
            loss.backward();
            taken.loss = loss.item<double>();
        }
        for (const auto& parameter : model->parameters()) taken.gradients.push_back(parameter.grad());
        taken.draw = torch::rand({4});
        return taken;
    };
    const Step kept = step("none"), again = step("blocks");
    QCOMPARE(again.loss, kept.loss);
    QVERIFY(again.draw.equal(kept.draw));
    for (std::size_t i = 0; i < kept.gradients.size(); ++i) {
        QVERIFY(again.gradients[i].defined());
        QVERIFY(again.gradients[i].equal(kept.gradients[i]));
    }
}

// Bad inputs: models without blocks to compute again.
void TorchRecomputeTest::otherModelsAreRefused() {
    const auto model = models::makeModel({"mlp", {}}, {{2}, 3}).value();
    QVERIFY(models::setRecompute(*model, "none").ok());
    const auto refused = models::setRecompute(*model, "blocks");
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().where, "tuning.recompute");
    // The catalog says it as well, for validation and the window.
    for (const auto& entry : models::modelEntries()) {
        if (entry.info.name == "torchscript" || entry.info.name == "plugin") continue; // of a file
        const bool ofTokens = std::ranges::find(entry.tasks, train::TaskKind::Language) != entry.tasks.end();
        const auto made = models::makeModel({entry.info.name, {}},
                                            ofTokens ? models::ModelContext{{16}, 20, train::TaskKind::Language}
                                                     : models::ModelContext{{3, 32, 32}, 4});
        QVERIFY2(made.ok(), entry.info.name.c_str());
        const bool isSaid = !spec::whyUnused("tuning.recompute", "classification", &entry.info);
        QVERIFY2(models::setRecompute(**made, "blocks").ok() == isSaid, entry.info.name.c_str());
    }
}

QTEST_GUILESS_MAIN(TorchRecomputeTest)
#include "torch_recompute_test.moc"
