// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/store/store.h"

#include <QAbstractTableModel>

#include <array>

namespace trainyard::ui {

// The checkpoints of a run, the best first, then the newest.
class CheckpointTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Score, Loss, Step, Size, Saved, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(const std::vector<store::CheckpointRow>& rows, const QString& scoreSeries);
    const store::CheckpointRow* at(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<store::CheckpointRow> m_rows;
    QString m_score;
};

// Statistics of one parameter tensor.
struct TensorStats {
    QString name, dtype, shape;
    std::int64_t values = 0;
    double norm = 0, min = 0, max = 0;
    static constexpr int kBins = 22;
    std::array<int, kBins> histogram{};
    bool read = false; // the values were read (floating point only)
};
// The tensors of a checkpoint as the Model page shows them.
struct CheckpointContent {
    std::vector<TensorStats> parameters;
    std::int64_t values = 0;
    std::int64_t otherTensors = 0; // optimizer and generator state
};
// Reads a checkpoint file whole, checks its checksums, and sums up its parameters. Blocks.
Result<CheckpointContent> readCheckpoint(const std::string& path);
// The same of a file that a program has saved, which may be a .pt file: none of its code is run, and the values are
// read in pieces. Blocks.
Result<CheckpointContent> readProgramCheckpoint(const std::string& path);

// The parameters of one checkpoint.
class TensorTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Shape, Type, Values, Norm, Distribution, ColumnCount };
    enum Role { StatsRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setContent(CheckpointContent content);
    void setFilter(const QString& text);
    const CheckpointContent& content() const { return m_content; }
    const TensorStats* at(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    CheckpointContent m_content;
    std::vector<std::size_t> m_rows;
    QString m_filter;
};

} // namespace trainyard::ui
