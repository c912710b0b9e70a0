// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/gaussian_process.h"

#include "engine/base/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <nlopt.h>
#include <numbers>

namespace trainyard::sweep {
namespace {

constexpr double kFailed = 1e10; // likelihood of what cannot be computed
constexpr double kLeastVariance = 1e-12;

double matern52(double squaredDistance) {
    const double s = std::sqrt(5 * squaredDistance);
    return (1 + s + 5 * squaredDistance / 3) * std::exp(-s);
}

// log(φ(u) + u Φ(u)), also where both are too small to be added.
double logImprovement(double u) {
    if (u < -25) return -0.5 * u * u - 0.5 * std::log(2 * std::numbers::pi) - 2 * std::log(-u);
    const double density = std::exp(-0.5 * u * u) / std::sqrt(2 * std::numbers::pi);
    return std::log(std::max(1e-300, density + u * normalCdf(u)));
}

} // namespace

struct GaussianProcess::Model {
    const Space& space;
    std::vector<Point> points;
    Eigen::VectorXd values;
    std::vector<double> parameters; // logarithms of the inverse lengths, the scale and the noise
    Eigen::LLT<Eigen::MatrixXd> factor{};
    Eigen::VectorXd weights{};
    double best = 0;

    std::size_t axes() const { return space.size(); }
    double scale() const { return std::exp(parameters[axes()]); }
    double covariance(const Point& a, const Point& b, const std::vector<double>& inverse, double scaled) const {
        double sum = 0;
        for (std::size_t j = 0; j < axes(); ++j) {
            const double gap = space.isChoice(j) ? (a[j] == b[j] ? 0.0 : 1.0) : a[j] - b[j];
            sum += inverse[j] * gap * gap;
        }
        return scaled * matern52(sum);
    }
    std::vector<double> inverseLengths(const double* logs) const {
        std::vector<double> inverse(axes());
        for (std::size_t j = 0; j < axes(); ++j) inverse[j] = std::exp(logs[j]);
        return inverse;
    }
    Eigen::MatrixXd covariances(const double* logs) const {
        const auto inverse = inverseLengths(logs);
        const double scaled = std::exp(logs[axes()]), noise = std::exp(logs[axes() + 1]);
        const auto n = static_cast<Eigen::Index>(points.size());
        Eigen::MatrixXd matrix(n, n);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index k = 0; k < i; ++k)
                matrix(i, k) = matrix(k, i) = covariance(points[static_cast<std::size_t>(i)],
                                                         points[static_cast<std::size_t>(k)], inverse, scaled);
            matrix(i, i) = scaled + noise;
        }
        return matrix;
    }
    // The negative logarithm of the likelihood and of the priors: lengths near that of the cube, a scale near 1, little
    // noise.
    double cost(const double* logs) const {
        const Eigen::LLT<Eigen::MatrixXd> tried(covariances(logs));
        if (tried.info() != Eigen::Success) return kFailed;
        const Eigen::VectorXd white = tried.matrixL().solve(values);
        double sum = 0.5 * white.squaredNorm();
        for (Eigen::Index i = 0; i < values.size(); ++i) sum += std::log(tried.matrixLLT()(i, i));
        for (std::size_t j = 0; j < axes(); ++j) sum += 0.1 * std::exp(-logs[j]) + 0.1 * std::exp(logs[j]);
        sum += std::exp(logs[axes()]) - logs[axes()];
        return sum + 30 * std::exp(logs[axes() + 1]) - 0.1 * logs[axes() + 1];
    }
    void fit();
    void refactor() {
        factor.compute(covariances(parameters.data()));
        weights = factor.solve(values);
    }
    std::pair<double, double> meanAndDeviation(const Point& point) const {
        const auto inverse = inverseLengths(parameters.data());
        Eigen::VectorXd row(values.size());
        for (Eigen::Index i = 0; i < values.size(); ++i)
            row[i] = covariance(point, points[static_cast<std::size_t>(i)], inverse, scale());
        const Eigen::VectorXd white = factor.matrixL().solve(row);
        return {row.dot(weights), std::sqrt(std::max(kLeastVariance, scale() - white.squaredNorm()))};
    }
};

void GaussianProcess::Model::fit() {
    const auto dimensions = static_cast<unsigned>(axes() + 2);
    std::vector<double> low(dimensions, std::log(1e-3)), high(dimensions, std::log(1e3));
    low[axes()] = std::log(1e-2);
    high[axes()] = std::log(1e2);
    low[axes() + 1] = std::log(1e-6);
    high[axes() + 1] = 0;
    const auto objective = [](unsigned, const double* logs, double*, void* model) {
        return static_cast<const Model*>(model)->cost(logs);
    };
    const int per = static_cast<int>(axes());
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> search(nlopt_create(NLOPT_LN_SBPLX, dimensions),
                                                                   nlopt_destroy);
    nlopt_set_lower_bounds(search.get(), low.data());
    nlopt_set_upper_bounds(search.get(), high.data());
    nlopt_set_min_objective(search.get(), objective, this);
    nlopt_set_maxeval(search.get(), points.size() < 80 ? 60 + 10 * per : 40 + 5 * per);
    nlopt_set_ftol_abs(search.get(), 1e-3);
    double least = 0;
    auto found = parameters;
    if (nlopt_optimize(search.get(), found.data(), &least) > 0 && least < kFailed) parameters = std::move(found);
}

GaussianProcess::GaussianProcess(const Space& space, std::vector<Point> points, std::vector<double> values,
                                 std::vector<double> start)
    : m_model(new Model{space, std::move(points),
                        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())),
                        std::move(start)}) {
    if (m_model->parameters.size() != space.size() + 2) {
        m_model->parameters.assign(space.size(), std::log(2.0));
        m_model->parameters.insert(m_model->parameters.end(), {0.0, std::log(1e-3)});
    }
    m_model->fit();
    m_model->refactor();
    m_model->best = m_model->values.maxCoeff();
}

GaussianProcess::~GaussianProcess() = default;

const std::vector<double>& GaussianProcess::parameters() const { return m_model->parameters; }

void GaussianProcess::addAtMean(const std::vector<Point>& points) {
    if (points.empty()) return;
    const auto known = m_model->values.size();
    Eigen::VectorXd values(known + static_cast<Eigen::Index>(points.size()));
    values.head(known) = m_model->values;
    for (std::size_t i = 0; i < points.size(); ++i)
        values[known + static_cast<Eigen::Index>(i)] = m_model->meanAndDeviation(points[i]).first;
    m_model->points.insert(m_model->points.end(), points.begin(), points.end());
    m_model->values = std::move(values);
    m_model->refactor();
}

double GaussianProcess::logExpectedImprovement(const Point& point) const {
    const auto [mean, deviation] = m_model->meanAndDeviation(point);
    return logImprovement((mean - m_model->best) / deviation) + std::log(deviation);
}

} // namespace trainyard::sweep
