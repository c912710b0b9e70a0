// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/sources.h"

namespace trainyard::fetch {

namespace {

constexpr std::int64_t kCifar10Batch = 10'000 * (1 + 3072), kCifar100Image = 2 + 3072;

Source fashionMnist() {
    return {
        "fashion-mnist",
        "Fashion-MNIST",
        {{"train-images-idx3-ubyte.gz", 26'421'880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
         {"train-labels-idx1-ubyte.gz", 29'515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
         {"t10k-images-idx3-ubyte.gz", 4'422'102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
         {"t10k-labels-idx1-ubyte.gz", 5'148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}},
        {"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
         "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"}};
}

Source mnist() {
    return {
        "mnist",
        "MNIST",
        {{"train-images-idx3-ubyte.gz", 9'912'422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
         {"train-labels-idx1-ubyte.gz", 28'881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
         {"t10k-images-idx3-ubyte.gz", 1'648'877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
         {"t10k-labels-idx1-ubyte.gz", 4'542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}},
        {"https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/"}};
}

Source cifar10() {
    std::vector<Member> members{{"test_batch.bin", kCifar10Batch}};
    for (int i = 1; i <= 5; ++i) members.push_back({"data_batch_" + std::to_string(i) + ".bin", kCifar10Batch});
    return {"cifar10",
            "CIFAR-10",
            {{"cifar-10-binary.tar.gz", 170'052'171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
              members}},
            {"https://www.cs.toronto.edu/~kriz/",
             "https://mindspore-website.obs.cn-north-4.myhuaweicloud.com/notebook/datasets/"}};
}

Source cifar100() {
    return {"cifar100",
            "CIFAR-100",
            {{"cifar-100-binary.tar.gz",
              168'513'733,
              "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
              {{"train.bin", 50'000 * kCifar100Image}, {"test.bin", 10'000 * kCifar100Image}}}},
            {"https://www.cs.toronto.edu/~kriz/",
             "https://mindspore-website.obs.cn-north-4.myhuaweicloud.com/notebook/datasets/"}};
}

} // namespace

const std::vector<Source>& sources() {
    static const std::vector<Source> all{fashionMnist(), mnist(), cifar10(), cifar100()};
    return all;
}

} // namespace trainyard::fetch
