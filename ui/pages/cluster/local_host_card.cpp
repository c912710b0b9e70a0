// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/local_host_card.h"

#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/bars.h"
#include "ui/widgets/marks/icon_mark.h"
#include "ui/widgets/marks/status_chip.h"

#include <QPainter>
#include <QPainterPath>
#include <QSysInfo>

namespace trainyard::ui {

namespace {
constexpr qsizetype kHistory = 60; // samples, one a second
}

DeviceRow::DeviceRow(const QString& iconName, const QString& name, QWidget* parent)
    : QWidget(parent), m_icon(iconName), m_name(name) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
}

void DeviceRow::setLoad(double share, const QString& memory, double memoryShare, const QColor& color) {
    m_share = share;
    m_memory = memory;
    m_memoryShare = memoryShare;
    m_color = color;
    m_history << share;
    if (m_history.size() > kHistory) m_history.removeFirst();
    setAccessibleDescription(tr("%1: %2% busy, memory %3").arg(m_name).arg(share * 100, 0, 'f', 0).arg(memory));
    update();
}

void DeviceRow::clearLoad() {
    m_history.clear();
    setAccessibleDescription(QString());
    update();
}

void DeviceRow::setUsers(const QString& users, const QColor& chip) {
    m_users = users;
    m_chip = chip;
    update();
}

QSize DeviceRow::sizeHint() const { return {Theme::current().px(480), Theme::current().px(28)}; }

void DeviceRow::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHLine(painter, 0, 0, width(), theme.border);
    const qreal side = theme.px(16);
    const qreal middle = height() / 2.0;
    paintIcon(painter, m_icon, QRectF(0, middle - side / 2, side, side), theme.text2);
    painter.setFont(theme.small);
    painter.setPen(theme.text);
    painter.drawText(QRectF(theme.px(24), 0, theme.px(132), height()), Qt::AlignVCenter, m_name);
    const QColor color = m_color.isValid() ? m_color : theme.text3;
    const QRectF history(theme.px(160), middle - theme.px(10), theme.px(112), theme.px(20));
    if (m_history.size() > 1) {
        QPainterPath line;
        for (qsizetype i = 0; i < m_history.size(); ++i) {
            const qreal x =
                history.right() - static_cast<qreal>(m_history.size() - 1 - i) * history.width() / (kHistory - 1);
            const QPointF at(x, history.bottom() - std::clamp(m_history[i], 0.0, 1.0) * history.height());
            i == 0 ? line.moveTo(at) : line.lineTo(at);
        }
        QPainterPath area = line;
        area.lineTo(history.right(), history.bottom());
        area.lineTo(history.right() - static_cast<qreal>(m_history.size() - 1) * history.width() / (kHistory - 1),
                    history.bottom());
        painter.fillPath(area, mix(theme.card, color, 0.15));
        painter.setPen(QPen(color, 1.25));
        painter.drawPath(line);
    }
    const auto bar = [&](qreal x, double share, const QString& words, qreal wordsWidth) {
        paintBar(painter, QRectF(x, middle - theme.px(3), theme.px(88), theme.px(6)), share, color, theme.track);
        painter.setPen(theme.text2);
        paintTabular(painter, QRectF(x + theme.px(96), 0, wordsWidth, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     theme.small, words);
    };
    if (!m_history.isEmpty()) {
        bar(theme.px(292), m_share, percentText(m_share), theme.px(40));
        bar(theme.px(440), m_memoryShare, m_memory, theme.px(120));
    }
    const QFontMetricsF metrics(theme.small);
    const qreal room = width() - theme.px(670);
    const QString users =
        metrics.elidedText(m_users.isEmpty() ? tr("free") : m_users, Qt::ElideRight, std::max<qreal>(room, 0));
    painter.setPen(m_chip.isValid() ? theme.text : theme.text2);
    painter.drawText(QRectF(0, 0, width(), height()), Qt::AlignVCenter | Qt::AlignRight, users);
    if (m_chip.isValid() && room > 0)
        paintRunChip(painter, QPointF(width() - metrics.horizontalAdvance(users) - theme.px(12), middle), m_chip, true);
}

LocalHostCard::LocalHostCard(Workbench& bench, QWidget* parent) : Card(tr("This computer"), parent), m_bench(bench) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    QStringList about{QSysInfo::machineHostName(), SystemStats::systemName(), SystemStats::cpuName()};
    about.removeAll(QString());
    setNote(about.join(QStringLiteral(", ")));
    addAction(new StatusChip(tr("Ready"), Status::Success, QStringLiteral("check")));
    trainyard::ui::setMargins(body(), 12, 4, 12, 8);
    m_cpu = new DeviceRow(QStringLiteral("cpu"), tr("CPU, %n cores", nullptr, SystemStats::cores()));
    body()->addWidget(m_cpu);
    m_disk = new Surface(SurfaceColor::Card, TopEdge);
    auto* line = row(m_disk, 6);
    trainyard::ui::setMargins(line, 0, 8, 0, 4);
    m_diskText = new Label(QString(), TextRole::SmallSecondary);
    m_versions = new Label(QString(), TextRole::SmallSecondary);
    line->addWidget(new IconMark(QStringLiteral("disk")));
    line->addWidget(m_diskText);
    line->addStretch();
    line->addWidget(m_versions);
    body()->addWidget(m_disk);
    connect(&bench, &Workbench::loadChanged, this, [this] { setLoad(m_bench.load()); });
    connect(&bench.catalog, &CatalogLoader::loaded, this, &LocalHostCard::showFacts);
    setLoad(bench.load());
    showFacts();
}

void LocalHostCard::showFacts() {
    if (const auto catalog = m_bench.catalog.catalog()) {
        m_versions->setText(
            tr("LibTorch %1, %2")
                .arg(QString::fromStdString(catalog->libtorchVersion), QString::fromStdString(catalog->blas)));
    }
}

namespace {

double shareOf(std::int64_t used, std::int64_t total) {
    return total > 0 ? static_cast<double>(used) / static_cast<double>(total) : 0;
}

} // namespace

void LocalHostCard::setLoad(const SystemLoad& load) {
    DeviceUsers users;
    for (const auto& run : m_bench.feed.runs())
        if (isTraining(*run)) users.add(*run, ranksHere(*run));
    m_cpu->setLoad(load.cpuShare, usedText(load.memoryUsed, load.memoryTotal),
                   shareOf(load.memoryUsed, load.memoryTotal), users.color);
    users.showIn(*m_cpu);
    showGpus(load.gpus);
    m_diskText->setText(
        tr("%1 of %2 free")
            .arg(bytesText(static_cast<double>(load.diskFree)), bytesText(static_cast<double>(load.diskTotal))));
}

// A row for each, below that of the processor.
void LocalHostCard::showGpus(const std::map<int, GpuLoad>& gpus) {
    for (auto known = m_gpus.begin(); known != m_gpus.end();) {
        if (gpus.contains(known->first)) {
            ++known;
            continue;
        }
        delete known->second;
        known = m_gpus.erase(known);
    }
    int place = body()->indexOf(m_cpu);
    for (const auto& [device, load] : gpus) {
        const QString name = QStringLiteral("cuda:%1").arg(device);
        DeviceRow*& row = m_gpus[device];
        if (!row) row = new DeviceRow(QStringLiteral("gpu"), name);
        if (body()->indexOf(row) != ++place) body()->insertWidget(place, row);
        row->show();
        DeviceUsers users;
        for (const auto& run : m_bench.feed.runs()) {
            QList<int> ranks;
            for (const auto& worker : m_bench.feed.workers(run->id))
                if (worker.host.empty() && name == QLatin1String(worker.device.c_str())) ranks << worker.rank;
            if (isTraining(*run)) users.add(*run, ranks);
        }
        row->setLoad(load.busyShare, usedText(load.memoryUsed, load.memoryTotal),
                     shareOf(load.memoryUsed, load.memoryTotal), users.color);
        users.showIn(*row);
    }
}

} // namespace trainyard::ui
