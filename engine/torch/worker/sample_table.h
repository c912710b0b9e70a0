// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table as samples of a model: the columns by name, wherever they stand, words and numbers as in training.
#pragma once

#include "engine/formats/csv.h"
#include "engine/formats/table.h"
#include "engine/torch/worker/sample_reader.h"

#include <string>
#include <vector>

namespace trainyard::train {

class SampleTable {
public:
    explicit SampleTable(const TrainedModel& trained);

    // Every row of a file, with its label or targets where the file has them. Columns that the model does not take are
    // passed over. A file without a header is matched by place, if it has as many cells as the model takes, or as the
    // table had that it was trained on, if that had no header either. Input: a column is missing (the nearest is
    // named), a cell does not fit, there is no row.
    Result<void> readFile(const std::string& file, const SampleSink& sink) const;
    // "red,0.5": the cells in the order of the columns that the model takes.
    Result<void> readRow(const std::string& row, const std::string& name, const SampleSink& sink) const;

private:
    struct Match { // where in the file the features and targets stand; kNowhere for a target that is not there
        char separator = 0;
        bool hasHeader = false;
        std::vector<std::size_t> features, targets;
    };
    Result<Match> match(const std::string& file) const;
    Result<Match> matchFirst(const std::string& file, const std::vector<formats::CsvCell>& first) const;
    bool matchNames(const std::vector<formats::CsvCell>& first, Match& match) const;
    bool matchPlaces(const std::vector<formats::CsvCell>& first, Match& match) const;
    bool fits(const formats::CsvCell& cell, const TableLayout::Feature& feature) const;
    Error namesMissing(const std::string& file, const std::vector<formats::CsvCell>& first) const;
    formats::ColumnRule ruleOf(const TableLayout::Feature& feature) const;
    formats::ColumnRule::Kind kindOfTargets() const;
    formats::TableOptions optionsFor(const Match& match) const;
    Result<void> checkUnits(const formats::Table& table, const Match& match) const;
    Result<void> hand(formats::Table table, const Match& match, const std::string& name, const SampleSink& sink) const;
    void label(Sample& sample, const formats::Table& table, const Match& match, std::size_t row) const;
    std::string names() const;

    const TrainedModel& m_trained;
    const ModelInfo& m_info;
    TableLayout m_layout; // of an old checkpoint: a number for each feature, without a name
};

} // namespace trainyard::train
