// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace trainyard::ui {

class Card;

// Every control in every state, the palette and the icons on one page (trainyard --components):
// for reviewing changes of style. 1440x900.
class ComponentSheet : public QWidget {
    Q_OBJECT
public:
    explicit ComponentSheet(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Card* section(const QString& title, QVBoxLayout* column);
    void addButtons(QVBoxLayout* column);
    void addInputs(QVBoxLayout* column);
    void addRows(QVBoxLayout* column);
    void addType(QVBoxLayout* column);
    void addBanners(QVBoxLayout* column);
    void addPopups(QVBoxLayout* column);
    void addChecklist(QVBoxLayout* column);
    void addEmptyState(QVBoxLayout* column);
    void addCurvePalette(QVBoxLayout* column);
    void addSwatches(QVBoxLayout* column);
    void addIcons(QVBoxLayout* column);
    void addChips(QVBoxLayout* column);
};

} // namespace trainyard::ui
