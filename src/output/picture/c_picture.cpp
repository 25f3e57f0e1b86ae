#include "output/picture/c_picture.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "model/c/print.hpp"
#include "output/picture/dot.hpp"
#include "output/picture/program_picture.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

namespace c = model::c;

constexpr std::size_t kLongestSourceLine = 64;
constexpr std::size_t kMostNoticed = 4;

struct LocationEdge {
  c::Location to;
  std::string label;
};

/// Where control may go from an instruction.
struct Successors {
  c::Location next;

  std::vector<LocationEdge> operator()(const c::Jump& e) const { return {{e.next, ""}}; }
  std::vector<LocationEdge> operator()(const c::Assign& e) const { return {{e.next, ""}}; }
  std::vector<LocationEdge> operator()(const c::Branch& e) const {
    return {{e.if_true, "true"}, {e.if_false, "false"}};
  }
  std::vector<LocationEdge> operator()(const c::Switch& e) const {
    std::vector<LocationEdge> out;
    for (const auto& [value, to] : e.cases)
      out.push_back({to, std::to_string(static_cast<std::int64_t>(value))});
    out.push_back({e.otherwise, "default"});
    return out;
  }
  std::vector<LocationEdge> operator()(const c::Return&) const { return {}; }
  std::vector<LocationEdge> operator()(const c::Fail&) const { return {}; }
  std::vector<LocationEdge> operator()(const c::Exit&) const { return {}; }
  std::vector<LocationEdge> operator()(const c::Unsupported&) const { return {}; }
  std::vector<LocationEdge> operator()(const auto&) const { return {{next, ""}}; }
};

std::vector<LocationEdge> successors(const c::Function& function, std::size_t at) {
  auto out = std::visit(Successors{c::Location(at + 1)}, function.code[at].effect);
  std::erase_if(out, [&](const auto& edge) { return edge.to.index() >= function.code.size(); });
  return out;
}

/// Can another thread notice the instruction, or does it end the run?
bool is_noticed(const c::Effect& effect) {
  return std::holds_alternative<c::Load>(effect) || std::holds_alternative<c::Store>(effect) ||
         std::holds_alternative<c::ReadModifyWrite>(effect) ||
         std::holds_alternative<c::CompareExchange>(effect) ||
         std::holds_alternative<c::Synchronise>(effect) ||
         std::holds_alternative<c::Free>(effect) || std::holds_alternative<c::Fail>(effect) ||
         std::holds_alternative<c::Assume>(effect) ||
         std::holds_alternative<c::Unsupported>(effect) || std::holds_alternative<c::Exit>(effect);
}

/// Does it only make room for variables, or go on elsewhere?
bool is_bookkeeping(const c::Effect& effect) {
  if (const auto* allocate = std::get_if<c::Allocate>(&effect))
    return allocate->where == c::Allocate::Where::Stack;
  return std::holds_alternative<c::Lifetime>(effect) || std::holds_alternative<c::Jump>(effect);
}

/// Consecutive instructions of one line, without a jump into their middle.
struct Block {
  std::size_t first = 0, last = 0;
  bool drawn = false;  ///< control can get there, and there is something to be said of it
};

struct BlockLook {
  const char* border;
  const char* fill;
  const char* meaning;
};

constexpr BlockLook kFails{"#b3261e", "#fbdcd9",
                           "an assertion fails, or an error function is called"};
constexpr BlockLook kUnsupported{"#777777", "#dddddd", "not supported"};
constexpr BlockLook kThreadStart{"#1b7a36", "#d3efd9", "a thread starts here"};
constexpr BlockLook kSynchronises{"#7b2fa0", "#efe3f5", "synchronisation"};
constexpr BlockLook kAccesses{"#c99700", "#fdf0cf", "access to memory"};
constexpr BlockLook kSilent{"#5b6b8c", "#f4f6fa", "other threads do not notice it"};

std::string attributes(const BlockLook& look) {
  return std::string(", color=\"") + look.border + "\", fillcolor=\"" + look.fill + "\"" +
         (&look == &kFails ? ", penwidth=2" : "") +
         (&look == &kUnsupported ? ", style=\"rounded,filled,dashed\"" : "");
}

std::vector<Block> blocks_of(const c::Function& function) {
  std::set<std::size_t> leaders;
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const auto next = successors(function, i);
    const bool falls_through = next.size() == 1 && next.front().to.index() == i + 1;
    if (falls_through) continue;
    leaders.insert(i + 1);
    for (const LocationEdge& edge : next) leaders.insert(edge.to.index());
  }
  std::vector<Block> out;
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const bool is_new_line =
        i > 0 && function.code[i].position.line != function.code[i - 1].position.line;
    if (i == 0 || is_new_line || leaders.contains(i))
      out.push_back({i, i});
    else
      out.back().last = i;
  }
  return out;
}

std::string node_name(std::size_t function, std::size_t block) {
  return "f" + std::to_string(function) + "b" + std::to_string(block);
}

class TemplatePicture {
 public:
  TemplatePicture(const c::Program& program, std::span<const SourceFile> sources)
      : program_(program), lines_(program, sources) {
    for (const c::Function& function : program.functions) blocks_.push_back(blocks_of(function));
    find_thread_starts();
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      if (!program.functions[f].is_library) choose_blocks(f);
  }

  std::string draw(const std::string& name) {
    std::string frames;
    for (std::size_t f = 0; f < program_.functions.size(); ++f) frames += frame(f);
    return "digraph program {\n" + head(name).text() +
           "  node [fontname=\"DejaVu Sans\", fontsize=10, shape=box, "
           "style=\"rounded,filled\", height=0.3];\n"
           "  edge [fontname=\"DejaVu Sans\", fontsize=9, color=\"#44557a\"];\n" +
           frames + edges_ + "}\n";
  }

 private:
  void find_thread_starts() {
    starts_.insert(program_.entry.index());
    for (const c::Function& function : program_.functions)
      for (const c::Instruction& instruction : function.code) {
        const auto* sync = std::get_if<c::Synchronise>(&instruction.effect);
        if (sync && sync->operation == c::SyncOperation::CreateThread &&
            sync->arguments[1].kind == c::Operand::Kind::Function)
          starts_.insert(sync->arguments[1].index);
      }
    for (const c::Instruction& instruction : program_.functions[program_.entry.index()].code)
      if (const auto* call = std::get_if<c::Call>(&instruction.effect))
        if (call->callee.kind == c::Operand::Kind::Function) starts_.insert(call->callee.index);
  }

  /// The blocks that control can get to, without those that only keep books, as far as there is
  /// room.
  void choose_blocks(std::size_t f) {
    const c::Function& function = program_.functions[f];
    if (function.code.empty()) return;
    std::vector<bool> met(blocks_[f].size());
    std::vector<std::size_t> open{0};
    while (!open.empty()) {
      const std::size_t b = open.back();
      open.pop_back();
      if (met[b]) continue;
      met[b] = true;
      for (const LocationEdge& edge : successors(function, blocks_[f][b].last))
        open.push_back(block_at(f, edge.to));
    }
    for (std::size_t b = 0; b < met.size(); ++b) {
      if (!met[b] || is_skipped(f, b)) continue;
      blocks_[f][b].drawn = drawn_ < kMostFlowNodes;
      ++(blocks_[f][b].drawn ? drawn_ : left_out_);
    }
  }

  /// It leads on to one later block, and there is nothing to be said of it.
  bool is_skipped(std::size_t f, std::size_t b) const {
    const auto& code = program_.functions[f].code;
    const Block& block = blocks_[f][b];
    for (std::size_t i = block.first; i <= block.last; ++i)
      if (!is_bookkeeping(code[i].effect)) return false;
    const auto next = successors(program_.functions[f], block.last);
    return next.size() == 1 && next.front().to.index() > block.last;
  }

  /// The block itself, or the one that it leads on to.
  std::size_t shown(std::size_t f, std::size_t b) const {
    while (is_skipped(f, b))
      b = block_at(f, successors(program_.functions[f], blocks_[f][b].last).front().to);
    return b;
  }

  DotHead head(const std::string& name) const {
    DotHead head(name);
    if (left_out_ > 0)
      head.remark(counted(left_out_, "line") + " left out: the picture has room for " +
                  std::to_string(kMostFlowNodes));
    std::set<const BlockLook*> used;
    for (std::size_t f = 0; f < blocks_.size(); ++f)
      for (std::size_t b = 0; b < blocks_[f].size(); ++b)
        if (blocks_[f][b].drawn) used.insert(&look_of(f, b));
    for (const BlockLook* look :
         {&kThreadStart, &kSynchronises, &kAccesses, &kSilent, &kFails, &kUnsupported})
      if (used.contains(look)) head.node(look->fill, look->border, look->meaning);
    return head;
  }

  const BlockLook& look_of(std::size_t f, std::size_t b) const {
    const Block& block = blocks_[f][b];
    bool synchronises = false, accesses = false;
    for (std::size_t i = block.first; i <= block.last; ++i) {
      const c::Effect& effect = program_.functions[f].code[i].effect;
      if (std::holds_alternative<c::Fail>(effect)) return kFails;
      if (std::holds_alternative<c::Unsupported>(effect)) return kUnsupported;
      synchronises = synchronises || std::holds_alternative<c::Synchronise>(effect);
      accesses = accesses || is_noticed(effect);
    }
    if (starts_.contains(f) && b == shown(f, 0)) return kThreadStart;
    if (synchronises) return kSynchronises;
    return accesses ? kAccesses : kSilent;
  }

  /// The line with its text, and below it what other threads can notice.
  std::string label_of(std::size_t f, const Block& block) {
    const c::Function& function = program_.functions[f];
    const c::Position& position = function.code[block.first].position;
    std::string out = position.line == 0 ? "" : std::to_string(position.line) + "  ";
    out += shortened(lines_.trimmed(position), kLongestSourceLine);
    std::size_t shown = 0;
    for (std::size_t i = block.first; i <= block.last; ++i) {
      if (!is_noticed(function.code[i].effect)) continue;
      if (++shown > kMostNoticed) return out + "\n…";
      out +=
          "\n" + shortened(print(program_, c::FunctionId(f), c::Location(i)), kLongestSourceLine);
    }
    return out;
  }

  std::string all_instructions(std::size_t f, const Block& block) const {
    std::string out;
    for (std::size_t i = block.first; i <= block.last; ++i)
      out += (out.empty() ? "" : "\n") + std::to_string(i) + ": " +
             print(program_, c::FunctionId(f), c::Location(i));
    return out;
  }

  std::string frame(std::size_t f) {
    const c::Function& function = program_.functions[f];
    std::string nodes;
    for (std::size_t b = 0; b < blocks_[f].size(); ++b) {
      if (!blocks_[f][b].drawn) continue;
      nodes += "    " + node_name(f, b) + " [label=" + dot_quoted(label_of(f, blocks_[f][b])) +
               ", tooltip=" + dot_quoted(all_instructions(f, blocks_[f][b])) +
               attributes(look_of(f, b)) + "];\n";
      add_edges(f, b);
    }
    if (nodes.empty()) return {};
    const std::string title = function.name + (starts_.contains(f) ? " (thread)" : "") +
                              (function.is_atomic ? " (atomic)" : "");
    return "  subgraph cluster" + std::to_string(f) +
           " {\n    color=\"#c3cad8\"; label=" + dot_quoted(title) + "; fontsize=11;\n" + nodes +
           "  }\n";
  }

  std::size_t block_at(std::size_t f, c::Location location) const {
    const auto after = std::ranges::upper_bound(blocks_[f], location.index(), {}, &Block::first);
    return static_cast<std::size_t>(after - blocks_[f].begin()) - 1;
  }

  void add_edges(std::size_t f, std::size_t b) {
    const c::Function& function = program_.functions[f];
    const Block& block = blocks_[f][b];
    std::set<std::string> once;
    for (const LocationEdge& edge : successors(function, block.last)) {
      const std::string label = edge.label.empty() ? "" : " [label=" + dot_quoted(edge.label) + "]";
      const std::size_t to = shown(f, block_at(f, edge.to));
      if (blocks_[f][to].drawn)
        once.insert("  " + node_name(f, b) + " -> " + node_name(f, to) + label + ";\n");
    }
    for (std::size_t i = block.first; i <= block.last; ++i)
      if (const auto child = child_of(function.code[i].effect))
        once.insert("  " + node_name(f, b) + " -> " +
                    node_name(child->first, shown(child->first, 0)) +
                    " [label=" + dot_quoted(child->second) +
                    ", style=dashed, color=\"#1b7a36\", fontcolor=\"#1b7a36\"];\n");
    for (const std::string& line : once) edges_ += line;
  }

  /// The function of the program that an instruction starts as a thread, or calls.
  std::optional<std::pair<std::size_t, std::string>> child_of(const c::Effect& effect) const {
    const auto drawn = [&](const c::Operand& callee,
                           const char* how) -> std::optional<std::pair<std::size_t, std::string>> {
      if (callee.kind != c::Operand::Kind::Function || blocks_[callee.index].empty() ||
          !blocks_[callee.index][shown(callee.index, 0)].drawn)
        return std::nullopt;
      return std::pair(std::size_t{callee.index}, std::string(how));
    };
    if (const auto* call = std::get_if<c::Call>(&effect)) return drawn(call->callee, "calls");
    const auto* sync = std::get_if<c::Synchronise>(&effect);
    if (!sync || sync->operation != c::SyncOperation::CreateThread) return std::nullopt;
    return drawn(sync->arguments[1], "creates");
  }

  const c::Program& program_;
  SourceLines lines_;
  std::vector<std::vector<Block>> blocks_;
  std::set<std::size_t> starts_;  ///< functions that run as threads
  std::size_t drawn_ = 0, left_out_ = 0;
  std::string edges_;
};

}  // namespace

std::string c_program_dot(const c::Program& program, std::span<const SourceFile> sources,
                          const std::string& name) {
  return TemplatePicture(program, sources).draw(name);
}

}  // namespace heddle::output::picture
