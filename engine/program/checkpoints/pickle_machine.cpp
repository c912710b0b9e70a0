// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/pickle_machine.h"

#include "engine/base/text/printable.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace trainyard::program {
namespace {

// The instructions, by Python's names (Lib/pickletools.py).
enum Op : unsigned char {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    kFloat = 'F',
    kInt = 'I',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kLong = 'L',
    kBinInt2 = 'M',
    kNone = 'N',
    kPersId = 'P',
    kBinPersId = 'Q',
    kReduce = 'R',
    kString = 'S',
    kBinString = 'T',
    kShortBinString = 'U',
    kUnicode = 'V',
    kBinUnicode = 'X',
    kAppend = 'a',
    kBuild = 'b',
    kGlobal = 'c',
    kDict = 'd',
    kAppends = 'e',
    kGet = 'g',
    kBinGet = 'h',
    kInst = 'i',
    kLongBinGet = 'j',
    kList = 'l',
    kObj = 'o',
    kPut = 'p',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kSetItem = 's',
    kTuple = 't',
    kSetItems = 'u',
    kBinFloat = 'G',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kEmptyTuple = ')',
    kEmptyList = ']',
    kEmptyDict = '}',
    kProto = 0x80,
    kNewObj = 0x81,
    kExt1 = 0x82,
    kExt2 = 0x83,
    kExt4 = 0x84,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kNewObjEx = 0x92,
    kStackGlobal = 0x93,
    kMemoize = 0x94,
    kFrame = 0x95,
    kByteArray8 = 0x96,
    kNextBuffer = 0x97,
    kReadonlyBuffer = 0x98,
};

class Machine {
public:
    Machine(PickleTree& tree, const PickleLimits& limits) : m_tree(tree), m_limits(limits), m_pickle(tree.pickle()) {
        m_none = m_tree.addPlain(PickleKind::None);
    }

    // Empty: it was read to its end.
    const std::string& run() {
        while (m_problem.empty() && !m_ended) {
            if (m_at >= m_pickle.size()) fail("it does not end");
            else if (m_tree.size() > m_limits.values || m_stack.size() > m_limits.values || m_marks.size() > kMostMarks)
                fail("it holds more than " + std::to_string(m_limits.values) + " values, the most that are read");
            else step(static_cast<unsigned char>(m_pickle[m_at++]));
        }
        return m_problem;
    }
    std::size_t at() const { return m_at; }

private:
    // Brackets within brackets: Python itself has no limit, but no checkpoint comes near.
    static constexpr std::size_t kMostMarks = 100'000;

    void fail(std::string why) {
        if (m_problem.empty()) m_problem = std::move(why);
    }
    void step(unsigned char op) {
        if (!number(op) && !text(op) && !memo(op) && !container(op) && !collect(op) && !code(op) && !other(op))
            fail("0x" + hex(op) + " is no instruction");
    }
    static std::string hex(unsigned char op) {
        constexpr const char* digits = "0123456789abcdef";
        return {digits[op >> 4], digits[op & 15]};
    }

    // Bytes of the pickle.
    std::uint64_t little(unsigned count) {
        if (m_pickle.size() - m_at < count) return fail("it is cut short"), 0;
        std::uint64_t value = 0;
        for (unsigned i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(m_pickle[m_at + i]);
        m_at += count;
        return value;
    }
    void skip(std::uint64_t count) {
        if (count > m_pickle.size() - m_at) fail("it is cut short");
        else m_at += static_cast<std::size_t>(count);
    }
    std::string_view line() {
        const auto end = m_pickle.find('\n', m_at);
        if (end == m_pickle.npos) return fail("it is cut short"), std::string_view();
        const auto found = std::string_view(m_pickle).substr(m_at, end - m_at);
        m_at = end + 1;
        return found;
    }

    // The stack, of which what lies below the last mark is out of reach.
    std::size_t base() const { return m_marks.empty() ? 0 : m_marks.back(); }
    void push(PickleId id) { m_stack.push_back(id); }
    PickleId pop() {
        if (m_stack.size() <= base()) return fail("it takes a value that is not there"), m_none;
        const PickleId id = m_stack.back();
        m_stack.pop_back();
        return id;
    }
    PickleId top() {
        if (m_stack.size() <= base()) return fail("it takes a value that is not there"), m_none;
        return m_stack.back();
    }
    // Those above the last mark, which goes.
    std::vector<PickleId> popToMark() {
        if (m_marks.empty()) return fail("it takes a mark that is not there"), std::vector<PickleId>();
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleId> all(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return all;
    }

    bool number(unsigned char op) {
        switch (op) {
        case kNone: push(m_none); break;
        case kNewTrue:
        case kNewFalse: push(m_tree.addInteger(PickleKind::Bool, op == kNewTrue)); break;
        case kBinInt: push(m_tree.addInteger(PickleKind::Int, static_cast<std::int32_t>(little(4)))); break;
        case kBinInt1: push(m_tree.addInteger(PickleKind::Int, static_cast<std::int64_t>(little(1)))); break;
        case kBinInt2: push(m_tree.addInteger(PickleKind::Int, static_cast<std::int64_t>(little(2)))); break;
        case kInt:
        case kLong: lineNumber(line()); break;
        case kLong1: longNumber(little(1)); break;
        case kLong4: longNumber(little(4)); break;
        case kFloat: push(m_tree.addNumber(std::strtod(std::string(line().substr(0, 64)).c_str(), nullptr))); break;
        case kBinFloat: push(m_tree.addNumber(std::bit_cast<double>(__builtin_bswap64(little(8))))); break;
        default: return false;
        }
        return true;
    }
    void lineNumber(std::string_view digits) {
        if (digits == "00" || digits == "01") return push(m_tree.addInteger(PickleKind::Bool, digits == "01"));
        if (digits.ends_with('L')) digits.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (problem == std::errc() && end == digits.data() + digits.size())
            push(m_tree.addInteger(PickleKind::Int, value));
        else push(m_tree.addPlain(PickleKind::Other));
    }
    // In two's complement.
    void longNumber(std::uint64_t count) {
        if (count > 8) {
            skip(count);
            return push(m_tree.addPlain(PickleKind::Other));
        }
        const auto bits = static_cast<unsigned>(8 * count);
        std::uint64_t value = little(static_cast<unsigned>(count));
        if (bits > 0 && bits < 64 && (value >> (bits - 1) & 1) != 0) value |= ~std::uint64_t{0} << bits;
        push(m_tree.addInteger(PickleKind::Int, static_cast<std::int64_t>(value)));
    }

    bool text(unsigned char op) {
        switch (op) {
        case kString: quoted(line()); break;
        case kUnicode: pushText(PickleKind::Text, line()); break;
        case kBinString:
        case kBinUnicode: counted(PickleKind::Text, little(4)); break;
        case kShortBinString:
        case kShortBinUnicode: counted(PickleKind::Text, little(1)); break;
        case kBinUnicode8: counted(PickleKind::Text, little(8)); break;
        case kBinBytes: counted(PickleKind::Bytes, little(4)); break;
        case kShortBinBytes: counted(PickleKind::Bytes, little(1)); break;
        case kBinBytes8:
        case kByteArray8: counted(PickleKind::Bytes, little(8)); break;
        default: return false;
        }
        return true;
    }
    void pushText(PickleKind kind, std::string_view text) {
        push(m_tree.addText(kind, m_problem.empty() ? static_cast<std::size_t>(text.data() - m_pickle.data()) : 0,
                            text.size()));
    }
    void quoted(std::string_view text) {
        if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) text = text.substr(1, text.size() - 2);
        pushText(PickleKind::Text, text);
    }
    void counted(PickleKind kind, std::uint64_t length) {
        const std::size_t begin = m_at;
        skip(length);
        if (m_problem.empty()) push(m_tree.addText(kind, begin, static_cast<std::size_t>(length)));
    }

    bool memo(unsigned char op) {
        switch (op) {
        case kPut: put(memoNumber(line())); break;
        case kBinPut: put(little(1)); break;
        case kLongBinPut: put(little(4)); break;
        case kMemoize: put(m_remembered); break;
        case kGet: get(memoNumber(line())); break;
        case kBinGet: get(little(1)); break;
        case kLongBinGet: get(little(4)); break;
        default: return false;
        }
        return true;
    }
    std::uint64_t memoNumber(std::string_view digits) {
        std::uint64_t value = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (problem != std::errc() || end != digits.data() + digits.size())
            fail("it remembers a value under no number");
        return value;
    }
    // Writers number them one by one.
    void put(std::uint64_t number) {
        const PickleId id = top();
        if (!m_problem.empty()) return;
        if (number >= m_limits.values) return fail("it remembers a value as number " + std::to_string(number));
        if (number >= m_memo.size()) m_memo.resize(static_cast<std::size_t>(number) + 1, kNothing);
        m_remembered += m_memo[static_cast<std::size_t>(number)] == kNothing ? 1 : 0;
        m_memo[static_cast<std::size_t>(number)] = id;
    }
    void get(std::uint64_t number) {
        if (!m_problem.empty()) return;
        if (number >= m_memo.size() || m_memo[static_cast<std::size_t>(number)] == kNothing)
            return fail("it takes value " + std::to_string(number) + ", which it has not remembered");
        push(m_memo[static_cast<std::size_t>(number)]);
    }

    bool container(unsigned char op) {
        switch (op) {
        case kMark: m_marks.push_back(m_stack.size()); break;
        case kEmptyTuple: push(m_tree.addPlain(PickleKind::Tuple)); break;
        case kEmptyList: push(m_tree.addPlain(PickleKind::List)); break;
        case kEmptyDict: push(m_tree.addPlain(PickleKind::Dict)); break;
        case kEmptySet: push(m_tree.addPlain(PickleKind::Set)); break;
        case kTuple1:
        case kTuple2:
        case kTuple3: tupleOf(op - kTuple1 + 1); break;
        case kTuple: push(collected(PickleKind::Tuple, popToMark())); break;
        case kList: push(collected(PickleKind::List, popToMark())); break;
        case kFrozenSet: push(collected(PickleKind::Set, popToMark())); break;
        case kDict: {
            auto all = popToMark();
            if (all.size() % 2 != 0) fail("a key has no value");
            push(collected(PickleKind::Dict, all));
            break;
        }
        default: return false;
        }
        return true;
    }
    PickleId collected(PickleKind kind, const std::vector<PickleId>& all) {
        const PickleId id = m_tree.addPlain(kind);
        for (const PickleId each : all) m_tree.append(id, each);
        return id;
    }
    void tupleOf(int count) {
        std::vector<PickleId> all(static_cast<std::size_t>(count));
        for (int i = count; i-- > 0;) all[static_cast<std::size_t>(i)] = pop();
        push(collected(PickleKind::Tuple, all));
    }

    bool collect(unsigned char op) {
        switch (op) {
        case kAppend: appendTo(false, {pop()}); break;
        case kAppends:
        case kAddItems: appendTo(false, popToMark()); break;
        case kSetItem: {
            const PickleId value = pop(), key = pop();
            appendTo(true, {key, value});
            break;
        }
        case kSetItems: appendTo(true, popToMark()); break;
        default: return false;
        }
        return true;
    }
    void appendTo(bool pairs, const std::vector<PickleId>& all) {
        const PickleId to = top();
        const PickleKind kind = m_tree.kind(to);
        const bool takes = pairs ? kind == PickleKind::Dict : kind == PickleKind::List || kind == PickleKind::Set;
        if (!takes && kind != PickleKind::Object) return fail("it adds to what holds nothing");
        if (pairs && all.size() % 2 != 0) return fail("a key has no value");
        if (kind == PickleKind::Object && !pairs) return; // of an object only what has a name counts
        for (const PickleId each : all) m_tree.append(to, each);
    }

    bool code(unsigned char op) {
        switch (op) {
        case kGlobal: {
            const std::string module(line());
            name(module, line());
            break;
        }
        case kStackGlobal: {
            const PickleId attribute = pop(), module = pop();
            name(textOr(module), textOr(attribute));
            break;
        }
        case kInst: {
            const std::string module(line());
            name(module, line());
            const PickleId callable = pop();
            called(callable, collected(PickleKind::Tuple, popToMark()));
            break;
        }
        case kObj: {
            auto all = popToMark();
            if (all.empty()) return fail("it calls nothing"), true;
            const PickleId callable = all.front();
            all.erase(all.begin());
            called(callable, collected(PickleKind::Tuple, all));
            break;
        }
        case kNewObjEx: {
            pop(); // its named arguments
            const PickleId arguments = pop(), callable = pop();
            called(callable, arguments);
            break;
        }
        case kReduce:
        case kNewObj: {
            const PickleId arguments = pop(), callable = pop();
            called(callable, arguments);
            break;
        }
        case kExt1:
        case kExt2:
        case kExt4: {
            const auto number = little(op == kExt1 ? 1 : op == kExt2 ? 2 : 4);
            push(m_tree.addCode("copyreg extension " + std::to_string(number)));
            break;
        }
        case kBuild: {
            const PickleId state = pop(), object = top();
            if (m_tree.is(object, PickleKind::Object)) m_tree.setState(object, state);
            break;
        }
        default: return false;
        }
        return true;
    }
    std::string textOr(PickleId id) const {
        return m_tree.is(id, PickleKind::Text) ? std::string(m_tree.text(id)) : "(computed)";
    }
    void name(const std::string& module, std::string_view attribute) {
        constexpr std::size_t kMostCode = 10'000, kMostText = 500;
        if (m_tree.code().size() >= kMostCode) return fail("it names more than 10000 functions and classes");
        push(m_tree.addCode(module.substr(0, kMostText) + "." + std::string(attribute.substr(0, kMostText))));
    }
    // The dictionaries of the library are dictionaries.
    void called(PickleId callable, PickleId arguments) {
        const std::string_view named = m_tree.is(callable, PickleKind::Code) ? m_tree.text(callable) : "";
        if (named != "collections.OrderedDict" && named != "collections.defaultdict")
            return push(m_tree.addObject(callable, arguments));
        const PickleId dict = m_tree.addPlain(PickleKind::Dict);
        push(dict);
        const auto given = m_tree.items(arguments);
        if (given.empty()) return;
        for (const PickleId pair : m_tree.items(given.back()))
            if (const auto parts = m_tree.items(pair); parts.size() == 2)
                for (const PickleId part : parts) m_tree.append(dict, part);
    }

    bool other(unsigned char op) {
        switch (op) {
        case kProto: {
            const auto protocol = little(1);
            if (protocol > 5) fail("it has protocol " + std::to_string(protocol) + ", 5 is the newest that is known");
            break;
        }
        case kFrame: skip(8); break;
        case kPersId: {
            pushText(PickleKind::Text, line());
            push(m_tree.addPersistent(pop()));
            break;
        }
        case kBinPersId: push(m_tree.addPersistent(pop())); break;
        case kNextBuffer: push(m_tree.addPlain(PickleKind::Other)); break;
        case kReadonlyBuffer: break;
        case kPop:
            if (m_stack.size() == base() && !m_marks.empty()) m_marks.pop_back();
            else pop();
            break;
        case kPopMark: popToMark(); break;
        case kDup: push(top()); break;
        case kStop:
            m_tree.setRoot(pop());
            m_ended = true;
            break;
        default: return false;
        }
        return true;
    }

    static constexpr PickleId kNothing = 0xffffffff;

    PickleTree& m_tree;
    const PickleLimits& m_limits;
    const std::string& m_pickle;
    std::size_t m_at = 0;
    PickleId m_none = 0;
    std::vector<PickleId> m_stack{}, m_memo{};
    std::vector<std::size_t> m_marks{}; // sizes of the stack
    std::uint64_t m_remembered = 0;     // how many
    bool m_ended = false;
    std::string m_problem{};
};

} // namespace

ReadPickle readPickle(std::string pickle, const std::string& where, const PickleLimits& limits) {
    const std::size_t size = pickle.size();
    ReadPickle read{PickleTree(size > limits.bytes ? std::string() : std::move(pickle))};
    if (size > limits.bytes) {
        read.problem = inputError("has a pickle of " + std::to_string(size) + " bytes, the most that is read is " +
                                      std::to_string(limits.bytes),
                                  where, "read the file with the program that wrote it");
        return read;
    }
    Machine machine(read.tree, limits);
    const std::string& problem = machine.run();
    read.bytes = machine.at();
    if (!problem.empty())
        read.problem = inputError("has a pickle that cannot be read: " + printable(problem),
                                  where + ", byte " + std::to_string(machine.at()) + " of the pickle",
                                  "copy or save the file again");
    return read;
}

} // namespace trainyard::program
