#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipPath.h"
#include "core/clip/Crew.h"
#include "core/clip/Rates.h"

namespace tendon {

/// Brings a path within the rates of its task where its goals leave room for it: in turns the best step along what
/// they leave open (RateStep), and back onto the goals. Frames far from where rates are exceeded keep every bit, and so
/// does a path that cannot be bettered. Goals that are met stay met, limits are kept.
void limitRates(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew, ClipPath& path);

} // namespace tendon
