// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of one JSON object into members and collects what is wrong. Only for engine/spec.
#pragma once

#include "engine/spec/run/program_spec.h"
#include "engine/spec/values/json_tree.h"
#include "engine/spec/values/params.h"

#include <filesystem>
#include <optional>
#include <set>

namespace trainyard::spec {

// How a Choice is written: {"name": "mlp", "params": {…}} or {"name": "sgd", "lr": 0.1}. Either way its name alone
// will do: "mlp".
template <class C>
struct Nested {
    C& choice;
};
template <class C>
Nested(C&) -> Nested<C>;
// A model: Nested, and beside "params" the weights that it begins with.
template <class C, class W>
struct WithWeights {
    C& choice;
    W& weights;
};
template <class C, class W>
WithWeights(C&, W&) -> WithWeights<C, W>;
// Whether an object may hold objects.
template <class C>
struct Flat {
    C& choice;
};
template <class C>
Flat(C&) -> Flat<C>;

// A program's arguments: by name in an object, or as words in a list.
template <class A, class W>
struct Arguments {
    A& byName;
    W& words;
};
template <class A, class W>
Arguments(A&, W&) -> Arguments<A, W>;

// Patterns of names, written as one text: "conv1*, layer1.*". A list of texts is read, too.
template <class P>
struct Patterns {
    P& patterns;
};
template <class P>
Patterns(P&) -> Patterns<P>;

// Reads the fields of one JSON object and reports unknown keys.
class ObjectReader {
public:
    ObjectReader(const Json& object, std::string path, Errors& errors);

    // Each leaves the member as it is when the key is absent, and reports a value of another type.
    void operator()(const char* key, bool& out);
    void operator()(const char* key, int& out);
    void operator()(const char* key, std::int64_t& out);
    void operator()(const char* key, std::optional<std::int64_t>& out); // null: not given
    void operator()(const char* key, double& out);
    void operator()(const char* key, std::optional<double>& out); // null: not given
    void operator()(const char* key, std::string& out);
    void operator()(const char* key, std::vector<std::string>& out);
    void operator()(const char* key, std::map<std::string, std::string>& out);
    void operator()(const char* key, std::map<std::string, double>& out);
    void operator()(const char* key, ArgumentValues& out);
    void operator()(const char* key, Arguments<ArgumentValues, std::vector<std::string>> out);
    void operator()(const char* key, Patterns<std::vector<std::string>> out);
    void operator()(const char* key, Nested<Choice> out);
    void operator()(const char* key, Flat<Choice> out);
    template <class W>
    void operator()(const char* key, WithWeights<Choice, W> out) {
        if (const Json* object = readNested(key, out.choice, "weights"))
            ObjectReader(*object, pathOf(key), m_errors)("weights", out.weights);
    }
    // A struct that has a fields(struct, visit).
    template <class T>
        requires requires(T& value, ObjectReader& reader) { fields(value, reader); }
    void operator()(const char* key, T& out) {
        const Json* value = objectAt(key);
        if (value == nullptr) return;
        ObjectReader inner(*value, pathOf(key), m_errors);
        fields(out, inner);
        inner.finish();
    }

    // One that need not be there.
    template <class T>
        requires requires(T& value, ObjectReader& reader) { fields(value, reader); }
    void operator()(const char* key, std::optional<T>& out) {
        if (objectAt(key) != nullptr) (*this)(key, out.emplace());
    }

    bool has(const char* key) const;
    // The value at a key; nullptr when it is absent (objectAt: or no object, which is reported).
    const Json* at(const char* key);
    const Json* objectAt(const char* key);
    std::string pathOf(const std::string& key) const { return joinPath(m_path, key); }
    void report(const std::string& path, const Json& value, std::string message, std::string remedy = {});
    // Reports the keys that were never read, each with the nearest known one; those of `elsewhere` with `remedy`. Call
    // it after the last field.
    void finish(const std::set<std::string>& elsewhere = {}, const std::string& remedy = {});

private:
    enum class Type { Object, Whole, Number, Flag, Text, Texts, Choice, Arguments };
    void wrongType(const char* key, const Json& value, Type expected);
    std::optional<std::int64_t> whole(const char* key, const Json& value);
    void readParams(const Json& object, const std::string& path, bool skipName, Choice& out);
    bool readName(const char* key, const Json& value, Choice& out);
    const Json* readNested(const char* key, Choice& out, std::string_view beside = {});

    const Json& m_object;
    std::string m_path;
    Errors& m_errors;
    std::set<std::string> m_known;
};

} // namespace trainyard::spec
