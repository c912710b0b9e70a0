// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/compat.h"
#include "engine/torch/base/device.h"
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/gradient_slot.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/torch/kernels/onednn.h"
#include "engine/torch/kernels/products.h"

#include <QTest>

#include <array>
#include <filesystem>
#include <limits>

using namespace trainyard;
using kernels::KernelMode;

namespace {

// Output and gradients of input, weight and bias of one layer for a random input.
struct Outcome {
    torch::Tensor y, dx, dw, db;
};

torch::Tensor input(std::vector<std::int64_t> shape) {
    torch::manual_seed(3);
    return torch::randn(shape).requires_grad_();
}

template <class Layer>
Outcome passed(Layer& layer, const torch::Tensor& x) {
    x.mutable_grad().reset();
    for (auto& parameter : layer->parameters()) parameter.mutable_grad().reset();
    const auto y = layer->forward(x);
    torch::manual_seed(4);
    (y * torch::randn(y.sizes())).sum().backward();
    return {y.detach().clone(), x.grad().clone(), layer->weight.grad(),
            layer->bias.defined() ? layer->bias.grad() : torch::Tensor()};
}

// The largest difference against the largest number of `want`.
double difference(const torch::Tensor& got, const torch::Tensor& want) {
    if (!want.defined()) return got.defined() ? 1 : 0;
    if (!got.defined() || got.sizes() != want.sizes()) return 1;
    return (got - want).abs().max().item<double>() / std::max(1e-9, want.abs().max().item<double>());
}

struct StockAgain {
    ~StockAgain() { kernels::useKernels(KernelMode::Stock); }
};

} // namespace

class TorchKernelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A second kind of threads would fight LibTorch's for the cores.
    void productsBringNoThreadsOfTheirOwn() {
        const auto threads = [] {
            const std::filesystem::directory_iterator tasks("/proc/self/task"), end;
            return std::distance(tasks, end);
        };
        const auto x = torch::ones({600, 600});
        at::set_num_threads(2);
        auto sum = x + x; // LibTorch's are there
        const auto before = threads();
        train::applyThreads(2);
        sum += torch::mm(x, x);
        QCOMPARE(sum[0][0].item<float>(), 602.0F);
        QCOMPARE(threads(), before);
        QVERIFY(train::productThreads() == 1 || train::productThreads() == 2);
        train::applyThreads(1);
    }

    // Feature: kernels chosen by timing; all threads of a worker at work, to the bits of one.
    void layerIsThatOfLibTorch_data() {
        QTest::addColumn<KernelMode>("mode");
        QTest::addColumn<std::vector<std::int64_t>>("shape"); // of the input, ... x in
        QTest::addColumn<int>("out");
        QTest::addColumn<bool>("bias");
        const std::pair<const char*, KernelMode> modes[] = {
            {"stock", KernelMode::Stock}, {"onednn", KernelMode::OneDnn}, {"timed", KernelMode::Timing}};
        for (const auto& [name, mode] : modes) {
            QTest::addRow("%s, 32 x 784 to 512", name) << mode << std::vector<std::int64_t>{32, 784} << 512 << true;
            QTest::addRow("%s, a head of 10", name) << mode << std::vector<std::int64_t>{32, 512} << 10 << true;
            QTest::addRow("%s, without a bias", name) << mode << std::vector<std::int64_t>{7, 33} << 19 << false;
            QTest::addRow("%s, sequences", name) << mode << std::vector<std::int64_t>{4, 9, 24} << 40 << true;
            QTest::addRow("%s, one row, one output", name) << mode << std::vector<std::int64_t>{1, 5} << 1 << true;
        }
    }
    void layerIsThatOfLibTorch() {
        QFETCH(KernelMode, mode);
        QFETCH(std::vector<std::int64_t>, shape);
        QFETCH(int, out);
        QFETCH(bool, bias);
        const auto options = torch::nn::LinearOptions(shape.back(), out).bias(bias);
        torch::manual_seed(1);
        torch::nn::Linear reference(options);
        torch::manual_seed(1);
        kernels::Linear layer(options);
        QVERIFY(torch::equal(layer->weight, reference->weight)); // initialised alike
        const auto x = input(shape);
        const Outcome want = passed(reference, x);
        const StockAgain after;
        kernels::useKernels(mode);
        const Outcome got = passed(layer, x);
        const double limit = mode == KernelMode::Stock ? 0 : 2e-6;
        QVERIFY(difference(got.y, want.y) <= limit);
        QVERIFY(difference(got.dx, want.dx) <= limit);
        QVERIFY(difference(got.dw, want.dw) <= limit);
        QVERIFY(difference(got.db, want.db) <= limit);
        if (mode == KernelMode::Timing && kernels::onednn::available())
            QCOMPARE(kernels::kernelChoices().size(), std::size_t{3}); // forward and both gradients
    }

    void firstConvolutionIsThatOfLibTorch_data() {
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        QTest::addColumn<int>("filters");
        QTest::addColumn<int>("side"); // of the kernel
        QTest::addColumn<int>("padding");
        QTest::addColumn<bool>("bias");
        QTest::newRow("Ray's ConvNet") << std::vector<std::int64_t>{64, 1, 28, 28} << 3 << 3 << 0 << true;
        QTest::newRow("colours, padded") << std::vector<std::int64_t>{5, 3, 32, 32} << 16 << 3 << 1 << true;
        QTest::newRow("a kernel of five") << std::vector<std::int64_t>{3, 2, 17, 23} << 4 << 5 << 2 << false;
        QTest::newRow("a kernel of seven") << std::vector<std::int64_t>{2, 1, 40, 9} << 1 << 7 << 1 << true;
        QTest::newRow("narrower than a vector") << std::vector<std::int64_t>{4, 2, 6, 5} << 7 << 3 << 0 << true;
        QTest::newRow("an even kernel: LibTorch's") << std::vector<std::int64_t>{4, 2, 8, 8} << 3 << 4 << 1 << true;
    }
    void firstConvolutionIsThatOfLibTorch() {
        if (!kernels::onednn::available()) QSKIP("built without oneDNN: layers are LibTorch's");
        QFETCH(std::vector<std::int64_t>, shape);
        QFETCH(int, filters);
        QFETCH(int, side);
        QFETCH(int, padding);
        QFETCH(bool, bias);
        const int threads = at::get_num_threads();
        at::set_num_threads(1);
        const auto options = torch::nn::Conv2dOptions(shape[1], filters, side).padding(padding).bias(bias);
        torch::manual_seed(1);
        torch::nn::Conv2d reference(options);
        torch::manual_seed(1);
        kernels::Conv2d layer(options);
        QVERIFY(torch::equal(layer->weight, reference->weight));
        const auto x = input(shape).detach(); // an image, not a layer's result
        std::string operation;                // of the newest pass
        const auto gradients = [&](auto& module, torch::ScalarType type) {
            for (auto& parameter : module->parameters()) parameter.mutable_grad().reset();
            const auto y = module->forward(x.to(type));
            operation = y.grad_fn()->name();
            torch::manual_seed(4);
            (y * torch::randn(y.sizes()).to(type)).sum().backward();
            const auto single = [](const torch::Tensor& t) { return t.defined() ? t.to(torch::kFloat) : t; };
            return Outcome{single(y.detach()),
                           {},
                           single(module->weight.grad()),
                           module->bias.defined() ? single(module->bias.grad()) : torch::Tensor()};
        };
        const Outcome stock = gradients(reference, torch::kFloat);
        reference->to(torch::kDouble);
        const Outcome exact = gradients(reference, torch::kDouble);
        const std::int64_t out = shape[2] + 2 * padding - side + 1, wide = shape[3] + 2 * padding - side + 1;
        const std::int64_t rows = shape[0] * out * wide, in = shape[1] * side * side;
        const StockAgain after;
        for (const auto kernel : {kernels::Kernel::Stock, kernels::Kernel::Direct}) {
            kernels::useKernels(KernelMode::Chosen,
                                {{{kernels::Product::Convolution, rows, in, filters}, kernel},
                                 {{kernels::Product::ConvolutionGradient, rows, in, filters}, kernel}});
            const Outcome got = gradients(layer, torch::kFloat);
            const bool direct = kernel == kernels::Kernel::Direct && side % 2 == 1;
            QCOMPARE(operation.find("DirectConvolution") != std::string::npos, direct);
            const Outcome& want = direct ? exact : stock;
            const double limit = direct ? 2e-6 : 0;
            QVERIFY(difference(got.y, want.y) <= limit);
            QVERIFY(difference(got.dw, want.dw) <= limit);
            QVERIFY(difference(got.db, want.db) <= limit);
            if (!direct) continue;
            at::set_num_threads(3);
            const Outcome shared = gradients(layer, torch::kFloat);
            at::set_num_threads(1);
            QCOMPARE(difference(shared.y, got.y), 0.0);
            QCOMPARE(difference(shared.dw, got.dw), 0.0);
            QCOMPARE(difference(shared.db, got.db), 0.0);
        }
        at::set_num_threads(threads);
    }

    void maxPoolingHasTheBitsOfLibTorch_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("padding");
        for (const auto& [side, stride, padding] :
             {std::array{2, 2, 0}, {2, 2, 1}, {3, 3, 0}, {3, 3, 1}, {3, 2, 0}, {3, 2, 1}, {4, 1, 2}, {5, 3, 2}})
            QTest::addRow("%d, stride %d, padding %d", side, stride, padding) << side << stride << padding;
    }
    void maxPoolingHasTheBitsOfLibTorch() {
        QFETCH(int, side);
        QFETCH(int, stride);
        QFETCH(int, padding);
        torch::manual_seed(5);
        // Few different numbers: windows with several greatest ones; a NaN and both infinities.
        auto x = torch::randint(-2, 3, {3, 40, 17, 22}).to(torch::kFloat);
        x[0][1][3][4] = std::numeric_limits<float>::quiet_NaN();
        x[1][2].fill_(-std::numeric_limits<float>::infinity());
        x[2][0][5][5] = std::numeric_limits<float>::infinity();
        x.requires_grad_();
        const auto passedOn = [&](const torch::Tensor& y) {
            x.mutable_grad().reset();
            y.backward(torch::arange(y.numel(), torch::kFloat).view(y.sizes()));
            return std::pair(y.detach().clone(), x.grad().clone());
        };
        const auto want = passedOn(torch::max_pool2d(x, side, stride, padding));
        const StockAgain after;
        kernels::useKernels(KernelMode::Chosen);
        if (kernels::kernelMode() == KernelMode::Stock) QSKIP("built without oneDNN: layers are LibTorch's");
        const auto pooled = kernels::maxPool2d(x, side, stride, padding);
        QVERIFY(std::string(pooled.grad_fn()->name()).find("MaxPool2D") == std::string::npos); // ours
        const auto got = passedOn(pooled);
        const auto same = [](const torch::Tensor& a, const torch::Tensor& b) {
            return a.sizes() == b.sizes() && torch::equal(a.view(torch::kInt), b.view(torch::kInt)); // NaN too
        };
        QVERIFY(same(got.first, want.first));
        QVERIFY(same(got.second, want.second));
    }

    void gradientGoesStraightIntoItsSlot_data() {
        QTest::addColumn<bool>("shared");
        QTest::newRow("a step of one batch") << false;
        QTest::newRow("a weight that two layers share") << true;
    }
    void gradientGoesStraightIntoItsSlot() {
        if (!kernels::onednn::available()) QSKIP("built without oneDNN: gradients come from autograd");
        QFETCH(bool, shared);
        const StockAgain after;
        kernels::Linear layer(24, 24);
        const auto x = input({8, 24});
        const auto loss = [&] {
            auto y = layer->forward(x);
            if (shared) y = layer->forward(torch::relu(y));
            return y.square().sum();
        };
        loss().backward();
        const auto wantWeight = layer->weight.grad().clone(), wantBias = layer->bias.grad().clone();

        kernels::useKernels(KernelMode::OneDnn);
        int told = 0;
        class Count : public torch::autograd::FunctionPostHook {
        public:
            explicit Count(int& count) : m_count(count) {}
            torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                                      const torch::autograd::variable_list&) override {
                ++m_count;
                return outputs;
            }

        private:
            int& m_count;
        };
        using Node = decltype(torch::autograd::impl::grad_accumulator(layer->weight)); // a pointer that owns it
        std::vector<Node> accumulators;                      // alive while they are to be told
        const auto flat = torch::full({24 * 24 + 24}, 7.0F); // what is left over from a step before
        kernels::GradientSlot weight{flat.narrow(0, 0, 24 * 24).view({24, 24})};
        kernels::GradientSlot bias{flat.narrow(0, 24 * 24, 24)};
        const std::pair<torch::Tensor, kernels::GradientSlot*> slots[] = {{layer->weight, &weight},
                                                                          {layer->bias, &bias}};
        for (const auto& [parameter, slot] : slots) {
            parameter.mutable_grad().reset();
            kernels::offerSlot(parameter, slot);
            accumulators.push_back(torch::autograd::impl::grad_accumulator(parameter));
            accumulators.back()->add_post_hook(std::make_unique<Count>(told));
        }
        loss().backward();
        QVERIFY(!layer->weight.grad().defined());
        QVERIFY(weight.written && bias.written);
        QCOMPARE(told, 2); // the averager still learns when each gradient is ready, once
        QVERIFY(difference(weight.view, wantWeight) <= 2e-6);
        QVERIFY(difference(bias.view, wantBias) <= 2e-6);
        loss().backward(); // the next micro-batch adds
        QVERIFY(difference(weight.view, 2 * wantWeight) <= 2e-6);
        for (const auto& [parameter, slot] : slots) kernels::withdrawSlot(parameter);
        loss().backward();
        QVERIFY(difference(layer->weight.grad(), wantWeight) <= 2e-6);
    }

    void frozenPartsGetNoGradient() {
        const StockAgain after;
        kernels::useKernels(KernelMode::OneDnn);
        kernels::Linear layer(6, 4);
        layer->weight.requires_grad_(false);
        const auto x = torch::randn({3, 6});
        layer->forward(x).sum().backward();
        QVERIFY(!layer->weight.grad().defined());
        QVERIFY(difference(layer->bias.grad(), torch::full({4}, 3.0F)) == 0);
    }

    void bf16KeepsTheGradientsOfWeightsWhole() {
        if (!kernels::onednn::available() || !kernels::onednn::hasBf16())
            QSKIP("no oneDNN here, or a processor without bfloat16 products");
        const StockAgain after;
        kernels::Linear layer(64, 48);
        const auto x = input({16, 64});
        const Outcome want = passed(layer, x);
        kernels::useKernels(KernelMode::OneDnn);
        const train::compat::Autocast autocast(at::kCPU, torch::kBFloat16);
        const Outcome got = passed(layer, x);
        QVERIFY(got.y.scalar_type() == torch::kBFloat16);
        QVERIFY(got.dw.scalar_type() == torch::kFloat && got.db.scalar_type() == torch::kFloat);
        QVERIFY(!torch::equal(got.dw, got.dw.to(torch::kBFloat16).to(torch::kFloat))); // not rounded to bfloat16
        QVERIFY(difference(got.y.to(torch::kFloat), want.y) < 0.02);
        QVERIFY(difference(got.dx, want.dx) < 0.02);
        QVERIFY(difference(got.dw, want.dw) < 0.02);
        QVERIFY(difference(got.db, want.db) < 0.02);
    }

    void memoryOfTensorsIsUsedAgain() {
        kernels::useMemoryPool();
        const auto step = [] { // as activations: made, and all gone at the end
            std::vector<torch::Tensor> made;
            for (const std::int64_t count : {1, 100, 3000, 70'000, 1'300'000, 2'000'000}) {
                made.push_back(torch::full({count}, 2.0F));
                if (reinterpret_cast<std::uintptr_t>(made.back().data_ptr()) % 64 != 0) return -1.0;
            }
            made.push_back(torch::empty({0}));
            double sum = 0;
            for (const auto& tensor : made) sum += tensor.sum(torch::kDouble).item<double>();
            return sum;
        };
        const double want = 2.0 * (1 + 100 + 3000 + 70'000 + 1'300'000 + 2'000'000);
        QCOMPARE(step(), want);
        const auto used = kernels::poolStats().usedBytes;
        (void)step();
        const auto asked = kernels::poolStats().fromSystem;
        for (int i = 0; i < 20; ++i) QCOMPARE(step(), want);
        QCOMPARE(kernels::poolStats().fromSystem, asked); // nothing more is asked of the system
        QCOMPARE(kernels::poolStats().usedBytes, used);
        auto kept = torch::ones({500'000});
        kept.resize_({900'000}); // grows in place: the old numbers stay
        QCOMPARE(kept.narrow(0, 0, 500'000).sum(torch::kDouble).item<double>(), 500'000.0);
    }

    void memoryOfManySizesDoesNotPileUp() {
        kernels::useMemoryPool();
        std::size_t all = 0;
        for (std::int64_t i = 0; i < 40; ++i) {
            const auto tensor = torch::ones({1'000'000 + 300'007 * i});
            all += tensor.nbytes();
        }
        const auto waiting = kernels::poolStats().waitingBytes;
        QVERIFY2(waiting < all / 4, qPrintable(QString::number(waiting)));
    }

    void choicesAreKeptAsText() {
        kernels::KernelChoices choices;
        choices[{kernels::Product::Forward, 32, 784, 512}] = kernels::Kernel::Matmul;
        choices[{kernels::Product::WeightGradient, 32, 512, 10}] = kernels::Kernel::Stock;
        choices[{kernels::Product::InputGradient, 32, 512, 512}] = kernels::Kernel::Gemm;
        const std::string text = kernels::toText(choices);
        QVERIFY(text.find("weight-gradient 32x512x10 stock\n") != std::string::npos);
        QVERIFY(kernels::choicesFromText(text) == choices);
        QCOMPARE(kernels::choicesFromText("forward 1x2 matmul\nsideways 1x2x3 stock\nforward 1x2x3 fast\n\n").size(),
                 std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TorchKernelsTest)
#include "torch_kernels_test.moc"
