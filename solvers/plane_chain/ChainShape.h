#pragma once

#include <tendon/kit/SolverRun.h>

#include <vector>

namespace tendon {

/// The inner joints of a chain as bends: how far each turns away from a straight chain, and how far apart that leaves
/// the chain's ends. A path leads from one set of bends to another; a point of it is one number, 0 ... 1. README.md
/// beside this file says which paths there are and why. Memory is sized by prepare(); nothing else allocates.
class ChainShape
{
public:
    /// Where a path leads, from the present bends.
    enum class Toward {
        Straight, ///< every bend to 0
        Fold,     ///< every bend grows in proportion, until the largest is half a turn
        Closed,   ///< the bends with which the chain closes, or folds up as far as its lengths allow
    };

    void prepare(const sdk::Model& model);

    /// Takes up the chain start -> end, with the effector at `effector` (model space), in the configuration `q` (nq)
    /// with the frames `frames` (n). Its bends are what the paths start from. `turning`: the inner joints, top first.
    void begin(const kit::SolverRun& run, int start, std::span<const int> turning, const kit::Vector3& effector,
               std::span<const double> q, std::span<const kit::Frame<double>> frames);

    [[nodiscard]] bool isEmpty() const { return m_joints.empty(); }

    /// [m] between start and effector with the present bends, and with every bend 0.
    [[nodiscard]] double distance() const;
    [[nodiscard]] double reach() const { return m_reach; }

    /// To where a point of `body` would go (model space, the start's rotation being held) if the chain began to bend in
    /// its proportion, with the frames (n) of its present bends.
    [[nodiscard]] kit::Vector3 bending(int body, const kit::Vector3& point,
                                       std::span<const kit::Frame<double>> frames) const;

    /// False when there is no proportion in which the bends could grow: the chain is straight and no joint prefers an
    /// angle.
    [[nodiscard]] bool canFold() const { return m_canFold; }

    /// Makes the path from the present bends. Returns by how much it turns the joint that it turns most [rad].
    double aim(Toward toward);

    /// Bends the joints to a point of the path, within their limits, and writes their coordinates into `q` (nq).
    /// Returns the distance of the ends [m].
    double bend(double at, std::span<double> q);

    /// For a chain with one inner joint: bends it so that its ends are `wanted` apart, as nearly as lengths and limits
    /// allow. Precondition: one inner joint.
    void bendOnly(double wanted, std::span<double> q);
    [[nodiscard]] bool hasOneJoint() const { return m_joints.size() == 1; }

private:
    /// One inner joint. Its spaces: the one that it turns in (after its base), and that of its body.
    struct Joint
    {
        int body = -1;
        int dof = -1; ///< the one that turns, of a hinge; -1: the joint turns about any axis
        kit::Quaternion toPrevious = kit::Quaternion::Identity(); ///< to the body space of the joint before
        kit::Vector3 before = kit::Vector3::Zero();               ///< [m] the bone before it, in the space it turns in
        kit::Vector3 after = kit::Vector3::Zero();                ///< [m] the bone after it, in body space
        kit::Vector3 axis = kit::Vector3::Zero();                 ///< of its own bend, unit; 0 = it does not bend
        kit::Vector3 common = kit::Vector3::Zero();               ///< about which the straight chain closes, unit
        double restAngle = 0;                                     ///< [rad] its bend at begin(); 0 = straight
        double fold = 0;   ///< [rad] its share of the proportion; the largest is half a turn
        double closed = 0; ///< [rad] its bend where the chain closes
        kit::Quaternion rest = kit::Quaternion::Identity();     ///< its motion at begin(),
        kit::Quaternion straight = kit::Quaternion::Identity(); ///< without its bend, whatever limits say,
        kit::Quaternion now = kit::Quaternion::Identity();      ///< and within limits at the present point of the path

        // The path: balls turn from `from` by the rotation vector `way`, hinges by an angle about their axis.
        kit::Quaternion from = kit::Quaternion::Identity(), aimed = kit::Quaternion::Identity();
        kit::Vector3 way = kit::Vector3::Zero();
        double fromAngle = 0, wayAngle = 0, aimedAngle = 0;
    };

    [[nodiscard]] kit::Quaternion bent(const Joint& joint, double angle) const;
    void addJoint(const kit::SolverRun& run, int previous, int body, std::span<const double> q,
                  std::span<const kit::Frame<double>> frames);
    void measureBends();
    void choosePreferred();
    void chooseAxes();
    void chooseClosed();
    void turn(Joint& joint, std::span<double> q);
    void turnTo(Joint& joint, double angle, std::span<double> q);

    const sdk::Model* m_model = nullptr;
    std::span<const std::uint8_t> m_locked;
    std::vector<Joint> m_joints;
    std::vector<double> m_rest;    ///< (nq) the configuration at begin()
    std::vector<double> m_lengths; ///< [m] of the bones
    double m_reach = 0;
    bool m_canFold = false;
};

} // namespace tendon
