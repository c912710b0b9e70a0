// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/picture_set.h"

#include "engine/base/math/sha256.h"
#include "engine/torch/data/substitute.h"

#include <algorithm>
#include <numeric>

namespace trainyard::data {

namespace {

// Files of fewer bytes together are decoded by each process.
constexpr std::int64_t kLeastKept = std::int64_t{1} << 20;

} // namespace

AllPictures allOf(const ImageParts& parts) {
    AllPictures all;
    auto files = std::make_shared<formats::FileNames>();
    std::size_t part = 0;
    for (const ImageListing* each : {&parts.train, &parts.validation, &parts.test}) {
        files->append(each->files);
        all.counts[part++] = static_cast<std::int64_t>(each->files.size());
    }
    all.facts = formats::factsOf(*files);
    all.files = std::move(files);
    return all;
}

PackKey keyOf(const AllPictures& all, const std::vector<std::int64_t>& numbers, const PictureForm& form) {
    Sha256 hash;
    const auto add = [&](const std::string& text) { hash.add(text.c_str(), text.size() + 1); };
    add("pictures 1 " + std::to_string(form.width) + " " + std::to_string(form.height) + " " +
        std::to_string(form.channels) + (form.crop ? " crop" : " stretch"));
    for (const std::int64_t number : numbers) {
        const auto i = static_cast<std::size_t>(number);
        add(std::filesystem::absolute((*all.files)[i]).string());
        add(std::to_string(all.facts[i].size) + " " + std::to_string(all.facts[i].changed));
    }
    return {hash.hex(), form, static_cast<std::int64_t>(numbers.size())};
}

std::vector<std::int64_t> upTo(std::int64_t n) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

KeptPictures::Store storeFor(const AllPictures& all) {
    std::int64_t bytes = 0;
    for (const formats::FileFacts& file : all.facts) bytes += file.size;
    return bytes < kLeastKept ? KeptPictures::Store{} : KeptPictures::usualStore();
}

Reasons unreadableIn(const KeptPictures* kept) {
    if (!kept) return {};
    return {kept->unreadable().begin(), kept->unreadable().end()};
}

Result<std::shared_ptr<const KeptPictures>> decoded(const Listed& listed, const PictureForm& form, bool glance,
                                                    std::vector<std::string>& notes) {
    std::shared_ptr<const KeptPictures> kept;
    const auto count = static_cast<std::int64_t>(listed.all.files->size());
    const PackKey key = keyOf(listed.all, upTo(count), form);
    if (glance) kept = KeptPictures::find(listed.all.files, key, storeFor(listed.all));
    if (glance && (kept || count > kGlanced)) return kept;
    return KeptPictures::make(listed.all.files, key, storeFor(listed.all), notes);
}

Reasons goneOf(const Listed& listed, const KeptPictures* kept) {
    Reasons gone = kept ? unreadableIn(kept) : listed.gone;
    for (auto& [number, why] : gone)
        if (const auto told = listed.gone.find(number); told != listed.gone.end()) why = told->second;
    std::erase_if(gone, [&](const auto& each) { return listed.leftOut.contains(each.first); });
    return gone;
}

void replaceGone(Split& split, const Reasons& gone, std::int64_t seed) {
    if (gone.empty() || split.size() == 0) return;
    const torch::Tensor rows = split.rows.clone(), targets = split.targets.clone();
    const auto* const row = rows.data_ptr<std::int64_t>();
    split.rows = rows.clone();
    split.targets = targets.clone();
    for (std::int64_t i = 0; i < split.size(); ++i) {
        std::int64_t other = i;
        for (std::int64_t k = 0; k < kMostSubstitutes && gone.contains(row[other]); ++k)
            other = substituteOf(i, k, seed, split.size());
        if (other == i) continue;
        split.rows[i] = row[other];
        split.targets[i] = targets[other];
    }
}

} // namespace trainyard::data
