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
    ParallelEncoder(const Bpe& bpe, int threads)
        : m_bpe(bpe), m_threads(static_cast<std::size_t>(std::max(1, threads))) {}

    void add(const DocumentPart& part) {
        if (m_tasks.empty() || m_tasks.back().text.size() >= kTaskBytes) {
            if (m_tasks.size() == m_threads) run();
            m_tasks.emplace_back();
        }
        EncodeTask& task = m_tasks.back();
        task.text += part.text;
        task.ends.push_back(task.text.size());
        task.separated.push_back(m_begins && m_any && m_bpe.table().end >= 0);
        m_begins = part.isLast;
        m_any = true;
    }
    std::vector<std::int32_t> finish() {
        run();
        return std::move(m_tokens);
    }

private:
    void run() {
        while (m_encoders.size() < m_tasks.size()) m_encoders.emplace_back(m_bpe);
        std::vector<std::thread> threads;
        auto encoder = m_encoders.begin();
        for (EncodeTask& task : m_tasks) {
            BpeEncoder& own = *encoder++;
            if (m_tasks.size() == 1) encode(task, own);
            else threads.emplace_back([this, &task, &own] { encode(task, own); });
        }
        for (std::thread& thread : threads) thread.join();
        for (const EncodeTask& task : m_tasks) m_tokens.insert(m_tokens.end(), task.tokens.begin(), task.tokens.end());
        m_tasks.clear();
    }
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
    std::vector<std::int32_t> m_tokens;
    bool m_begins = true, m_any = false; // the next part begins a document; there was one
};

} // namespace

Result<std::vector<std::int32_t>> encodeDocuments(const DocumentFiles& documents, const std::string& field,
                                                  bool anyBytes, const Bpe& bpe, int threads) {
    ParallelEncoder encoder(bpe, threads);
    TY_TRY(eachDocument(documents, field, anyBytes, [&](const DocumentPart& part) -> Result<void> {
        encoder.add(part);
        return {};
    }));
    return encoder.finish();
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
