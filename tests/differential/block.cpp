#include "differential/block.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "support/agreement.hpp"
#include "support/sanitized.hpp"
#include "support/shrink.hpp"

namespace heddle::test::differential {

namespace {

model::AnyTask model_of(const Block& block, std::uint64_t seed) {
  Random random(seed);
  return block.kind->random(random);
}

/// In this process.
BlockRecord play_here(const Block& block, std::uint64_t campaign_seed) {
  BlockRecord record{.kind = std::string(block.kind->name), .number = block.number};
  Agreement agreement(engine::registry(), {}, block.kind->steps);
  for (std::uint64_t i = 0; i < block.count; ++i) {
    const std::uint64_t seed = model_seed(*block.kind, campaign_seed, block.first + i);
    const std::size_t kept = agreement.conflicts().size();
    const std::size_t before = agreement.count(Outcome::Conflict);
    agreement.compare(model_of(block, seed));
    if (agreement.count(Outcome::Conflict) == before) continue;
    std::string what = "(not shrunk: the block had enough conflicts)";
    if (agreement.conflicts().size() > kept) what = agreement.conflicts()[kept];
    record.conflicts.push_back({seed, what});
  }
  record.models = agreement.tasks();
  record.reached = agreement.reached();
  record.not_reached = agreement.exactly_not();
  for (const auto& [engine, seen] : agreement.observed())
    for (const auto& [answer, count] : seen.verdicts) record.engines[engine][answer] = count;
  return record;
}

/// The kernel asks a process that has used up its time to end, and kills it so much later.
constexpr std::uint64_t kGraceSeconds = 5;

void limit(int what, std::uint64_t most) {
  const rlimit both{most, most + (what == RLIMIT_CPU ? kGraceSeconds : 0)};
  setrlimit(what, &both);
}

[[noreturn]] void be_child(const Block& block, std::uint64_t campaign_seed,
                           const BlockLimits& limits, int out) {
  limit(RLIMIT_CPU, limits.model_seconds + block.count);
  if (!kAddressSanitizer) limit(RLIMIT_DATA, limits.memory_mb << 20);  // its shadow is huge
  limit(RLIMIT_CORE, 0);
  int code = 1;
  try {
    const std::string line = to_line(play_here(block, campaign_seed));
    std::size_t done = 0;
    while (done < line.size()) {
      const ssize_t count = write(out, line.data() + done, line.size() - done);
      if (count < 0) break;
      done += static_cast<std::size_t>(count);
    }
    if (done == line.size()) code = 0;
  } catch (const std::exception&) {
  }
  _exit(code);
}

struct ChildEnd {
  std::string line;
  int status = 0;
  double cpu_seconds = 0;
};

/// Ended from outside, as whoever cancels a job does with all its processes: says nothing about the
/// models.
void throw_if_killed(const ChildEnd& end) {
  if (!WIFSIGNALED(end.status)) return;
  const int signal = WTERMSIG(end.status);
  if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGKILL)
    throw std::runtime_error(std::string("a block was ended from outside: ") + strsignal(signal));
}

ChildEnd play_in_child(const Block& block, std::uint64_t campaign_seed, const BlockLimits& limits) {
  int pipes[2];
  if (pipe(pipes) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    close(pipes[0]);
    be_child(block, campaign_seed, limits, pipes[1]);
  }
  close(pipes[1]);
  ChildEnd end;
  char buffer[1 << 16];
  for (ssize_t count; (count = read(pipes[0], buffer, sizeof buffer)) != 0;) {
    if (count > 0) end.line.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(pipes[0]);
  rusage used{};
  while (wait4(child, &end.status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  end.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  throw_if_killed(end);
  return end;
}

bool ended_well(const ChildEnd& end) {
  return WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0 && end.line.ends_with('\n');
}

bool was_overdue(const ChildEnd& end) {
  return WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGXCPU;
}

std::string how_it_ended(const ChildEnd& end) {
  if (WIFSIGNALED(end.status)) return std::string("crashed: ") + strsignal(WTERMSIG(end.status));
  return "failed with exit code " + std::to_string(WEXITSTATUS(end.status));
}

/// The record of a block of one model.
BlockRecord single(const Block& one, std::uint64_t campaign_seed, const BlockLimits& limits) {
  const ChildEnd end = play_in_child(one, campaign_seed, limits);
  BlockRecord record{.kind = std::string(one.kind->name), .models = 1};
  if (ended_well(end)) {
    record = from_line(end.line);
  } else {
    const std::uint64_t seed = model_seed(*one.kind, campaign_seed, one.first);
    const bool overdue = was_overdue(end);
    (overdue ? record.overdue : record.conflicts)
        .push_back({seed, (overdue ? std::string("took too long") : how_it_ended(end)) + "\n" +
                              task_text(model_of(one, seed))});
  }
  record.cpu_seconds = end.cpu_seconds;
  return record;
}

void add(BlockRecord& sum, BlockRecord&& one) {
  sum.models += one.models;
  sum.reached += one.reached;
  sum.not_reached += one.not_reached;
  sum.cpu_seconds += one.cpu_seconds;
  for (const auto& [engine, answers] : one.engines)
    for (const auto& [answer, count] : answers) sum.engines[engine][answer] += count;
  for (Trouble& trouble : one.conflicts) sum.conflicts.push_back(std::move(trouble));
  for (Trouble& trouble : one.overdue) sum.overdue.push_back(std::move(trouble));
}

}  // namespace

BlockRecord play(const Block& block, std::uint64_t campaign_seed, const BlockLimits& limits) {
  const ChildEnd end = play_in_child(block, campaign_seed, limits);
  if (ended_well(end)) {
    BlockRecord record = from_line(end.line);
    record.cpu_seconds = end.cpu_seconds;
    return record;
  }
  BlockRecord record{.kind = std::string(block.kind->name), .number = block.number};
  record.cpu_seconds = end.cpu_seconds;
  for (std::uint64_t i = 0; i < block.count; ++i)
    add(record, single({block.kind, block.number, block.first + i, 1}, campaign_seed, limits));
  return record;
}

}  // namespace heddle::test::differential
