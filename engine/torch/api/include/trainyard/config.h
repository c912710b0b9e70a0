// SPDX-License-Identifier: GPL-3.0-or-later
// What a training function is given, and what it reports.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::train {

// Something the program was given is wrong: a key of the configuration, a folder, a dataset. A run that ends with it
// is not started again, however many failures are allowed.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

// The configuration of a training function: names and values, {{"lr", 1e-3}, {"epochs", 10}}. It is part of the run's
// record and the ranks read it from there. The getters throw InputError, naming the key, when it is missing (those
// without `fallback`) or of another type; whole numbers are numbers too.
class Config {
public:
    Config() = default;
    Config(std::initializer_list<std::pair<const std::string, Value>> values) : m_values(values) {}
    explicit Config(std::map<std::string, Value> values) : m_values(std::move(values)) {}

    double number(const std::string& key) const;
    double number(const std::string& key, double fallback) const;
    std::int64_t integer(const std::string& key) const;
    std::int64_t integer(const std::string& key, std::int64_t fallback) const;
    bool flag(const std::string& key) const;
    bool flag(const std::string& key, bool fallback) const;
    std::string text(const std::string& key) const;
    std::string text(const std::string& key, const std::string& fallback) const;
    std::vector<double> list(const std::string& key) const;

    bool contains(const std::string& key) const { return m_values.contains(key); }
    void set(const std::string& key, Value value) { m_values[key] = std::move(value); }
    const std::map<std::string, Value>& values() const { return m_values; }
    bool operator==(const Config&) const = default;

private:
    const Value* find(const std::string& key) const;

    std::map<std::string, Value> m_values;
};

// Numbers by name: {{"loss", 0.25}, {"epoch", 3}}. A name becomes a curve of the run.
using Metrics = std::map<std::string, double>;
std::string toText(const Metrics& metrics); // {"epoch": 3, "loss": 0.25}

} // namespace trainyard::train
