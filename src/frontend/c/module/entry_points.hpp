#pragma once

/// What the module exports, by C names (base/module.hpp looks them up).

#include "frontend/c/read.hpp"
#include "frontend/c/task_file.hpp"

namespace heddle::frontend::c {

using ReadC = void(std::span<const SourceText> sources, const ReadOptions& options,
                   std::expected<model::c::Program, base::Diagnostics>& result);
using ReadTaskFile = void(const SourceText& source, base::Parsed<TaskFile>& result);
using ReadCompileCommands = void(const SourceText& source,
                                 base::Parsed<std::vector<CompileCommand>>& result);

}  // namespace heddle::frontend::c

// Exported: heddle_read_c, heddle_read_task_file, heddle_read_compile_commands.
