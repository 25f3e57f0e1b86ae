#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontend/text/lexer.hpp"
#include "model/thread_system.hpp"

namespace heddle::frontend::thread_system {

/// What comments of a thread system tell a reader of traces.
///
///  * `shared state 16: m=1 ts=0` and `local state 0: pc=0` name a state, wherever they stand.
///  * `BP-PC7: GOTO at file main.c line 58` heads every edge down to the next such line: SATABS
///    writes it once for all the edges of one statement.
///  * Any other comment belongs to the edge below it, or on the same line.
class Comments {
 public:
  /// The note of an edge, its lines separated by '\n'. `comments` are those since the last edge.
  std::string note_of_edge(const std::vector<text::Comment>& comments);

  /// Comments that belong to no edge; only names are kept.
  void outside_edges(const std::vector<text::Comment>& comments);

  /// Sets the names of the states that exist. Names of states from 65536 on are dropped, so that a
  /// comment cannot ask for more memory than a file of its size deserves.
  void name_states(model::ThreadSystem& system) const;

 private:
  using Names = std::map<std::uint32_t, std::string>;

  bool read_name(std::string_view comment);

  std::string heading_;
  Names shared_names_;
  Names local_names_;
};

}  // namespace heddle::frontend::thread_system
