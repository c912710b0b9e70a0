// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/version_card.h"

#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QSlider>
#include <QTableView>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kLeastVersion = 140; // design pixels
constexpr int kGivenMs = 3000;

// The longest that a column can have, so that it keeps its width while the figures change.
const std::array<const char*, VersionTable::ColumnCount> kWidest{"",       "",         "100%",    "9,999,999",
                                                                 "99,999", "999.9 ms", "999.9 ms"};

} // namespace

VersionCard::VersionCard(Workbench& bench, QWidget* parent)
    : Card(tr("Versions"), parent), m_bench(bench), m_view(plainTable(&m_table, tr("Versions"))),
      m_new(button(tr("New version…"), QStringLiteral("plus"), "flat")),
      m_promote(button(tr("Promote"), QStringLiteral("check"), "flat")),
      m_rollBack(button(tr("Roll back"), QStringLiteral("refresh"), "flat")) {
    const Theme& theme = Theme::current();
    for (QPushButton* each : {m_rollBack, m_promote, m_new}) addAction(each);
    auto* head = m_view->horizontalHeader();
    for (int column = 1; column < VersionTable::ColumnCount; ++column) {
        int wide = head->sectionSizeHint(column);
        for (const serve::VersionRole role : {serve::VersionRole::Current, serve::VersionRole::Candidate})
            if (column == VersionTable::Role)
                wide = std::max(wide, QFontMetrics(theme.body).horizontalAdvance(roleText(role)) + theme.px(28));
        wide = std::max(
            wide, QFontMetrics(theme.body).horizontalAdvance(QLatin1String(kWidest[static_cast<std::size_t>(column)])) +
                      theme.px(24));
        m_view->setColumnWidth(column, wide);
    }
    keepFirstColumn(m_view, kLeastVersion);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body()->addWidget(m_view);
    buildCanary();
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &VersionCard::refresh);
    connect(m_new, &QPushButton::clicked, this, &VersionCard::checkpointWanted);
    connect(m_promote, &QPushButton::clicked, this, [this] { m_bench.serving.promote(m_service, model()); });
    connect(m_rollBack, &QPushButton::clicked, this, [this] { m_bench.serving.rollBack(m_service, model()); });
}

void VersionCard::buildCanary() {
    const Theme& theme = Theme::current();
    m_canaryRow = new QWidget;
    auto* line = row(m_canaryRow, 8);
    setMargins(line, 12, 6, 12, 8);
    m_canary = new Label(tr("To the canary"), TextRole::Secondary);
    m_share = new QSlider(Qt::Horizontal);
    m_share->setRange(0, 100);
    m_share->setPageStep(10);
    m_share->setAccessibleName(tr("Share of the canary, percent"));
    m_share->setToolTip(tr("The share of the requests that the canary answers; at 0 it ends"));
    m_shareText = new NumberLabel;
    m_shareText->setFixedWidth(QFontMetrics(theme.medium).horizontalAdvance(QStringLiteral("100%")) + theme.px(4));
    m_canary->setBuddy(m_share);
    line->addWidget(m_canary);
    line->addWidget(m_share, 1);
    line->addWidget(m_shareText);
    body()->addWidget(m_canaryRow);
    m_canaryRow->hide();
    connect(m_share, &QSlider::valueChanged, this,
            [this](int percent) { m_shareText->setText(percentText(percent / 100.0)); });
    // By keys and wheel; a drag counts when it ends.
    connect(m_share, &QSlider::actionTriggered, this, [this] {
        if (!m_share->isSliderDown()) giveShare(m_share->sliderPosition());
    });
    connect(m_share, &QSlider::sliderReleased, this, [this] { giveShare(m_share->value()); });
}

void VersionCard::giveShare(int percent) {
    m_given.start();
    m_bench.serving.setShare(m_service, model(), percent / 100.0);
}

// The model of the chosen version, else the one with a canary, else the first.
QString VersionCard::model() const {
    const serve::VersionStatus* chosen = m_table.at(m_view->currentIndex().row());
    if (chosen) return QString::fromStdString(chosen->model);
    const auto& all = m_table.versions();
    const auto tried = std::find_if(all.begin(), all.end(), [](const serve::VersionStatus& each) {
        return each.role == serve::VersionRole::Canary || each.role == serve::VersionRole::Shadow;
    });
    if (tried != all.end()) return QString::fromStdString(tried->model);
    return all.empty() ? QString() : QString::fromStdString(all.front().model);
}

const serve::VersionStatus* VersionCard::ofRole(serve::VersionRole role) const {
    const std::string wanted = model().toStdString();
    const auto& all = m_table.versions();
    const auto at = std::find_if(all.begin(), all.end(), [&](const serve::VersionStatus& each) {
        return each.model == wanted && each.role == role;
    });
    return at == all.end() ? nullptr : &*at;
}

void VersionCard::setService(const serve::ServiceView& service) {
    const QString name = QString::fromStdString(service.spec.name);
    if (name != m_service) m_view->clearSelection();
    m_service = name;
    m_live = isLive(service);
    m_table.setVersions(service.status.versions);
    refresh();
}

void VersionCard::refresh() {
    const Theme& theme = Theme::current();
    const auto* canary = ofRole(serve::VersionRole::Canary);
    const auto* shadow = ofRole(serve::VersionRole::Shadow);
    const auto* former = ofRole(serve::VersionRole::Former);
    const auto nameOf = [](const serve::VersionStatus& each) { return QString::fromStdString(each.name); };
    m_new->setEnabled(m_live);
    m_promote->setEnabled(m_live && (canary || shadow));
    m_promote->setToolTip(canary   ? tr("%1 answers all requests from now on").arg(nameOf(*canary))
                          : shadow ? tr("%1 answers all requests from now on").arg(nameOf(*shadow))
                                   : tr("There is neither a canary nor a shadow: add a new version first"));
    m_rollBack->setEnabled(m_live && former);
    m_rollBack->setToolTip(former ? tr("%1, which is still warm, answers again").arg(nameOf(*former))
                                  : tr("There is no former version to go back to"));
    m_canaryRow->setVisible(canary != nullptr && m_live);
    const bool isNew = m_given.isValid() && m_given.elapsed() < kGivenMs; // the service may not know it yet
    if (canary && !m_share->isSliderDown() && !isNew)
        m_share->setValue(static_cast<int>(std::lround(canary->share * 100)));
    if (canary) m_shareText->setText(percentText(m_share->value() / 100.0));
    const int rows = std::max(1, m_table.rowCount());
    m_view->setFixedHeight(m_view->horizontalHeader()->height() + rows * theme.px(28) + theme.px(6));
}

} // namespace trainyard::ui
