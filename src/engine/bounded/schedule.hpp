#pragma once

#include <expected>

#include "engine/bounded/encoding.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::bounded {

/// Executes the program as a model of the formula says, up to the violation; the reason if the
/// program does otherwise.
std::expected<model::c::Run, std::string> run_of_model(const model::c::Interpreter& interpreter,
                                                       model::c::Property property,
                                                       const Unrolling& unrolling,
                                                       Encoding& encoding, Clauses& model);

}  // namespace heddle::engine::bounded
