#pragma once

/// The files around C sources: the competition's `.yml` tasks and `.prp` properties, and
/// `compile_commands.json`. Texts in, data out; file names in them are as written.

#include <optional>
#include <string>
#include <vector>

#include "frontend/c/read.hpp"
#include "model/c/violation.hpp"

namespace heddle::frontend::c {

// ---- .prp

/// A line of a property file.
struct SpecifiedProperty {
  /// Nothing: the competition has such a property (termination, say), and no engine decides it.
  std::optional<model::c::Property> property;
  std::string function;  ///< that must not be called, if the property is Reach
  std::string text;      ///< the formula, without blanks
};

struct PropertyFile {
  std::string entry = "main";
  std::vector<SpecifiedProperty> properties;  ///< at least one
};

/// `CHECK( init(main()), LTL(G ! call(reach_error())) )`, one or more of them.
base::Parsed<PropertyFile> read_property_file(const SourceText& source);

// ---- .yml

struct TaskProperty {
  std::string file;              ///< a .prp, relative to the task
  std::optional<bool> expected;  ///< nothing: nobody says
  std::string subproperty;
};

struct TaskFile {
  std::vector<std::string> input_files;  ///< relative to the task; at least one
  std::vector<TaskProperty> properties;
  std::optional<std::uint8_t> pointer_bytes;  ///< from `data_model`
};

/// Needs the module (`can_read_c`).
base::Parsed<TaskFile> read_task_file(const SourceText& source);

// ---- compile_commands.json

struct CompileCommand {
  std::string file;  ///< absolute, or relative to where the database is
  /// Include paths, macros, standard and dialect of the command. Flags about optimisation, warnings
  /// and output are dropped.
  CompileOptions options;
  std::optional<std::uint8_t> pointer_bytes;  ///< from -m32 or -m64
};

/// Needs the module. `arguments` wins over `command`.
base::Parsed<std::vector<CompileCommand>> read_compile_commands(const SourceText& source);

}  // namespace heddle::frontend::c
