// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/checkpoints/diff_sheet.h"

#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QProgressBar>
#include <QTableView>

namespace trainyard::ui {

namespace {

// Both histograms over one range: before as a filled shape, after as bars in front.
class DistributionDelegate : public CellDelegate {
public:
    DistributionDelegate(const DiffTable& model, QObject* parent) : CellDelegate(false, parent), m_model(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        CellDelegate::paint(painter, option, index);
        const auto* tensor = m_model.at(index.row());
        if (!tensor) return;
        const Theme& theme = Theme::current();
        const QRectF box(option.rect.left() + theme.px(12), option.rect.top() + theme.px(4),
                         option.rect.width() - theme.px(24), option.rect.height() - theme.px(8));
        const double most = static_cast<double>(
            std::max(*std::max_element(tensor->histogram.begin(), tensor->histogram.end()),
                     *std::max_element(tensor->otherHistogram.begin(), tensor->otherHistogram.end())));
        if (most == 0) return;
        const qreal step = box.width() / run::TensorDiff::kBins;
        const auto bars = [&](const auto& bins, qreal from, qreal wide, const QColor& color) {
            for (std::size_t bin = 0; bin < bins.size(); ++bin) {
                if (bins[bin] == 0) continue;
                const qreal height = std::max<qreal>(1, box.height() * static_cast<double>(bins[bin]) / most);
                painter->fillRect(
                    QRectF(box.left() + static_cast<qreal>(bin) * step + from, box.bottom() - height, wide, height),
                    color);
            }
        };
        bars(tensor->histogram, 0, step - 0.5, theme.borderStrong);
        bars(tensor->otherHistogram, step * 0.3, step * 0.45, theme.seq[3]);
    }

private:
    const DiffTable& m_model;
};

QString lineTitle(const CheckpointsModel::Line& line) {
    return DiffSheet::tr("%1, %2 (step %3)")
        .arg(QString::fromStdString(line.of->run.name), checkpointTitle(line.row),
             countText(static_cast<double>(line.row.step)));
}

} // namespace

DiffSheet::DiffSheet(QWidget* window, const CheckpointsModel::Line& first, const CheckpointsModel::Line& second)
    : Sheet(window, QSize(1120, 720)), m_first(first.row.path), m_second(second.row.path) {
    panel()->setAccessibleName(tr("Two checkpoints compared"));
    body()->addWidget(buildHead(first, second));
    body()->addWidget(buildTable(), 1);
    connect(this, &Sheet::closed, this, [this] {
        *m_ended = true;
        deleteLater();
    });
    setFirst(m_table);
    read();
}

QWidget* DiffSheet::buildHead(const CheckpointsModel::Line& first, const CheckpointsModel::Line& second) {
    const Theme& theme = Theme::current();
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* layout = column(head, 6);
    setMargins(layout, 20, 8, 8, 10);
    auto* top = row(nullptr, 8);
    auto* title = new Label(lineTitle(first) + QStringLiteral("  →  ") + lineTitle(second), TextRole::Title);
    title->setMinimumWidth(theme.px(80));
    top->addWidget(title, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    layout->addLayout(top);
    m_summary = new Label(QString(), TextRole::Secondary);
    m_progress = new QProgressBar;
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(theme.px(4));
    m_progress->setAccessibleName(tr("Reading the files"));
    layout->addWidget(m_summary);
    layout->addWidget(m_progress);
    auto* tools = row(nullptr, 12);
    m_filter = new UnitEdit;
    m_filter->setLeadingIcon(QStringLiteral("search"));
    m_filter->setPlaceholderText(tr("Name"));
    m_filter->setAccessibleName(tr("Filter the tensors by name"));
    m_filter->setFixedWidth(theme.px(220));
    m_withSame = new Switch(tr("Show equal tensors"));
    m_withOptimizer = new Switch(tr("Show optimizer and averages"));
    tools->addWidget(m_filter);
    tools->addWidget(m_withSame);
    tools->addWidget(m_withOptimizer);
    tools->addStretch();
    layout->addLayout(tools);
    const auto filter = [this] {
        m_model.setFilter(m_filter->text(), m_withSame->isChecked());
        refresh();
    };
    connect(m_filter, &QLineEdit::textChanged, this, filter);
    connect(m_withSame, &QAbstractButton::toggled, this, filter);
    connect(m_withOptimizer, &QAbstractButton::toggled, this, &DiffSheet::read);
    return head;
}

QWidget* DiffSheet::buildTable() {
    const Theme& theme = Theme::current();
    m_table = plainTable(&m_model, tr("Tensors"));
    m_table->setItemDelegateForColumn(DiffTable::Name, new CellDelegate(true, this));
    m_table->setItemDelegateForColumn(DiffTable::Distribution, new DistributionDelegate(m_model, this));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setSortIndicator(DiffTable::Relative, Qt::DescendingOrder);
    const std::array<int, DiffTable::ColumnCount> widths{0, 112, 176, 84, 84, 144, 144, 160};
    for (int section = 1; section < DiffTable::ColumnCount; ++section)
        m_table->setColumnWidth(section, theme.px(widths[static_cast<std::size_t>(section)]));
    return m_table;
}

void DiffSheet::read() {
    if (m_ended) *m_ended = true;
    m_ended = std::make_shared<std::atomic<bool>>(false);
    m_progress->setValue(0);
    m_progress->show();
    m_summary->setText(tr("Reading…"));
    const auto goesOn = [self = QPointer<DiffSheet>(this), ended = m_ended, last = 0](double share) mutable {
        if (const int now = static_cast<int>(share * 1000); now > last) {
            last = now;
            QMetaObject::invokeMethod(qApp, [self, ended, now] {
                if (self && !*ended) self->m_progress->setValue(now);
            });
        }
        return !*ended;
    };
    inBackground(
        this,
        [first = m_first, second = m_second, withOptimizer = m_withOptimizer->isChecked(), goesOn] {
            return run::diffCheckpoints(first, second, {.withOptimizer = withOptimizer, .goesOn = goesOn});
        },
        [this, ended = m_ended](Result<run::CheckpointDiff> diff) {
            if (!*ended) take(std::move(diff));
        });
}

void DiffSheet::take(Result<run::CheckpointDiff> diff) {
    m_progress->hide();
    if (!diff) {
        m_model.setDiff({});
        m_summary->setText(QString::fromStdString(diff.error().text()));
        return;
    }
    m_model.setDiff(std::move(*diff));
    refresh();
    if (m_model.rowCount() > 0) m_table->setCurrentIndex(m_model.index(0, 0));
}

void DiffSheet::refresh() {
    const auto& diff = m_model.diff();
    if (diff.tensors.empty()) return;
    if (diff.differing == 0) {
        m_summary->setText(tr("The weights are equal: %n tensors", nullptr, static_cast<int>(diff.tensors.size())));
        return;
    }
    QString words = tr("%1 of %2 tensors differ · all weights moved by %3 of their norm, %4 → %5 · largest change %6")
                        .arg(diff.differing)
                        .arg(diff.tensors.size())
                        .arg(digitsText(diff.all.relative(), 4), digitsText(diff.all.norm, 4),
                             digitsText(diff.all.otherNorm, 4), digitsText(diff.all.greatest, 4));
    if (diff.all.notFinite > 0)
        words += tr(" · %1 values are not finite").arg(countText(static_cast<double>(diff.all.notFinite)));
    m_summary->setText(words);
}

} // namespace trainyard::ui
