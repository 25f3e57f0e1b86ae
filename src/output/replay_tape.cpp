#include "output/replay_tape.hpp"

#include <algorithm>

#include "output/kinds.hpp"
#include "output/replay_watch.hpp"

namespace heddle::output {

namespace {

using base::Integer;

/// Thread systems and nets: a cursor over configurations.
class CounterTape final : public ReplayTape {
 public:
  CounterTape(model::CountingTask task, answer::Trace trace, Blocks blocks)
      : task_(std::move(task)), trace_(std::move(trace)), cursor_(task_.model, trace_, blocks) {}

  std::size_t position() const override { return cursor_.position(); }
  std::size_t size() const override { return cursor_.size(); }
  const std::string& broken() const override { return cursor_.broken(); }
  Integer steps_done() const override { return cursor_.steps_done(); }
  Integer steps() const override {
    const auto& legs = cursor_.legs();
    return legs.empty() ? Integer(0) : Integer(legs.back().before + legs.back().steps);
  }
  bool forward() override { return cursor_.forward(); }
  bool move_to(std::size_t position) override { return cursor_.move_to(position); }
  std::size_t position_of_step(const Integer& step) const override {
    return cursor_.position_of_step(step);
  }
  StoryEntry last_entry() const override { return cursor_.last_entry(); }
  std::string state() const override {
    return model::to_string(task_.model, cursor_.configuration());
  }
  std::string reached() const override {
    for (const model::Region& target : task_.question.targets)
      if (model::target_region_contains(target, cursor_.configuration()))
        return "reaches " + model::target_to_string(task_.model, target);
    return {};
  }

  std::expected<Watched, std::string> watch(std::string_view text) const override {
    auto parsed = ReplayWatch::parse(task_.model, text);
    if (!parsed) return std::unexpected(parsed.error());
    std::string name = parsed->name();
    return Watched{std::move(name), [this, what = std::move(*parsed)] {
                     return what.value(task_.model, cursor_.configuration());
                   }};
  }
  std::string watchable() const override { return "thread systems: shared, l, s|l; nets: a place"; }

 private:
  const model::CountingTask task_;
  const answer::Trace trace_;
  ReplayCursor cursor_;  // refers to both
};

/// The other kinds: threads with names, all moments at hand.
class RunTape final : public ReplayTape {
 public:
  explicit RunTape(ListedRun run) : run_(std::move(run)) {
    if (run_.moments.empty()) run_.moments.emplace_back();
  }

  std::size_t position() const override { return position_; }
  std::size_t size() const override { return run_.steps.size() + (run_.broken.empty() ? 0 : 1); }
  const std::string& broken() const override { return run_.broken; }
  Integer steps_done() const override { return Integer(position_); }
  Integer steps() const override { return Integer(run_.steps.size()); }
  bool forward() override { return move_to(position_ + 1); }
  bool move_to(std::size_t position) override {
    position_ = std::min(position, run_.steps.size());
    return position_ == position;
  }
  std::size_t position_of_step(const Integer& step) const override {
    if (step <= 0) return 0;
    return step < Integer(run_.steps.size()) ? step.get_ui() : run_.steps.size();
  }
  StoryEntry last_entry() const override { return run_.steps[position_ - 1].entry; }
  std::string listing() const override { return run_.steps[position_ - 1].listing; }
  std::string state() const override { return here().text; }
  std::string reached() const override {
    return position_ == run_.steps.size() ? run_.reached : std::string();
  }

  std::expected<Watched, std::string> watch(std::string_view text) const override {
    std::string name(text);
    if (!look_up(name))
      return std::unexpected("there is no '" + name + "' to be watched here (" + watchable() + ")");
    return Watched{name, [this, name] { return look_up(name).value_or("not there"); }};
  }
  std::string watchable() const override {
    return "shared, a thread by its number, a variable: x, or N:x of thread N";
  }

 private:
  const Moment& here() const { return run_.moments[position_]; }

  static std::optional<std::string> value_of(const model::NamedValues& values,
                                             std::string_view name) {
    const auto found =
        std::ranges::find(values, name, [](const auto& value) { return value.first; });
    if (found == values.end()) return std::nullopt;
    return found->second;
  }

  /// Threads that do not exist yet can be watched, so the last moment decides about names.
  std::optional<std::string> look_up(const std::string& name) const {
    if (name == "shared") return here().shared;
    if (auto shared = value_of(here().values, name)) return shared;
    const std::size_t colon = std::min(name.find(':'), name.size());
    const std::string who = " " + name.substr(0, colon);  // "thread 2", "worker 2"
    const auto is_it = [&](const ListedThread& thread) { return thread.name.ends_with(who); };
    const auto& threads = here().threads;
    const auto thread = std::ranges::find_if(threads, is_it);
    if (thread == threads.end()) {
      const bool later = std::ranges::any_of(run_.moments.back().threads, is_it);
      return later ? std::optional<std::string>("not started") : std::nullopt;
    }
    if (colon == name.size()) return thread->state;
    return value_of(thread->values, name.substr(colon + 1));
  }

  ListedRun run_;
  std::size_t position_ = 0;
};

using Tape = std::unique_ptr<ReplayTape>;

Tape tape_of(const model::CountingTask& task, const answer::Trace& trace, Blocks blocks,
             std::span<const SourceFile>) {
  return std::make_unique<CounterTape>(task, trace, blocks);
}

template <class Model>
  requires(!base::kContains<Model, model::CountingKinds>)
Tape tape_of(const model::Task<Model>& task, const answer::RunOf<Model>& run, Blocks,
             std::span<const SourceFile> sources) {
  return std::make_unique<RunTape>(list_run(task, run, sources));
}

}  // namespace

std::unique_ptr<ReplayTape> make_tape(const model::AnyTask& any, const answer::AnyRun& run,
                                      Blocks blocks, std::span<const SourceFile> sources) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        return tape_of(task, std::get<answer::RunOf<Model>>(run), blocks, sources);
      },
      any);
}

}  // namespace heddle::output
