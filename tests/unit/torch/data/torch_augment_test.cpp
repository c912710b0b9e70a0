// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment.h"
#include "engine/torch/data/augment/trivial_augment.h"

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
    void refusesWhatCannotBeTogether_data();
    void refusesWhatCannotBeTogether();
    void resizedCropShowsAPartOfEachImage();
    void trivialChangesAreTheirFormulas_data();
    void trivialChangesAreTheirFormulas();
    void trivialAugmentKeepsWhatItDoesNotChange();
    void mixedTargetsAreTheSharesOfTheImages_data();
    void mixedTargetsAreTheSharesOfTheImages();
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

void TorchAugmentTest::refusesWhatCannotBeTogether_data() {
    QTest::addColumn<QString>("error");
    QTest::addColumn<int>("which");
    QTest::newRow("two windows") << QStringLiteral("augment.resizedCrop: cuts a window out of each image, and so does "
                                                   "augment.crop (remove one of the two)")
                                 << 0;
    QTest::newRow("mixed numbers") << QStringLiteral("augment.cutmix: mixes the classes of two images, and the run's "
                                                     "task is regression (remove it, or set task to classification)")
                                   << 1;
    QTest::newRow("a part of an image that is a number") << QString() << 2;
}

void TorchAugmentTest::refusesWhatCannotBeTogether() {
    QFETCH(QString, error);
    QFETCH(int, which);
    auto numbers = placesDataset(8, 8);
    numbers.task = train::TaskKind::Regression;
    const auto checked =
        which == 0
            ? data::checkAugment({.crop = 2, .resizedCrop = 0.5}, placesDataset(8, 8))
            : data::checkAugment(which == 1 ? spec::Augment{.cutmix = 1} : spec::Augment{.resizedCrop = 0.5}, numbers);
    QCOMPARE(QString::fromStdString(checked ? "" : checked.error().text()), error);
}

// Feature: augmentation: resized crop, TrivialAugment, mixup, CutMix.
void TorchAugmentTest::resizedCropShowsAPartOfEachImage() {
    torch::manual_seed(4);
    const std::int64_t height = 24, width = 36, count = 1500;
    auto batch = placesBatch(count, height, width);
    data::augmentBatch(batch, {.resizedCrop = 0.25}, placesDataset(height, width));
    // Places grow evenly from edge to edge, so the middle of each row and column tells the window's size.
    const auto image = batch.inputs.select(1, 0);
    const auto middle = image.select(1, height / 2), down = image.select(2, width / 2);
    const auto wide = (middle.select(1, width * 3 / 4) - middle.select(1, width / 4)) / 0.5;     // columns
    const auto high = (down.select(1, height * 3 / 4) - down.select(1, height / 4)) / 100 / 0.5; // rows
    const auto area = wide * high / static_cast<double>(height * width), shape = wide / high;
    QVERIFY2(area.min().item<double>() > 0.245 && area.max().item<double>() < 1.005,
             qPrintable(QString::number(area.min().item<double>())));
    QVERIFY(std::abs(area.mean().item<double>() - 0.62) < 0.03);
    QVERIFY(shape.min().item<double>() > 0.74 && shape.max().item<double>() < 1.51); // of a wide one all of it
    QVERIFY(batch.inputs.select(1, 0).min().item<double>() >= 101 - 0.01);
    QVERIFY(batch.inputs.select(1, 0).max().item<double>() <= 100 * height + width + 0.01);
    // The whole image stays as it is.
    auto whole = placesBatch(3, 20, 20);
    const auto before = whole.inputs.clone();
    torch::manual_seed(5);
    data::augmentBatch(whole, {.resizedCrop = 1}, placesDataset(20, 20));
    QVERIFY(whole.inputs.sizes() == before.sizes());
}

// Expected values: PIL's, as Debian's python3-pil has them, of the 4 x 4 image below.
void TorchAugmentTest::trivialChangesAreTheirFormulas_data() {
    QTest::addColumn<int>("change");
    QTest::addColumn<int>("strength");
    QTest::addColumn<QString>("pixels");
    QTest::newRow("ShearX 20") << 1 << 20 << QStringLiteral("57 114 171 228 91 148 205 0 125 182 0 0 102 159 0 0");
    QTest::newRow("ShearX -30") << 1 << -30 << QStringLiteral("57 114 171 228 0 34 91 148 0 0 11 68 0 0 0 239");
    QTest::newRow("ShearY 15") << 2 << 15 << QStringLiteral("57 91 148 182 34 68 125 159 11 45 102 0 239 0 0 0");
    QTest::newRow("TranslateX 2") << 3 << 2 << QStringLiteral("171 228 0 0 148 205 0 0 125 182 0 0 102 159 0 0");
    QTest::newRow("TranslateY -1") << 4 << -1 << QStringLiteral("0 0 0 0 57 114 171 228 34 91 148 205 11 68 125 182");
    QTest::newRow("Rotate 6") << 5 << 6 << QStringLiteral("0 171 228 0 57 91 148 182 34 68 125 159 0 239 45 0");
    QTest::newRow("Rotate -20") << 5 << -20
                                << QStringLiteral("239 11 34 57 45 68 91 114 102 125 148 171 159 182 205 228");
    QTest::newRow("Brightness 12") << 6 << 12
                                   << QStringLiteral("79 159 238 255 47 127 206 255 15 94 174 254 255 62 142 221");
    QTest::newRow("Brightness -25") << 6 << -25 << QStringLiteral("9 19 29 39 5 15 25 35 1 11 21 31 41 7 17 27");
    QTest::newRow("Color 20") << 7 << 20 << QStringLiteral("57 114 171 228 34 91 148 205 11 68 125 182 239 45 102 159");
    QTest::newRow("Contrast -18") << 8 << -18
                                  << QStringLiteral("96 119 143 166 87 110 133 156 78 101 124 147 170 91 115 138");
    QTest::newRow("Contrast 30") << 8 << 30 << QStringLiteral("0 104 217 255 0 58 171 255 0 12 125 239 255 0 80 193");
    QTest::newRow("Sharpness -30") << 9 << -30
                                   << QStringLiteral("57 114 171 228 34 91 148 205 11 86 125 182 239 45 102 159");
    QTest::newRow("Sharpness 15") << 9 << 15
                                  << QStringLiteral("57 114 171 228 34 91 148 205 11 58 125 182 239 45 102 159");
    QTest::newRow("Posterize 30") << 10 << 30 << QStringLiteral("0 64 128 192 0 64 128 192 0 64 64 128 192 0 64 128");
    QTest::newRow("Posterize -12") << 10 << -12
                                   << QStringLiteral("56 112 168 228 32 88 148 204 8 68 124 180 236 44 100 156");
    QTest::newRow("Solarize 17") << 11 << 17 << QStringLiteral("57 141 84 27 34 91 107 50 11 68 130 73 16 45 102 96");
    QTest::newRow("AutoContrast 0") << 12 << 0
                                    << QStringLiteral("51 115 178 242 25 89 153 216 0 63 127 191 255 38 101 165");
    QTest::newRow("Equalize 3") << 13 << 3
                                << QStringLiteral("51 119 188 239 17 85 154 222 0 68 137 205 255 34 102 171");
}

void TorchAugmentTest::trivialChangesAreTheirFormulas() {
    QFETCH(int, change);
    QFETCH(int, strength);
    QFETCH(QString, pixels);
    auto image = (torch::arange(1, 17, torch::kFloat32) * 57).remainder(251).view({1, 1, 4, 4});
    if (static_cast<data::ImageChange>(change) == data::ImageChange::Equalize) image = image.repeat({1, 1, 16, 16});
    auto found =
        data::changedImages(image, static_cast<data::ImageChange>(change), torch::full({1}, strength, torch::kFloat64));
    found = found.narrow(2, 0, 4).narrow(3, 0, 4).flatten();
    QStringList numbers;
    for (std::int64_t i = 0; i < 16; ++i) numbers << QString::number(found[i].item<int>());
    QCOMPARE(numbers.join(QLatin1Char(' ')), pixels);
}

void TorchAugmentTest::trivialAugmentKeepsWhatItDoesNotChange() {
    const std::int64_t count = 1400;
    auto dataset = placesDataset(8, 8);
    dataset.train.inputs = torch::randint(256, {count, 2, 8, 8}, torch::kUInt8);
    dataset.train.targets = torch::zeros({count}, torch::kInt64);
    const auto made = [&](std::uint64_t seed) {
        torch::manual_seed(seed);
        auto batch = data::gather(dataset, dataset.train, torch::arange(count));
        data::augmentBatch(batch, {.policy = "trivial"}, dataset);
        return batch.inputs;
    };
    const auto before = data::gather(dataset, dataset.train, torch::arange(count)).inputs, after = made(7);
    const auto same = after.eq(before).view({count, -1}).all(1).sum().item<std::int64_t>();
    // Nothing, colour with two channels, equal brightness of so few pixels, and strengths that do nothing: 3 / 14 and
    // some more, to the last bit.
    QVERIFY2(same > 3 * count / 14 - 60 && same < count / 3, qPrintable(QString::number(same)));
    QVERIFY(made(7).equal(after) && !made(8).equal(after));
    // Bytes, as gather() would make them.
    const auto bytes = (after.select(1, 0) * dataset.stddev[0] + dataset.mean[0]) * 255;
    QVERIFY((bytes - bytes.round()).abs().max().item<double>() < 1e-3);
    QVERIFY(bytes.min().item<double>() > -0.01 && bytes.max().item<double>() < 255.01);
}

void TorchAugmentTest::mixedTargetsAreTheSharesOfTheImages_data() {
    QTest::addColumn<double>("mixup");
    QTest::addColumn<double>("cutmix");
    QTest::newRow("mixup") << 0.4 << 0.0;
    QTest::newRow("cutmix") << 0.0 << 1.0;
    QTest::newRow("either") << 0.4 << 1.0;
}

// Images of one colour, that of their class: what is in an image tells its target.
void TorchAugmentTest::mixedTargetsAreTheSharesOfTheImages() {
    QFETCH(double, mixup);
    QFETCH(double, cutmix);
    auto dataset = placesDataset(10, 12);
    dataset.classes = 4;
    const std::int64_t count = 200;
    int whole = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        torch::manual_seed(seed);
        data::Batch batch{torch::empty({count, 2, 10, 12}), torch::arange(count).remainder(4)};
        batch.inputs.copy_(batch.targets.view({-1, 1, 1, 1}).expand_as(batch.inputs));
        data::augmentBatch(batch, {.mixup = mixup, .cutmix = cutmix}, dataset);
        QCOMPARE(batch.targets.scalar_type(), torch::kFloat32);
        QVERIFY(batch.targets.sum(1).sub(1).abs().max().item<double>() < 1e-6);
        const auto shown = batch.inputs.select(1, 0).mean({1, 2});
        const auto told = batch.targets.matmul(torch::arange(4, torch::kFloat32));
        QVERIFY(torch::allclose(shown, told, 1e-4, 1e-4));
        const bool pasted = batch.inputs.eq(batch.inputs.round()).all().item<bool>();
        QVERIFY(mixup > 0 ? cutmix > 0 || !pasted : pasted);
        whole += pasted ? 1 : 0;
        const double share =
            batch.targets.gather(1, torch::arange(count).remainder(4).unsqueeze(1)).mean().item<double>();
        QVERIFY2(share > 0.35 && share < 0.75, qPrintable(QString::number(share)));
    }
    if (mixup > 0 && cutmix > 0) QVERIFY(whole > 3 && whole < 17); // both ways come
}

QTEST_GUILESS_MAIN(TorchAugmentTest)
#include "torch_augment_test.moc"
