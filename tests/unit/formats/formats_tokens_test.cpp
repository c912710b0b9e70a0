// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers and documents: BPE as the reference algorithm does it, and files that are refused with place and reason.
#include "engine/formats/tokens/encode.h"
#include "engine/formats/tokens/pieces.h"
#include "engine/formats/tokens/text.h"
#include "engine/formats/tokens/tokenizer_file.h"
#include "tests/unit/file_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>

using namespace trainyard;
using namespace trainyard::formats;
using trainyard::tests::writeBytes;

namespace {

using Names = std::vector<std::string>;

Names piecesOf(std::string_view text) {
    Names pieces;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = pieceAt(text, at);
        pieces.emplace_back(text.substr(at, length));
        at += length;
    }
    return pieces;
}

// bpe() of openai/gpt-2's encoder.py, word by word: all places of the pair with the lowest rank are joined at once.
std::vector<std::int32_t> byReference(std::string_view text, const BpeTable& table) {
    std::map<std::pair<std::string, std::string>, std::size_t> ranks;
    std::map<std::string, std::int32_t> numbers;
    for (std::size_t i = 0; i < table.names.size(); ++i) numbers.emplace(table.names[i], static_cast<std::int32_t>(i));
    const auto name = [&](std::int32_t token) { return table.names[static_cast<std::size_t>(token)]; };
    for (const Merge& merge : table.merges) ranks.emplace(std::pair(name(merge.left), name(merge.right)), ranks.size());
    std::vector<std::int32_t> tokens;
    for (const std::string& piece : piecesOf(text)) {
        Names word;
        for (const char byte : piece) word.push_back(tokenName(std::string(1, byte)));
        for (;;) {
            std::size_t best = SIZE_MAX;
            std::pair<std::string, std::string> pair;
            for (std::size_t i = 0; i + 1 < word.size(); ++i) {
                const auto found = ranks.find({word[i], word[i + 1]});
                if (found == ranks.end() || found->second >= best) continue;
                best = found->second;
                pair = found->first;
            }
            if (best == SIZE_MAX) break;
            Names joined;
            for (std::size_t i = 0; i < word.size(); ++i) {
                const bool fits = i + 1 < word.size() && word[i] == pair.first && word[i + 1] == pair.second;
                joined.push_back(fits ? word[i] + word[i + 1] : word[i]);
                if (fits) ++i;
            }
            word = std::move(joined);
        }
        for (const std::string& each : word) tokens.push_back(numbers.at(each));
    }
    return tokens;
}

// Words, spaces, digits, letters of several scripts, and now and then a long word or bytes that are no UTF-8.
std::string someText(std::size_t size, unsigned seed, bool isUtf8 = false) {
    static const Names kParts{"the ",
                              "then",
                              " other",
                              "a",
                              "ab",
                              "abc ",
                              "\n",
                              "\n\n",
                              "  ",
                              "42",
                              "3.14",
                              "don't",
                              "we'll ",
                              "\u00df",
                              "\u4e2d",
                              "\u00e9t\u00e9",
                              "!",
                              "\t",
                              "\xF0\x9F\x98\x80",
                              "\u00a0",
                              "x_y",
                              "\xC3"};
    std::mt19937 random(seed);
    std::string text;
    while (text.size() < size) {
        text += kParts[random() % (kParts.size() - (isUtf8 ? 1 : 0))];
        if (random() % 200 == 0) text += std::string(random() % 400, 'a');
    }
    return text;
}

BpeTable learned(std::string_view text, std::int32_t size, bool withEnd = false) {
    BpeTrainer trainer;
    trainer.add(text);
    return trainer.train(size, withEnd);
}

} // namespace

class FormatsTokensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreCutAsGpt2Does_data();
    void textsAreCutAsGpt2Does();
    void tokensAreThoseOfTheReference();
    void theBestPairIsLearnedFirst();
    void documentsAreEncodedAlikeOnAnyThreads();
    void charactersOfSeveralPartsAreThoseOfTheWhole();
    void readsTokenizerFiles();
    void refusesOtherTokenizers_data();
    void refusesOtherTokenizers();
    void refusesBadDocuments_data();
    void refusesBadDocuments();

private:
    std::string write(const QString& name, const QByteArray& content) {
        const QString path = m_folder.filePath(name);
        writeBytes(path, content);
        return path.toStdString();
    }
    QTemporaryDir m_folder;
};

void FormatsTokensTest::textsAreCutAsGpt2Does_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArrayList>("pieces"); // as Python's regex gives them for the pattern of encoder.py
    const auto row = [](const char* name, const QByteArray& text, const QByteArrayList& pieces) {
        QTest::newRow(name) << text << pieces;
    };
    row("words", "Hello world", {"Hello", " world"});
    row("contractions", "we'll don't 'sup I'VE", {"we", "'ll", " don", "'t", " '", "sup", " I", "'", "VE"});
    row("spaces", "a  b   \n c", {"a", " ", " b", "   \n", " c"});
    row("spaces at the end", "a  ", {"a", "  "});
    row("line ends", "a\nb\n\nc", {"a", "\n", "b", "\n", "\n", "c"});
    row("numbers", "v2 is 3.14", {"v", "2", " is", " 3", ".", "14"});
    row("other scripts", "\u00fcber \u4e2d\u6587 \u0663", {"\u00fcber", " \u4e2d\u6587", " \u0663"});
    row("superscript is a number", "x\u00b2", {"x", "\u00b2"});
    row("a space that does not break", "a\u00a0b", {"a", "\u00a0", "b"});
    row("signs", "!? ...", {"!?", " ..."});
    row("a tab before a word", "\tx", {"\t", "x"});
    row("no UTF-8", "a\xC3 b", {"a", "\xC3", " b"});
}

void FormatsTokensTest::textsAreCutAsGpt2Does() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArrayList, pieces);
    QByteArrayList found;
    for (const std::string& piece : piecesOf(text.toStdString())) found << QByteArray::fromStdString(piece);
    QCOMPARE(found, pieces);
}

// Feature: byte-level BPE, learned or read, gives the tokens of GPT-2's algorithm, and the text comes back from them.
void FormatsTokensTest::tokensAreThoseOfTheReference() {
    const BpeTable table = learned(someText(20'000, 1), 400);
    QVERIFY(table.merges.size() > 100);
    const auto bpe = Bpe::make(table);
    QVERIFY2(bpe.ok(), bpe ? "" : bpe.error().text().c_str());
    for (unsigned seed = 2; seed < 12; ++seed) {
        const std::string text = someText(3000, seed);
        std::vector<std::int32_t> tokens;
        BpeEncoder(*bpe).encode(text, tokens);
        QCOMPARE(tokens, byReference(text, table));
        std::string back;
        for (const std::int32_t token : tokens) back += bpe->text(token);
        QCOMPARE(back, text);
    }
}

void FormatsTokensTest::theBestPairIsLearnedFirst() {
    const BpeTable table = learned("ab ab ab abc bc bc", 260, true);
    QCOMPARE(table.names.size(), std::size_t{260});
    const auto name = [&](std::int32_t token) { return table.names[static_cast<std::size_t>(token)]; };
    QCOMPARE(name(table.merges[0].into), "ab");       // four times
    QCOMPARE(name(table.merges[1].into), "\u0120ab"); // three times
    QCOMPARE(table.names.back(), std::string(kEndOfText));
    QCOMPARE(table.end, 259);
    QCOMPARE(learned("ab", 300).names.size(), std::size_t{256}); // no pair comes twice
}

void FormatsTokensTest::documentsAreEncodedAlikeOnAnyThreads() {
    write("many/b/two.txt", QByteArray::fromStdString(someText(5'000'000, 3, true)));
    write("many/a.txt", "\xEF\xBB\xBF"
                        "first");
    write("many/c.jsonl", "{\"text\": \"third\"}\n\n{\"n\": 1, \"text\": \"fourth \\u00e9\"}\n");
    write("many/.hidden.txt", "no");
    write("many/picture.png", "no");
    const auto documents = documentsBelow(m_folder.filePath("many").toStdString());
    QVERIFY2(documents.ok(), documents ? "" : documents.error().text().c_str());
    QCOMPARE(documents->files.size(), std::size_t{3});
    QCOMPARE(documents->passedOver, std::size_t{1});
    const auto bpe = Bpe::make(learned(someText(20'000, 1), 400, true));
    const auto one = encodeDocuments(*documents, "text", false, *bpe, 1);
    const auto three = encodeDocuments(*documents, "text", false, *bpe, 3);
    QVERIFY2(one.ok() && three.ok(), one ? "" : one.error().text().c_str());
    QVERIFY(*one == *three);
    QCOMPARE(std::count(one->begin(), one->end(), bpe->table().end), 3);
    std::string back;
    for (const std::int32_t token : *one) back += bpe->text(token);
    QVERIFY(back.starts_with("first<|endoftext|>"));
    QVERIFY(back.ends_with("<|endoftext|>third<|endoftext|>fourth \u00e9"));
}

void FormatsTokensTest::charactersOfSeveralPartsAreThoseOfTheWhole() {
    const std::string text = "one\r\ntwo\n\u00e9\u00e9nd";
    CharacterTokens whole, parts;
    QVERIFY(whole.add({text, true, "t", 0}).ok());
    const std::size_t cut = text.find("\n\u00e9");
    QVERIFY(parts.add({std::string_view(text).substr(0, cut), false, "t", 0}).ok());
    QVERIFY(parts.add({std::string_view(text).substr(cut), true, "t", cut}).ok());
    const CharacterText one = whole.finish(), two = parts.finish();
    QCOMPARE(one.tokens, two.tokens);
    QCOMPARE(one.vocabulary, two.vocabulary);
    QVERIFY(std::find(one.vocabulary.begin(), one.vocabulary.end(), "\r") == one.vocabulary.end());
}

namespace {

QByteArray vocabularyText(const BpeTable& table) {
    QByteArray text = "{";
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        QByteArray name = QByteArray::fromStdString(table.names[i]);
        name.replace("\\", "\\\\").replace("\"", "\\\"");
        text += (i > 0 ? ", \"" : "\"") + name + "\": " + QByteArray::number(qulonglong(i));
    }
    return text + "}";
}

QByteArray mergesText(const BpeTable& table, const QByteArray& before, const QByteArray& between) {
    QByteArray text;
    for (const Merge& merge : table.merges) {
        const auto name = [&](std::int32_t token) {
            return QByteArray::fromStdString(table.names[static_cast<std::size_t>(token)]);
        };
        text += (text.isEmpty() ? "" : between) + before + name(merge.left) + " " + name(merge.right) + before;
    }
    return text;
}

} // namespace

void FormatsTokensTest::readsTokenizerFiles() {
    const std::string sample = "ab ab abc then the other other";
    const BpeTable table = learned(sample, 270);
    const std::string vocabulary = write("gpt2/vocab.json", vocabularyText(table));
    write("gpt2/merges.txt", "#version: 0.2\n" + mergesText(table, "", "\n") + "\n");
    const std::string whole =
        write("tokenizer.json", R"({"version": "1.0", "normalizer": null, "added_tokens": [{"id": )" +
                                    QByteArray::number(qulonglong(table.names.size())) +
                                    R"(, "content": "<|endoftext|>", "special": true}], "pre_tokenizer": )"
                                    R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}, "model": )"
                                    R"({"type": "BPE", "vocab": )" +
                                    vocabularyText(table) + R"(, "merges": [)" + mergesText(table, "\"", ", ") + "]}}");
    for (const std::string& file : {vocabulary, whole}) {
        const auto bpe = readTokenizer(file);
        QVERIFY2(bpe.ok(), bpe ? "" : bpe.error().text().c_str());
        std::vector<std::int32_t> tokens;
        BpeEncoder(*bpe).encode(sample, tokens);
        QCOMPARE(tokens, byReference(sample, table));
        QCOMPARE(bpe->table().end, file == whole ? static_cast<std::int32_t>(table.names.size()) : -1);
    }
}

// Bad inputs: tokenizers.
void FormatsTokensTest::refusesOtherTokenizers_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("merges");
    QTest::addColumn<QString>("says");
    const BpeTable table = learned("ab ab ab", 258);
    const QByteArray known = vocabularyText(table);
    const auto whole = [&](const QByteArray& before, const QByteArray& type, const QByteArray& pieces) {
        return "{" + before + "\"pre_tokenizer\": " + pieces + R"(, "model": {"type": ")" + type + R"(", "vocab": )" +
               known + R"(, "merges": []}})";
    };
    const QByteArray bytes = R"({"type": "ByteLevel", "add_prefix_space": false})";
    QTest::newRow("no JSON") << QByteArray("#version: 0.2\na b\n") << QByteArray() << "is no tokenizer";
    QTest::newRow("WordPiece") << whole("", "WordPiece", bytes) << QByteArray() << "and not BPE";
    QTest::newRow("normaliser") << whole(R"("normalizer": {"type": "NFC"}, )", "BPE", bytes) << QByteArray()
                                << "changes the text before it is cut (normalizer)";
    QTest::newRow("prefix space") << whole("", "BPE", R"({"type": "ByteLevel", "add_prefix_space": true})")
                                  << QByteArray() << "does not cut texts as GPT-2 does";
    QTest::newRow("another pattern") << whole("", "BPE", R"({"type": "Sequence", "pretokenizers": []})") << QByteArray()
                                     << "does not cut texts as GPT-2 does";
    QTest::newRow("no bytes") << QByteArray(R"({"a": 0, "b": 1})") << QByteArray()
                              << "the vocabulary has no token for byte 0";
    QTest::newRow("a gap") << QByteArray(R"({"a": 0, "b": 2})") << QByteArray() << "no token has the number 1";
    QTest::newRow("twice") << QByteArray(R"({"a": 0, "b": 0})") << QByteArray() << "the number 0 stands for two tokens";
    QTest::newRow("huge number") << QByteArray(R"({"a": 4000000000})") << QByteArray()
                                 << "the token \"a\" has no number from 0 to 999999";
    QTest::newRow("merges of another vocabulary")
        << known << QByteArray("a b\nx y\n") << "merges.txt, line 2: the vocabulary has no token \"xy\"";
    QTest::newRow("no merge") << known << QByteArray("a b c\n")
                              << "merges.txt, line 1: is not two tokens with a space between them";
}

void FormatsTokensTest::refusesOtherTokenizers() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, merges);
    QFETCH(QString, says);
    const std::string file = write("bad/vocab.json", content);
    write("bad/merges.txt", merges);
    const auto bpe = readTokenizer(file);
    QVERIFY(!bpe.ok());
    const QString text = QString::fromStdString(bpe.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY2(!bpe.error().remedy.empty() && text.contains(m_folder.path()), qPrintable(text));
}

// Bad inputs: folders and JSON lines of texts.
void FormatsTokensTest::refusesBadDocuments_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("no texts") << "a.png" << QByteArray("x") << "has no texts in it (.txt, .md, .jsonl";
    QTest::newRow("no UTF-8") << "a.txt" << QByteArray("abc\xFFxyz") << "a.txt, byte 3: is not UTF-8: byte 0xff";
    QTest::newRow("cut character") << "a.txt" << QByteArray("abc\xC3") << "a.txt, byte 3: is not UTF-8";
    QTest::newRow("NUL") << "a.txt" << QByteArray("a\0b", 3) << "a.txt, byte 1: has a NUL byte";
    QTest::newRow("UTF-16") << "a.md"
                            << QByteArray("\xFF\xFE"
                                          "a\0",
                                          4)
                            << "byte 0: is text in UTF-16";
    QTest::newRow("empty") << "a.txt" << QByteArray() << "a.txt, byte 0: is empty";
    QTest::newRow("no JSON") << "a.jsonl" << QByteArray("{\"text\": \"a\"}\nnonsense\n")
                             << "a.jsonl, line 2: is not a JSON object";
    QTest::newRow("another member") << "a.jsonl" << QByteArray("{\"body\": \"a\"}\n")
                                    << "a.jsonl, line 1: has no text \"text\" (set dataset.params.field";
    QTest::newRow("a number") << "a.jsonl" << QByteArray("{\"text\": 1}\n") << "a.jsonl, line 1: has no text \"text\"";
}

void FormatsTokensTest::refusesBadDocuments() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QString folder = "documents " + QString(QTest::currentDataTag());
    write(folder + "/" + name, content);
    const auto documents = documentsBelow(m_folder.filePath(folder).toStdString());
    const auto take = [](const DocumentPart&) -> Result<void> { return {}; };
    const auto read = documents ? eachDocument(*documents, "text", false, take) : Result<void>(documents.error());
    QVERIFY(!read.ok());
    const QString text = QString::fromStdString(read.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
}

QTEST_GUILESS_MAIN(FormatsTokensTest)
#include "formats_tokens_test.moc"
