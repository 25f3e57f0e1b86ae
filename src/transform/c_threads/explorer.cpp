#include "transform/c_threads/explorer.hpp"

#include <algorithm>

#include "base/components.hpp"

namespace heddle::transform::c_threads {

using namespace model::c;
using model::threads::Point;
using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::Transition;
using model::threads::Variable;
using model::threads::VariableId;

Explorer::Explorer(const Program& program, const Options& options)
    : program_(program), options_(options), facts_(program), memory_(program) {
  symbols_.insert("busy");  // formulas of proofs use it for something else
  thread_for("main", program.entry, 0);
  threads_[0].creator.reset();
}

void Explorer::refuse(const std::string& why) const {
  throw RefusedError{{why, false, instruction_ ? instruction_->position : Position{}}};
}

Covered Explorer::run() {
  if (!memory_.fits()) refuse("the variables of the program are too large");
  constexpr int kMostPasses = 300;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    changed_ = false;
    joins_by_number_ = false;
    explore();
    if (!is_abandoned_) review();
    if (!memory_.fits()) refuse("the objects of the program are too large");
    if (!changed_ && !find_locks()) return finish();
  }
  refuse("the addresses of the program are not resolved after " + std::to_string(kMostPasses) +
         " passes");
}

void Explorer::explore() {
  nodes_.clear();
  node_ids_.clear();
  node_points_.clear();
  work_.clear();
  edges_.clear();
  special_points_.clear();
  copies_.clear();
  cell_users_.clear();
  cell_writers_.clear();
  allocations_.clear();
  inherited_.clear();
  followers_.clear();
  stored_values_.clear();
  stored_others_.clear();
  tested_and_set_.clear();
  is_abandoned_ = false;
  inputs_ = 0;
  for (ThreadInfo& thread : threads_) {
    thread.is_used = false;
    thread.creations.clear();
    thread.joins.clear();
    thread.made = {};
  }
  Node start;
  start.context = threads_[0].root;
  for (const std::uint32_t cell : wanted_cells_) {
    const auto known = memory_.initial(memory_.at(CellId(cell)));
    if (!known || unfollowed_cells_.contains(cell)) continue;
    if (memory_.at(memory_.at(CellId(cell)).object).is_blurred) continue;
    start.constants.emplace(Slot{true, 0, cell}, *known);
    followers_[cell].insert(0);
  }
  threads_[0].is_used = true;
  threads_[0].made.entry = point_of(start);
  while (!work_.empty() && !is_abandoned_) {
    const std::uint32_t node = work_.front();
    work_.pop_front();
    expand(node);
  }
}

void Explorer::expand(std::uint32_t id) {
  if (options_.stops && options_.stops())
    throw RefusedError{{"the translation was stopped", true, {}}};
  current_ = id;
  node_ = nodes_[id];
  if (node_.at.index() >= function().code.size()) refuse("a function without a body is executed");
  instruction_ = &function().code[node_.at.index()];
  std::visit([&](const auto& effect) { execute(effect); }, instruction_->effect);
}

std::uint32_t Explorer::thread_for(const std::string& key, FunctionId start,
                                   std::uint32_t creator) {
  const auto known = thread_ids_.find(key);
  if (known != thread_ids_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(threads_.size());
  if (id > 2000) refuse("more than 2000 threads are created");
  threads_.emplace_back();
  thread_ids_.emplace(key, id);
  threads_[id].key = key;
  threads_[id].start = start;
  threads_[id].creator = creator;
  threads_[id].root = context_for({id, std::nullopt, Location(), start, 0});
  change();
  return id;
}

std::uint32_t Explorer::context_for(const Context& context) {
  const auto key = std::tuple(context.thread, context.caller ? *context.caller + 1 : 0,
                              context.call.value, context.function.value);
  const auto known = context_ids_.find(key);
  if (known != context_ids_.end()) return known->second;
  for (auto c = context.caller; c; c = contexts_[*c].caller)
    if (contexts_[*c].function == context.function)
      refuse("recursive call of " + program_.functions[context.function.index()].name);
  const auto id = static_cast<std::uint32_t>(contexts_.size());
  contexts_.push_back(context);
  context_ids_.emplace(key, id);
  return id;
}

void Explorer::limit_copies(const Node& node) {
  auto& copies = copies_[{node.thread, node.context, node.at.value}];
  if (copies.size() < options_.max_copies) return;
  const Constants& other = nodes_[copies.back()].constants;
  bool found = false;
  const auto give_up = [&](const Slot& slot) {
    found = true;
    if (slot.is_cell)
      unfollowed_cells_.insert(slot.index);
    else
      unfollowed_.emplace(contexts_[slot.context].function.value, slot.index);
  };
  for (const auto& [slot, value] : node.constants) {
    const auto there = other.find(slot);
    if (there == other.end() || there->second != value) give_up(slot);
  }
  for (const auto& [slot, value] : other)
    if (!node.constants.contains(slot)) give_up(slot);
  if (!found) return;
  is_abandoned_ = true;
  change();
}

Point Explorer::point_of(const Node& node) {
  const auto [place, is_new] = node_ids_.emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (!is_new) return node_points_[place->second];
  limit_copies(node);
  if (nodes_.size() > options_.max_points)
    refuse("the program is too large with its calls inlined");
  copies_[{node.thread, node.context, node.at.value}].push_back(place->second);
  nodes_.push_back(node);
  edges_.emplace_back();
  work_.push_back(place->second);
  auto& made = threads_[node.thread].made;
  PointInfo info;
  const Function& f = function_of(node.context);
  info.in_section = node.sections > 0;
  if (node.at.index() < f.code.size()) info.position = f.code[node.at.index()].position;
  info.function = f.name;
  info.function_id = contexts_[node.context].function;
  info.location = node.at;
  info.depth = contexts_[node.context].depth;
  made.points.push_back(info);
  node_points_.emplace_back(made.points.size() - 1);
  return node_points_.back();
}

Point Explorer::special_point(const Node& node, PointInfo::Kind kind) {
  const auto known = special_points_.find({current_, kind});
  if (known != special_points_.end()) return known->second;
  auto& made = threads_[node.thread].made;
  PointInfo info;
  info.kind = kind;
  info.position = instruction_->position;
  info.function = function().name;
  info.function_id = contexts_[node.context].function;
  info.location = node.at;
  made.points.push_back(info);
  const Point made_point(made.points.size() - 1);
  special_points_.emplace(std::pair(current_, kind), made_point);
  return made_point;
}

void Explorer::mark_blocking() {
  threads_[node_.thread].made.points[node_points_[current_].index()].may_block = true;
}

void Explorer::forget_dead(Node& node) const {
  const auto& live = facts_.functions[contexts_[node.context].function.index()].live;
  if (node.at.index() >= live.size()) return;
  std::erase_if(node.constants, [&](const auto& entry) {
    return !entry.first.is_cell && entry.first.context == node.context &&
           !live[node.at.index()][entry.first.index];
  });
}

Step Explorer::step_to(Location next) const {
  Step step;
  step.next = node_;
  step.next.at = next;
  step.next.is_asleep = false;
  return step;
}

void Explorer::emit(Step step) {
  forget_dead(step.next);
  const Point to = point_of(step.next);
  edges_[current_].push_back(node_ids_.at(step.next));
  emit_to(std::move(step), to);
}

void Explorer::emit_to(Step step, Point to) {
  if (step.guard.op() == term::Operator::Boolean && !step.guard.boolean()) return;
  Transition t;
  t.from = node_points_[current_];
  t.to = to;
  t.guard = step.guard;
  t.assignments = std::move(step.assignments);
  t.inputs = std::move(step.inputs);
  t.creation = std::move(step.creation);
  t.is_abstract = step.is_abstract;
  t.range_check_of = step.range_check_of;
  threads_[node_.thread].made.transitions.push_back(std::move(t));
}

// ---- between passes

std::vector<bool> Explorer::repeated_nodes() const {
  std::vector<bool> repeated(nodes_.size());
  for (const auto& component : base::strongly_connected_components(edges_)) {
    const std::uint32_t some = component.front();
    const bool loops = component.size() > 1 || std::ranges::count(edges_[some], some) > 0;
    for (const std::uint32_t node : component) repeated[node] = loops;
  }
  return repeated;
}

void Explorer::review() {
  const std::vector<bool> repeated = repeated_nodes();
  review_threads(repeated);
  review_inherited();
  review_cells();
  for (const auto& [key, nodes] : allocations_) {
    const bool often = nodes.size() > 1 ||
                       std::ranges::any_of(nodes, [&](std::uint32_t n) { return repeated[n]; });
    if (often && repeated_allocations_.insert(key).second) change();
  }
  if (!changed_ && joins_by_number_ && !joins_anybody_) {
    joins_anybody_ = true;
    change();
  }
}

void Explorer::review_threads(const std::vector<bool>& repeated) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    ThreadInfo& thread = threads_[i];
    if (!thread.is_used) continue;
    const auto number = static_cast<std::uint32_t>(numbers.size());
    numbers.emplace(static_cast<std::uint32_t>(i), number);
    const auto often = [&](const std::vector<std::uint32_t>& nodes) {
      return nodes.size() > 1 ||
             std::ranges::any_of(nodes, [&](std::uint32_t n) { return repeated[n]; });
    };
    const bool copies = thread.creator && threads_[*thread.creator].is_replicated;
    if (i > 0 && !thread.is_replicated && (often(thread.creations) || copies)) {
      thread.is_replicated = true;
      change();
    }
    const bool copied = std::ranges::any_of(
        thread.joins, [&](std::uint32_t n) { return threads_[nodes_[n].thread].is_replicated; });
    if (!thread.is_joined_often && (often(thread.joins) || copied || joins_anybody_)) {
      thread.is_joined_often = true;
      change();
    }
  }
  if (numbers != compact_) {
    compact_ = std::move(numbers);
    change();
  }
}

std::set<std::uint32_t> Explorer::nodes_behind_creations(std::uint32_t thread) const {
  const auto& creations = threads_[thread].creations;
  std::set<std::uint32_t> out(creations.begin(), creations.end());
  std::vector<std::uint32_t> work(creations.begin(), creations.end());
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    for (const std::uint32_t next : edges_[node])
      if (out.insert(next).second) work.push_back(next);
  }
  return out;
}

/// Whether what one thread does at a node happens before another one is created: that is done by
/// the same thread, or by one that it creates, and so on.
bool Explorer::is_before_creation(std::uint32_t thread, std::uint32_t node,
                                  std::map<std::uint32_t, std::set<std::uint32_t>>& behind) const {
  const std::uint32_t writer = nodes_[node].thread;
  std::set<std::uint32_t> seen;
  while (thread != 0 && seen.insert(thread).second && !threads_[thread].creations.empty()) {
    const std::uint32_t creator = nodes_[threads_[thread].creations.front()].thread;
    for (const std::uint32_t creation : threads_[thread].creations)
      if (nodes_[creation].thread != creator) return false;
    if (creator == writer) {
      if (!behind.contains(thread)) behind.emplace(thread, nodes_behind_creations(thread));
      return !threads_[creator].is_replicated && !behind.at(thread).contains(node);
    }
    thread = creator;
  }
  return false;
}

/// A thread may know a constant if nobody writes anything else to the cell once it is created.
void Explorer::review_inherited() {
  std::map<std::uint32_t, std::set<std::uint32_t>> behind;
  for (const auto& [who, values] : inherited_) {
    const auto& [cell, thread] = who;
    const bool is_right =
        values.size() == 1 && std::ranges::all_of(cell_writers_[cell], [&](const auto& write) {
          return write.second == *values.begin() || is_before_creation(thread, write.first, behind);
        });
    if (!is_right && not_inherited_.insert(who).second) change();
  }
}

void Explorer::review_cells() {
  for (const auto& [cell, writers] : cell_writers_) {
    const std::set<std::uint32_t>& followers = followers_[cell];
    if (followers.empty()) continue;
    const std::uint32_t only = *followers.begin();
    const bool is_one = followers.size() == 1 && !threads_[only].is_replicated &&
                        std::ranges::all_of(writers, [&](const auto& write) {
                          return nodes_[write.first].thread == only;
                        });
    if (!is_one && unfollowed_cells_.insert(cell).second) change();
  }
  // An object of a replicated thread has as many copies; another thread must not know its address.
  for (std::size_t i = 0; i < memory_.objects(); ++i) {
    const Object& object = memory_.at(ObjectId(i));
    if (!object.owner || object.is_blurred || !threads_[*object.owner].is_replicated) continue;
    const auto escapes = [&](const auto& entry) {
      return entry.second.objects.contains(static_cast<std::uint32_t>(i)) &&
             memory_.at(memory_.at(CellId(entry.first)).object).owner != object.owner;
    };
    const bool in_blurred = std::ranges::any_of(blurred_sets_, [&](const auto& entry) {
      return entry.second.objects.contains(static_cast<std::uint32_t>(i));
    });
    const bool in_others = std::ranges::any_of(register_sets_, [&](const auto& entry) {
      return entry.second.objects.contains(static_cast<std::uint32_t>(i)) &&
             contexts_[entry.first.first].thread != *object.owner;
    });
    const bool in_results = std::ranges::any_of(threads_, [&](const ThreadInfo& thread) {
      return thread.results.objects.contains(static_cast<std::uint32_t>(i));
    });
    if (in_blurred || in_others || in_results || std::ranges::any_of(cell_sets_, escapes)) {
      memory_.at(ObjectId(i)).is_summary = true;
      blur(ObjectId(i));
    }
  }
}

Covered Explorer::finish() {
  Covered out;
  ThreadProgram& result = out.program;
  result.variables = variables_;
  result.files = program_.files;
  for (const auto& [raw, number] : compact_) {
    ThreadInfo& info = threads_[raw];
    model::threads::Thread thread = info.made;
    thread.name = program_.functions[info.start.index()].name;
    thread.is_replicated = info.is_replicated;
    if (info.creator) thread.creator = model::threads::ThreadIndex(compact_.at(*info.creator));
    if (info.is_replicated) thread.self = info.self;
    if (raw != 0) thread.status = status_variable(raw);
    result.threads.push_back(std::move(thread));
  }
  for (const auto& [key, id] : register_variables_) {
    const auto owner = compact_.find(contexts_[key.first].thread);
    if (owner != compact_.end())
      result.variables[id.index()].owner = model::threads::ThreadIndex(owner->second);
  }
  for (const auto& [raw, number] : compact_)
    if (threads_[raw].self)
      result.variables[threads_[raw].self->index()].owner = model::threads::ThreadIndex(number);
  for (const auto& [cell, id] : cell_variables_) {
    const auto users = cell_users_.find(cell);
    if (users == cell_users_.end() || users->second.size() != 1) continue;
    if (locks_.contains(cell)) continue;
    const std::uint32_t user = *users->second.begin();
    const bool own_copy = memory_.at(memory_.at(CellId(cell)).object).owner == user;
    if (threads_[user].is_replicated && !own_copy) continue;
    result.variables[id.index()].owner = model::threads::ThreadIndex(compact_.at(user));
  }
  slice(result);
  out.covering = covering(result);
  return out;
}

}  // namespace heddle::transform::c_threads
