/// Threads, mutexes, condition variables, atomic sections.

#include "transform/sequential_c/function_text.hpp"
#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

void FunctionText::finish(const Synchronise& i, const std::string& result) {
  if (i.to) set(*i.to, result, 32);
}

void FunctionText::execute(const Synchronise& i) {
  using enum SyncOperation;
  switch (i.operation) {
    case CreateThread: return create(i);
    case JoinThread: return join(i);
    case DetachThread:
      turn();
      return finish_call(i, "detach(" + text(i.arguments[0], pointer_width()) + ")", false);
    case ExitThread:
      if (environment_.has_shared_stack || environment_.has_detaches) turn();
      line("result = " + (i.arguments.empty() ? "0ull" : text(i.arguments[0], 64)) + ";");
      line("ended = 1;");
      line("stopped = 1;");
      return line(stop());
    case SelfThread: return finish(i, "me + 1u");
    case MutexInit:
      turn();
      return finish_call(i,
                         mutex_call("init", i.arguments[0],
                                    i.arguments.size() > 1 ? text(i.arguments[1], 32) : "0u"),
                         is_bytes(i.arguments[0]));
    case MutexLock:
      turn();
      return finish_call(i, mutex_call("lock", i.arguments[0]), is_bytes(i.arguments[0]));
    case MutexTryLock:
      turn();
      return finish_call(i, mutex_call("try_lock", i.arguments[0]), is_bytes(i.arguments[0]));
    case MutexUnlock:
      turn_for_release(i.arguments[0]);
      return finish_call(i, mutex_call("unlock", i.arguments[0]), is_bytes(i.arguments[0]));
    case ConditionWait:
    case ConditionTimedWait: return wait(i);
    case ConditionSignal:
    case ConditionBroadcast: check_condition(i.arguments[0]); return finish(i, "0u");
    case AtomicBegin: turn(); return line("sections = sections + 1u;");
    case AtomicEnd: return line("sections = sections - (sections > 0u);");
    case BlockUntil: give_up_if("!" + condition(i.arguments[0])); return finish(i, "0u");
    case MutexDestroy:
    case Fence: return finish(i, "0u");
  }
}

void FunctionText::finish_call(const Synchronise& i, const std::string& call, bool may_stop) {
  if (i.to && is_needed(*i.to))
    set(*i.to, call, 32);
  else
    line("(void)" + call + ";");
  if (may_stop) stop_after_access();
}

// ---- Threads

void FunctionText::create(const Synchronise& i) {
  const auto is_null = [](const Operand& o) {
    return o.kind == Operand::Kind::Constant && o.value == 0;
  };
  const Operand& handle = i.arguments[0];
  const Operand& start = i.arguments[1];
  if (environment_.shares_counter)
    turn();
  else if (!is_null(handle))
    turn_for(handle, false);
  if (start.kind == Operand::Kind::Function) {
    const Function& routine = environment_.program.functions[start.index];
    if (routine.code.empty() || routine.is_atomic)
      throw Refusal{"a thread that starts with " + routine.name + ", which " +
                        (routine.is_atomic ? "is an atomic function" : "has no body"),
                    function_.code[at_.index()].position};
  } else {
    std::string unknown = "1";
    for (const FunctionId one : environment_.flow.pointed())
      unknown += " && " + text(start, pointer_width()) +
                 " != " + literal(environment_.places.address_of(one), pointer_width());
    violate(Violation::Kind::InvalidAccess, unknown);
  }
  line("number = create_thread(" + text(start, 64) + ", " + text(i.arguments[2], 64) + ");");
  const bool is_cell = environment_.places.cell(environment_.places.tracked(id_, handle),
                                                environment_.program.pointer_bytes) != nullptr;
  if (!is_null(handle)) {
    const bool may_be_null = !environment_.places.tracked(id_, handle);
    if (may_be_null) line("if (" + text(handle, pointer_width()) + " != 0) {");
    write_to(handle, environment_.program.pointer_bytes,
             is_cell || pointer_width() == 32 ? "number + 1u" : "number + 1ull");
    if (may_be_null) line("}");
  }
  finish(i, "0u");
}

void FunctionText::join(const Synchronise& i) {
  turn();
  const Operand& to = i.arguments[1];
  const bool is_null = to.kind == Operand::Kind::Constant && to.value == 0;
  const std::string call = "join(" + text(i.arguments[0], pointer_width()) + ")";
  if (is_null) return finish_call(i, call, false);
  line("code = " + call + ";");
  const bool may_be_null = !environment_.places.tracked(id_, to);
  line("if (code == 0u" + (may_be_null ? " && " + text(to, pointer_width()) + " != 0" : "") +
       ") {");
  write_to(
      to, environment_.program.pointer_bytes,
      narrowed("result_of(" + text(i.arguments[0], pointer_width()) + ")", 64, pointer_width()));
  line("}");
  finish(i, "code");
}

// ---- Mutexes and condition variables

std::string FunctionText::mutex_call(const std::string& operation, const Operand& mutex,
                                     const std::string& more) {
  if (const MutexCells* cells = environment_.places.mutex(environment_.places.tracked(id_, mutex)))
    return operation + "__" + environment_.mutex_name(*cells) + "(" + more + ")";
  return operation + "(" + text(mutex, pointer_width()) + (more.empty() ? "" : ", " + more) + ")";
}

void FunctionText::turn_for_release(const Operand& mutex) {
  const MutexCells* cells = environment_.places.mutex(environment_.places.tracked(id_, mutex));
  if (cells == nullptr || !environment_.disciplined.contains(cells->owner)) turn();
}

void FunctionText::check_condition(const Operand& condition) {
  const auto at = environment_.places.tracked(id_, condition);
  if (at && !environment_.places.is_stored(at->object)) return;
  line("(void)index_of(" + text(condition, pointer_width()) + ", 1u);");
  stop_after_access();
}

/// Threads may wake at any time, so who is signalled makes no difference to what can be reached.
void FunctionText::wait(const Synchronise& i) {
  if (environment_.flow.may_be_in_section(id_, at_))
    throw Refusal{"a condition wait in an atomic section", function_.code[at_.index()].position};
  turn_for_release(i.arguments[1]);
  check_condition(i.arguments[0]);
  line("code = " + mutex_call("unlock", i.arguments[1]) + ";");
  if (is_bytes(i.arguments[1])) stop_after_access();
  line("if (code == 0u) {");
  turn();
  line("code = " + mutex_call("lock", i.arguments[1]) + ";");
  if (is_bytes(i.arguments[1])) stop_after_access();
  if (i.operation == SyncOperation::ConditionTimedWait)
    line("if (__VERIFIER_nondet_bool()) code = 110u;");
  line("}");
  finish(i, "code");
}

}  // namespace heddle::transform::sequential_c
