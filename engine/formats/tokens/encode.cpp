// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/encode.h"

#include <algorithm>
#include <list>
#include <thread>

namespace trainyard::formats {

namespace {

constexpr std::size_t kTaskBytes = 2u << 20;

// What one thread encodes at a time: parts of documents one after the other.
struct EncodeTask {
    std::string text;
    std::vector<std::size_t> ends; // of the parts in it
    std::vector<bool> separated;   // whether an end token stands before a part
    std::vector<std::int32_t> tokens;
};

class ParallelEncoder {
public:
    using Taker = std::function<Result<void>(std::span<const std::int32_t>)>;

    ParallelEncoder(const Bpe& bpe, int threads, const Taker& take)
        : m_bpe(bpe), m_threads(static_cast<std::size_t>(std::max(1, threads))), m_take(take) {}

    Result<void> add(const DocumentPart& part) {
        if (m_tasks.empty() || m_tasks.back().text.size() >= kTaskBytes) {
            if (m_tasks.size() == m_threads) TY_TRY(run());
            m_tasks.emplace_back();
        }
        EncodeTask& task = m_tasks.back();
        task.text += part.text;
        task.ends.push_back(task.text.size());
        task.separated.push_back(m_begins && m_any && m_bpe.table().end >= 0);
        m_begins = part.isLast;
        m_any = true;
        return {};
    }

    Result<void> run() { // to be called once more at the end
        while (m_encoders.size() < m_tasks.size()) m_encoders.emplace_back(m_bpe);
        std::vector<std::thread> threads;
        auto encoder = m_encoders.begin();
        for (EncodeTask& task : m_tasks) {
            BpeEncoder& own = *encoder++;
            if (m_tasks.size() == 1) encode(task, own);
            else threads.emplace_back([this, &task, &own] { encode(task, own); });
        }
        for (std::thread& thread : threads) thread.join();
        for (const EncodeTask& task : m_tasks) TY_TRY(m_take(task.tokens));
        m_tasks.clear();
        return {};
    }

private:
    void encode(EncodeTask& task, BpeEncoder& encoder) const {
        task.tokens.reserve(task.text.size() / 3);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < task.ends.size(); ++i) {
            if (task.separated[i]) task.tokens.push_back(m_bpe.table().end);
            encoder.encode(std::string_view(task.text).substr(begin, task.ends[i] - begin), task.tokens);
            begin = task.ends[i];
        }
    }

    const Bpe& m_bpe;
    std::size_t m_threads;
    std::list<EncodeTask> m_tasks;
    std::list<BpeEncoder> m_encoders; // of the tasks, kept for the words that they know
    const Taker& m_take;
    bool m_begins = true, m_any = false; // the next part begins a document; there was one
};

} // namespace

Result<void> encodeDocuments(const DocumentFiles& documents, const std::string& field, bool anyBytes, const Bpe& bpe,
                             int threads, const std::function<Result<void>(std::span<const std::int32_t>)>& take) {
    ParallelEncoder encoder(bpe, threads, take);
    TY_TRY(eachDocument(documents, field, anyBytes, [&](const DocumentPart& part) { return encoder.add(part); }));
    return encoder.run();
}

Result<std::vector<std::int32_t>> encodeDocuments(const DocumentFiles& documents, const std::string& field,
                                                  bool anyBytes, const Bpe& bpe, int threads) {
    std::vector<std::int32_t> all;
    TY_TRY(encodeDocuments(documents, field, anyBytes, bpe, threads,
                           [&](std::span<const std::int32_t> tokens) -> Result<void> {
                               all.insert(all.end(), tokens.begin(), tokens.end());
                               return {};
                           }));
    return all;
}

Result<BpeTable> trainBpe(const DocumentFiles& documents, const std::string& field, std::int32_t size) {
    BpeTrainer trainer;
    bool enough = false;
    const auto learned = eachDocument(documents, field, false, [&](const DocumentPart& part) -> Result<void> {
        enough = enough || !trainer.add(part.text);
        return {};
    });
    TY_TRY(learned);
    return trainer.train(size, documents.several());
}

} // namespace trainyard::formats
