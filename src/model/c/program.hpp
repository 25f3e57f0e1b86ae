#pragma once

/// C programs with threads, as a machine executes them: functions are control-flow graphs over
/// registers, memory is a set of objects made of bytes, and every instruction makes at most one
/// access to memory or one synchronisation. Threads interleave between instructions.
///
/// Numbers. A register holds a word of up to 64 bits, kept in the low bits of a `std::uint64_t`
/// with zeros above. Arithmetic wraps at the width that the instruction gives. A pointer is a word
/// of `pointer_bytes`: an address. Addresses of one object are consecutive; which object an address
/// belongs to is decided by `model/c/memory.hpp`, never by the front end.
///
/// What C leaves undefined is here either a choice (uninitialised memory), a report (`memory`,
/// `no-overflow`) or wrapping arithmetic; docs/formats/c.md says which.
///
/// Registers. A parameter, and a local variable whose address is not taken, has a register of its
/// own that is assigned as the source assigns the variable; other registers hold the values of
/// expressions and are assigned once per evaluation. A register that has not been assigned holds 0.
///
/// Calls. The widths of arguments and parameters agree, except in calls through a function pointer
/// of another type and in calls without a prototype: then arguments are truncated or extended with
/// zeros, surplus arguments are dropped, missing ones are 0, and so are missing results. The start
/// routine of a thread is called in the same way, with one argument; its first result, if any, is
/// the thread's.
///
/// Mutexes are bytes of memory, so that every static initialiser means what it means in glibc: a
/// word of 4 bytes at offset 0 (0: free; otherwise the number of the owner, counted from 1), a word
/// at offset 4 (how often a recursive mutex is locked beyond the first time), and the kind at
/// `mutex_kind_offset(pointer_bytes)`. Kinds: 0 normal, 1 recursive, 2 error-checking, 3 adaptive
/// (as normal). Condition variables need no bytes: who waits for which is part of the threads'
/// states. A thread's handle is a word of `pointer_bytes`.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/id.hpp"

namespace heddle::model::c {

struct FunctionTag;
struct LocationTag;
struct RegisterTag;
struct GlobalTag;
struct TypeTag;
using FunctionId = base::Id<FunctionTag>;
using Location = base::Id<LocationTag>;  ///< of a function: the index of an instruction
using Register = base::Id<RegisterTag>;  ///< of a frame
using GlobalId = base::Id<GlobalTag>;
using TypeId = base::Id<TypeTag>;

/// Where something stands in the source; line 0: nowhere (it comes from our library).
struct Position {
  std::uint32_t file = 0;  ///< an index of Program::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// GCC 12 warns that the enumerator `Operand::Kind::Register` hides the type, which it does not.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// What an instruction reads.
struct Operand {
  enum class Kind : std::uint8_t {
    Register,  ///< `index`
    Constant,  ///< `value`
    Global,    ///< the address of global `index`, plus `value`
    Function   ///< the address of function `index`
  };
  Kind kind = Kind::Constant;
  std::uint32_t index = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};
#pragma GCC diagnostic pop

// ---- Instructions without an effect on other threads

enum class Operator : std::uint8_t {
  Copy,  ///< a
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  Eq,
  Ne,
  ULt,
  ULe,
  SLt,
  SLe,  ///< the result has 1 bit
  ZeroExtend,
  SignExtend,
  Truncate,  ///< of a, from `width` to `to_width`
  Select     ///< a ? b : c, where a has 1 bit and the others have `width`
};

/// `to := a operator b`. Division by zero, and shifts by the width or more, are reported.
struct Compute {
  Register to;
  Operator op = Operator::Copy;
  std::uint8_t width = 32;     ///< of the operands
  std::uint8_t to_width = 32;  ///< of the result
  bool is_signed = false;      ///< the source's type is signed: overflow is undefined in C
  Operand a, b, c;
};

/// `to :=` any word. The run says which.
struct Choose {
  enum class Why : std::uint8_t { Input, Uninitialised, UnknownFunction };
  Register to;
  std::uint8_t width = 32;
  bool is_signed = false;
  Why why = Why::Input;
  std::string what;  ///< `__VERIFIER_nondet_int`, the variable, the function
};

/// All of them at once: what phi nodes do.
struct Assign {
  std::vector<std::pair<Register, Operand>> copies;
  Location next;
};

struct Jump {
  Location next;
};

struct Branch {
  Operand condition;  ///< 1 bit
  Location if_true, if_false;
};

struct Switch {
  Operand value;
  std::vector<std::pair<std::uint64_t, Location>> cases;
  Location otherwise;
};

/// The callee's frame has its parameters in its first registers.
struct Call {
  std::vector<Register> to;  ///< several where a small structure is returned
  Operand callee;            ///< Kind::Function for a direct call
  std::vector<Operand> arguments;
};

struct Return {
  std::vector<Operand> values;
};

// ---- Memory

/// A new object. Stack objects end with their frame.
struct Allocate {
  enum class Where : std::uint8_t {
    Stack,
    Heap,
    Library  ///< like the heap, but the program does not know of it
  };
  Register to;
  Where where = Where::Stack;
  Operand size;            ///< in bytes
  bool is_zeroed = false;  ///< otherwise uninitialised
  std::optional<TypeId> type;
  std::string name;  ///< of the variable; empty for the heap
};

/// `free`: of address 0 it does nothing.
struct Free {
  Operand address;
};

/// Ends or restarts the life of a stack object (a variable of an inner block). The bytes of an
/// object whose life begins are uninitialised.
struct Lifetime {
  Operand address;
  bool begins = true;
};

/// `to :=` the size of the object that begins at this address, which lives (`realloc`).
struct ObjectSize {
  Register to;
  Operand address;
};

struct Load {
  Register to;
  Operand address;
  std::uint8_t bytes = 4;
  bool is_atomic = false;  ///< such accesses do not race with each other
};

struct Store {
  Operand address;
  Operand value;
  std::uint8_t bytes = 4;
  bool is_atomic = false;
};

/// Atomically: `to := *address; *address := to op value`.
struct ReadModifyWrite {
  enum class Operation : std::uint8_t {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin
  };
  Register to;
  Operation operation = Operation::Add;
  Operand address;
  Operand value;
  std::uint8_t bytes = 4;
};

/// Atomically: `old := *address; success := old == expected; if (success) *address := desired`.
struct CompareExchange {
  Register old;
  Register success;  ///< 1 bit
  Operand address;
  Operand expected;
  Operand desired;
  std::uint8_t bytes = 4;
  bool may_fail = false;  ///< a weak exchange may fail although they are equal (a choice)
};

// ---- Synchronisation

/// Names of the synchronising calls that the semantics knows. What can be said with atomic
/// sections and `BlockUntil` is written in C in our library instead (rwlocks, barriers,
/// semaphores, once, keys).
enum class SyncOperation : std::uint8_t {
  CreateThread,   ///< (address of the handle or 0, start routine, argument) → 0
  JoinThread,     ///< (handle, address for the result or 0) → 0; waits until that thread ended
  DetachThread,   ///< (handle) → 0
  ExitThread,     ///< (result); does not return
  SelfThread,     ///< () → handle
  MutexInit,      ///< (mutex, kind: 0 normal, 1 recursive, 2 error-checking) → 0
  MutexDestroy,   ///< (mutex) → 0
  MutexLock,      ///< (mutex) → 0 or an error number
  MutexTryLock,   ///< (mutex) → 0 or EBUSY
  MutexUnlock,    ///< (mutex) → 0 or an error number
  ConditionWait,  ///< (condition, mutex) → 0: releases, sleeps; wakes and re-locks as later steps
  ConditionTimedWait,  ///< the same → 0 or ETIMEDOUT
  ConditionSignal,     ///< (condition) → 0
  ConditionBroadcast,  ///< (condition) → 0
  AtomicBegin,         ///< no other thread steps until AtomicEnd; they nest
  AtomicEnd,
  BlockUntil,  ///< (1 bit, computed since AtomicBegin): if 0, the section is undone and the
               ///< thread waits before its AtomicBegin until memory has changed
  Fence        ///< nothing, under sequential consistency
};

struct Synchronise {
  SyncOperation operation = SyncOperation::Fence;
  std::optional<Register> to;
  std::vector<Operand> arguments;
};

// ---- Ends

/// Runs on which the condition is 0 are not looked at (`__VERIFIER_assume`).
struct Assume {
  Operand condition;
};

/// The property is violated here: `reach_error()`, a failed `assert`.
struct Fail {
  enum class Why : std::uint8_t { ErrorFunction, Assertion };
  Why why = Why::ErrorFunction;
  std::string what;  ///< the name of the function; the text of the assertion
};

/// The process ends: `exit`, `abort`, return from main. (The entry of a program never returns.)
struct Exit {
  bool is_abort = false;
};

/// Something the model does not have (floating point, inline assembly): an answer that depends on
/// reaching it is UNKNOWN with this reason.
struct Unsupported {
  std::string what;
};

using Effect = std::variant<Compute, Choose, Assign, Jump, Branch, Switch, Call, Return, Allocate,
                            Free, Lifetime, ObjectSize, Load, Store, ReadModifyWrite,
                            CompareExchange, Synchronise, Assume, Fail, Exit, Unsupported>;

/// Control goes on to the next instruction, unless the effect says otherwise.
struct Instruction {
  Effect effect;
  Position position;
};

// ---- Declarations

/// C types as a person names them, for printing values and for naming parts of objects.
struct Type {
  enum class Kind : std::uint8_t {
    Integer,
    Boolean,
    Character,
    Pointer,
    Array,
    Struct,
    Union,
    Other
  };
  Kind kind = Kind::Other;
  std::string name;  ///< "unsigned int", "struct node"
  std::uint64_t bytes = 0;
  bool is_signed = false;
  std::optional<TypeId> element;  ///< of arrays and pointers
  std::uint64_t count = 0;        ///< of arrays
  struct Member {
    std::string name;
    std::uint64_t offset = 0;  ///< in bytes
    TypeId type;
    std::uint8_t bits = 0;  ///< of a bit-field, which begins at bit `bit_offset` of the byte
    std::uint8_t bit_offset = 0;
  };
  std::vector<Member> members;
};

/// A variable in a function: a register of its own, or a stack object.
struct LocalVariable {
  std::string name;
  std::optional<TypeId> type;
  Register reg;  ///< of its value, or of its address
  bool is_address = false;
  Location first, last;  ///< the smallest and the largest location of its scope
  Position position;
};

struct Function {
  std::string name;
  std::uint32_t parameters = 0;  ///< registers 0, 1, … of a new frame
  std::vector<std::uint8_t> register_widths;
  std::vector<Instruction> code;  ///< execution begins at location 0
  std::vector<LocalVariable> variables;
  std::vector<std::uint8_t> result_widths;
  bool is_atomic = false;   ///< `__VERIFIER_atomic_*`: its whole body is one atomic section
  bool is_library = false;  ///< of our library: steps in it are shown as the call
  Position position;
};

/// The address of something, in the initial value of a global.
struct Relocation {
  std::uint64_t offset = 0;
  Operand target;  ///< Kind::Global or Kind::Function
};

struct Global {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::vector<std::uint8_t> initial;    ///< `size` bytes, or empty: all zero
  std::vector<Relocation> relocations;  ///< over `initial`
  bool is_thread_local = false;         ///< every thread has one of its own
  bool is_constant = false;
  bool is_extern = false;  ///< declared only: uninitialised
  std::optional<TypeId> type;
  Position position;
};

/// Where glibc keeps the kind of a mutex, by the size of a pointer.
constexpr std::uint64_t mutex_kind_offset(std::uint8_t pointer_bytes) {
  return pointer_bytes == 8 ? 16 : 12;
}

struct Program {
  std::vector<std::string> files;
  std::vector<Type> types;
  std::vector<Global> globals;
  std::vector<Function> functions;
  FunctionId entry;                ///< runs in thread 0; it has no parameters
  std::uint8_t pointer_bytes = 8;  ///< 8 or 4
  /// Whether variables that may hold pointers are objects, not registers: lost memory can be seen.
  bool keeps_pointers = false;
  std::string error_function;         ///< that alone fails; empty: the usual ones, and assertions
  std::vector<std::string> warnings;  ///< one line each: unknown functions, weak memory orders
};

}  // namespace heddle::model::c
