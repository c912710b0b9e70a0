// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled by trainyard_ui: what nearly every source of it includes.
#pragma once

#include <QApplication>
#include <QBoxLayout>
#include <QHash>
#include <QLabel>
#include <QList>
#include <QObject>
#include <QPainter>
#include <QPushButton>
#include <QString>
#include <QStyleOption>
#include <QTimer>
#include <QVariant>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>
