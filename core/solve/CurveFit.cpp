#include "core/solve/CurveFit.h"

#include <tendon/kit/BSpline.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr double kExtension = 0.02; ///< of the way: how far the curve runs on
constexpr double kNear = 0.005;     ///< of the way: a fit this close is good enough
constexpr int kLeastPoints = 4, kMostPoints = 10;
constexpr int kRounds = 12;         ///< of fitting and projecting in turn
constexpr double kBetween = 0.05;   ///< weight of the middle of a bone against a joint
constexpr double kStiffness = 1e-6; ///< keeps control points in line that the places leave open

std::vector<double> numbersOf(std::span<const Vector3> points)
{
    std::vector<double> numbers;
    for (const Vector3& point : points) numbers.insert(numbers.end(), point.data(), point.data() + 3);
    return numbers;
}

/// A place that the curve should run past.
struct Sample
{
    Vector3 place;
    double weight = 1;
    double parameter = 0;
};

/// How much each of `count` control points counts at a parameter.
Eigen::VectorXd weightsAt(int count, double parameter)
{
    std::vector<double> numbers(3 * static_cast<std::size_t>(count), 0.0);
    Eigen::VectorXd weights(count);
    for (int i = 0; i < count; ++i) {
        numbers[3 * static_cast<std::size_t>(i)] = 1;
        weights[i] = kit::BSpline(numbers).point(parameter).x();
        numbers[3 * static_cast<std::size_t>(i)] = 0;
    }
    return weights;
}

/// Moves the inner control points to where they fit the samples best (linear least squares).
void fitInner(std::vector<Vector3>& points, std::span<const Sample> samples)
{
    const auto count = static_cast<Eigen::Index>(points.size()), inner = count - 2;
    if (inner <= 0) return;
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(inner, inner);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(inner, 3);
    const auto add = [&](const Eigen::VectorXd& row, const Vector3& wanted, double weight) {
        const Vector3 rest = wanted - row[0] * points.front() - row[count - 1] * points.back();
        normal += weight * row.segment(1, inner) * row.segment(1, inner).transpose();
        right += weight * row.segment(1, inner) * rest.transpose();
    };
    for (const Sample& sample : samples)
        add(weightsAt(static_cast<int>(count), sample.parameter), sample.place, sample.weight);
    for (Eigen::Index i = 1; i + 1 < count; ++i) { // second differences
        Eigen::VectorXd row = Eigen::VectorXd::Zero(count);
        row[i - 1] = row[i + 1] = 1;
        row[i] = -2;
        add(row, Vector3::Zero(), kStiffness);
    }
    const Eigen::MatrixXd solved = normal.ldlt().solve(right);
    for (Eigen::Index i = 0; i < inner; ++i) points[static_cast<std::size_t>(i + 1)] = solved.row(i).transpose();
}

/// Fits the inner control points and the samples' parameters in turn.
void fit(std::vector<Vector3>& points, std::vector<Sample>& samples)
{
    for (int round = 0; round < kRounds; ++round) {
        fitInner(points, samples);
        const std::vector<double> numbers = numbersOf(points);
        const kit::BSpline curve(numbers);
        for (Sample& sample : samples) { // one step of Newton's toward the nearest parameter
            const Vector3 along = curve.derivative(sample.parameter);
            const double step = along.dot(sample.place - curve.point(sample.parameter)) /
                                std::max(along.squaredNorm(), 1e-300);
            sample.parameter = std::clamp(sample.parameter + std::clamp(step, -0.1, 0.1), 0.0, curve.end());
        }
    }
}

} // namespace

std::vector<Vector3> fittedCurve(std::span<const Vector3> places, int count)
{
    double way = 0;
    std::vector<Sample> samples = {{places.front()}};
    for (std::size_t i = 1; i < places.size(); ++i) {
        const double bone = (places[i] - places[i - 1]).norm();
        samples.push_back({0.5 * (places[i - 1] + places[i]), kBetween, way + 0.5 * bone});
        way += bone;
        samples.push_back({places[i], 1, way});
    }
    Vector3 last = Vector3::Zero();
    for (std::size_t i = places.size() - 1; i > 0 && last.isZero(); --i) last = places[i] - places[i - 1];
    const Vector3 end = last.isZero() ? places.back() : Vector3(places.back() + kExtension * way * last.normalized());

    std::vector<Vector3> points(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = places.front() + (end - places.front()) * static_cast<double>(i) / (count - 1);
    const std::vector<double> layout = numbersOf(points);
    const double last01 = kit::BSpline(layout).end();
    for (Sample& sample : samples)
        sample.parameter = way > 0 ? last01 * sample.parameter / (way * (1 + kExtension)) : 0;
    fit(points, samples);
    return points;
}

std::vector<Vector3> fittedCurve(std::span<const Vector3> places)
{
    double way = 0;
    for (std::size_t i = 1; i < places.size(); ++i) way += (places[i] - places[i - 1]).norm();
    std::vector<Vector3> points;
    for (int count = kLeastPoints; count <= kMostPoints; ++count) {
        points = fittedCurve(places, count);
        const bool isNear = std::all_of(places.begin(), places.end(), [&](const Vector3& place) {
            return nearestOnCurve(points, place).distance <= kNear * way;
        });
        if (isNear) break;
    }
    return points;
}

std::vector<Vector3> withOnePointMore(std::span<const Vector3> points)
{
    constexpr int kSamplesPerPoint = 8;
    const std::size_t count = points.size() + 1;
    std::vector<Vector3> more(count);
    for (std::size_t i = 0; i < count; ++i) // along the control polygon, for the ends and as a first guess
        more[i] = i + 1 == count ? points.back() : points[i];
    const std::vector<double> numbers = numbersOf(more);
    const double end = kit::BSpline(numbers).end();
    const std::vector<Vector3> places = curveSamples(points, kSamplesPerPoint * static_cast<int>(count));
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < places.size(); ++i)
        samples.push_back({places[i], 1, end * static_cast<double>(i) / static_cast<double>(places.size() - 1)});
    fit(more, samples);
    return more;
}

std::vector<Vector3> curveSamples(std::span<const Vector3> points, int count)
{
    const std::vector<double> numbers = numbersOf(points);
    const kit::BSpline curve(numbers);
    std::vector<Vector3> samples;
    for (int i = 0; i < count; ++i) samples.push_back(curve.point(curve.end() * i / (count - 1)));
    return samples;
}

NearestOnCurve nearestOnCurve(std::span<const Vector3> points, const Vector3& place)
{
    constexpr int kLooksPerPiece = 32;
    const std::vector<double> numbers = numbersOf(points);
    const kit::BSpline curve(numbers);
    const auto distance = [&](double u) { return (curve.point(u) - place).norm(); };
    const int looks = kLooksPerPiece * static_cast<int>(curve.end());
    int nearest = 0;
    for (int i = 1; i <= looks; ++i)
        if (distance(curve.end() * i / looks) < distance(curve.end() * nearest / looks)) nearest = i;
    double from = curve.end() * std::max(0, nearest - 1) / looks,
           to = curve.end() * std::min(looks, nearest + 1) / looks;
    constexpr double kGolden = 0.6180339887498949;
    for (int i = 0; i < 60; ++i) {
        const double a = to - kGolden * (to - from), b = from + kGolden * (to - from);
        (distance(a) < distance(b) ? to : from) = distance(a) < distance(b) ? b : a;
    }
    const double at = 0.5 * (from + to);
    return {at, distance(at)};
}

int insertionIndex(std::span<const Vector3> points, double parameter)
{
    // Control point i counts most at the mean of its inner knots (Greville's abscissa).
    const int count = static_cast<int>(points.size()), degree = std::min(3, count - 1);
    for (int i = 1; i < count; ++i) {
        double mean = 0;
        for (int k = 1; k <= degree; ++k) mean += std::clamp(i + k - degree, 0, count - degree);
        if (mean / degree > parameter) return i;
    }
    return count - 1;
}

} // namespace tendon
