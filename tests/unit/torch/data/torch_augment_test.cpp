// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment.h"

#include <ATen/CPUGeneratorImpl.h>
#include <QTest>

#include <cmath>
#include <map>

using namespace trainyard;

namespace {

// Images whose every pixel says where it was: 100 * row + column, and 1000 more in the second channel.
data::Dataset placesDataset(std::int64_t height, std::int64_t width) {
    data::Dataset dataset;
    dataset.train = {torch::zeros({4, 2, height, width}, torch::kUInt8), torch::zeros({4}, torch::kInt64)};
    dataset.sampleShape = {2, height, width};
    dataset.mean = {0.5, 0.25};
    dataset.stddev = {0.25, 0.5};
    return dataset;
}

data::Batch placesBatch(std::int64_t count, std::int64_t height, std::int64_t width) {
    const auto rows = torch::arange(1, height + 1).view({height, 1}) * 100,
               columns = torch::arange(1, width + 1).view({1, width});
    const auto one = (rows + columns).to(torch::kFloat32);
    return {torch::stack({one, one + 10000}).expand({count, 2, height, width}).clone(),
            torch::zeros({count}, torch::kInt64)};
}

} // namespace

class TorchAugmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingAskedForChangesNothing();
    void cropMovesEachImage();
    void flipTurnsHalfOfThem();
    void eraseBlanksItsShare();
    void sameStateGivesTheSameImages();
    void refusesWhatIsNoImage();
};

void TorchAugmentTest::nothingAskedForChangesNothing() {
    const auto dataset = placesDataset(6, 5);
    auto batch = placesBatch(8, 6, 5);
    const auto before = batch.inputs.clone(), state = at::detail::getDefaultCPUGenerator().get_state();
    data::augmentBatch(batch, {}, dataset);
    QVERIFY(batch.inputs.equal(before));
    QVERIFY(at::detail::getDefaultCPUGenerator().get_state().equal(state)); // and draws nothing
}

// Feature: augmentation: crop, flip, erase.
void TorchAugmentTest::cropMovesEachImage() {
    torch::manual_seed(1);
    const std::int64_t height = 7, width = 5, padding = 2, count = 2000;
    const auto dataset = placesDataset(height, width);
    auto batch = placesBatch(count, height, width);
    const auto before = batch.inputs.clone();
    data::augmentBatch(batch, {.crop = static_cast<int>(padding)}, dataset);
    QCOMPARE(batch.inputs.sizes(), before.sizes());
    std::map<std::pair<std::int64_t, std::int64_t>, int> shifts;
    for (std::int64_t i = 0; i < count; ++i) {
        // The middle pixel is never padding here: it tells the shift, and the shift tells every pixel.
        const int middle = batch.inputs[i][0][height / 2][width / 2].item<int>();
        const std::int64_t down = middle / 100 - 1 - height / 2, right = middle % 100 - 1 - width / 2;
        QVERIFY(std::abs(down) <= padding && std::abs(right) <= padding);
        ++shifts[{down, right}];
        for (std::int64_t c = 0; c < 2; ++c) {
            auto expected =
                torch::full({height, width}, static_cast<float>(-dataset.mean[static_cast<std::size_t>(c)] /
                                                                dataset.stddev[static_cast<std::size_t>(c)]));
            for (std::int64_t y = 0; y < height; ++y)
                for (std::int64_t x = 0; x < width && i < 40; ++x) // pixel by pixel for some
                    if (y + down >= 0 && y + down < height && x + right >= 0 && x + right < width)
                        expected[y][x] = before[i][c][y + down][x + right];
            if (i < 40) QVERIFY(batch.inputs[i][c].equal(expected));
        }
    }
    QCOMPARE(shifts.size(), 25u); // every one of 5 x 5, evenly: 80 each, deviation 9
    for (const auto& [shift, times] : shifts) QVERIFY2(times > 40 && times < 120, qPrintable(QString::number(times)));
}

void TorchAugmentTest::flipTurnsHalfOfThem() {
    torch::manual_seed(2);
    auto batch = placesBatch(1000, 4, 6);
    const auto before = batch.inputs.clone();
    data::augmentBatch(batch, {.flip = true}, placesDataset(4, 6));
    int turned = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        const bool same = batch.inputs[i].equal(before[i]);
        QVERIFY(same || batch.inputs[i].equal(before[i].flip({2})));
        turned += same ? 0 : 1;
    }
    QVERIFY2(turned > 420 && turned < 580, qPrintable(QString::number(turned)));
}

void TorchAugmentTest::eraseBlanksItsShare() {
    torch::manual_seed(3);
    auto batch = placesBatch(2000, 20, 30);
    const auto before = batch.inputs.clone();
    data::augmentBatch(batch, {.erase = 0.25}, placesDataset(20, 30));
    const auto blank = batch.inputs.eq(0);
    QVERIFY(blank.select(1, 0).equal(blank.select(1, 1)));            // all channels alike
    QVERIFY(torch::where(blank, before, batch.inputs).equal(before)); // nothing else changed
    const auto share = blank.select(1, 0).to(torch::kFloat32).mean({1, 2});
    const auto hit = share > 0;
    const double hits = hit.to(torch::kFloat32).mean().item<double>();
    QVERIFY2(std::abs(hits - 0.25) < 0.05, qPrintable(QString::number(hits)));
    const auto areas = share.masked_select(hit);
    QVERIFY(areas.min().item<double>() > 0.005 && areas.max().item<double>() < 0.40);
    QVERIFY(std::abs(areas.mean().item<double>() - 0.175) < 0.03);
    // A rectangle: as many pixels as rows times columns that have one.
    const auto rows = blank.select(1, 0).any(2).sum(1), columns = blank.select(1, 0).any(1).sum(1);
    QVERIFY((rows * columns).equal(blank.select(1, 0).sum(torch::IntArrayRef{1, 2})));
}

void TorchAugmentTest::sameStateGivesTheSameImages() {
    const spec::Augment all{.crop = 3, .flip = true, .erase = 0.5};
    const auto dataset = placesDataset(9, 9);
    const auto made = [&](std::uint64_t seed) {
        torch::manual_seed(seed);
        auto batch = placesBatch(64, 9, 9);
        data::augmentBatch(batch, all, dataset);
        return batch.inputs;
    };
    QVERIFY(made(5).equal(made(5)));
    QVERIFY(!made(5).equal(made(6)));
    auto empty = placesBatch(0, 9, 9);
    data::augmentBatch(empty, all, dataset);
    QCOMPARE(empty.inputs.size(0), 0);
}

void TorchAugmentTest::refusesWhatIsNoImage() {
    const auto points = data::loadDataset({"spirals", {{"samples", std::int64_t{100}}}}, 1);
    QVERIFY(points.ok() && data::checkAugment({}, *points).ok());
    const auto refused = data::checkAugment({.flip = true}, *points);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::Input);
    QCOMPARE(refused.error().text(),
             "augment: changes images, and the dataset has none (remove augment, or choose a dataset of images)");
    QVERIFY(data::checkAugment({.crop = 4, .flip = true}, placesDataset(8, 6)).ok());
    QVERIFY(data::checkAugment({.crop = 7}, placesDataset(8, 6))
                .error()
                .text()
                .starts_with("augment.crop: 7 pixels of padding"));
}

QTEST_GUILESS_MAIN(TorchAugmentTest)
#include "torch_augment_test.moc"
