// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the parameters of one choice of the run file against its row in a table, so that names, defaults and ranges are
// written down once.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::train {

class Arguments {
public:
    // Both must outlive this. `field` is the choice's place in the run file: "model", "dataset", "optimizer".
    Arguments(const spec::Choice& choice, const spec::Entry& entry, std::string field);

    // Input: an unknown parameter, one of another type, or one out of its range; names the field, value and remedy.
    Result<void> check() const;

    // The value, or the default of the table. The name must be in the table.
    double number(const char* name) const;
    std::int64_t integer(const char* name) const;
    bool flag(const char* name) const;
    std::string text(const char* name) const;
    std::vector<std::int64_t> integers(const char* name) const;
    std::vector<double> numbers(const char* name) const;
    // As in the run file: "optimizer.lr", "model.params.hidden".
    std::string path(const std::string& name) const;

private:
    spec::Value value(const char* name) const;
    Result<void> checkOne(const std::string& name, const spec::Value& value) const;

    const spec::Choice& m_choice;
    const spec::Entry& m_entry;
    std::string m_field;
};

// The row named `name`, or an Input error that lists the names there are and the nearest one.
Result<std::size_t> findName(const std::vector<std::string>& names, const std::string& name, const std::string& field);

} // namespace trainyard::train
