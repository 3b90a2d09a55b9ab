#pragma once

#include <tendon/sdk/Report.h>

#include <cstddef>
#include <vector>

namespace tendon {

/// Answers to one frame, from which a path chooses.
struct Candidates
{
    std::vector<double> q; ///< (count x nq)
    std::vector<sdk::Status> statuses;

    [[nodiscard]] std::size_t count() const { return statuses.size(); }
    [[nodiscard]] const double* at(std::size_t i, std::size_t coordinates) const { return q.data() + i * coordinates; }
    void add(const double* configuration, std::size_t coordinates, sdk::Status status)
    {
        q.insert(q.end(), configuration, configuration + coordinates);
        statuses.push_back(status);
    }
    void clear()
    {
        q.clear();
        statuses.clear();
    }
    void keepFirst(std::size_t coordinates)
    {
        q.resize(coordinates);
        statuses.resize(1);
    }
};

} // namespace tendon
