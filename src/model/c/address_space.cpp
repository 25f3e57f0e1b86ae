#include "model/c/address_space.hpp"

#include <algorithm>

namespace heddle::model::c {

namespace {

// 8-byte pointers: bits of an address.
constexpr unsigned kNumberShift = 30;
constexpr unsigned kRegionShift = 48;
constexpr std::uint64_t kFirstOffset = 0x10000;
constexpr std::uint64_t kLargestPacked = 0x3000'0000;
constexpr std::uint64_t kNumbers = std::uint64_t{1} << (kRegionShift - kNumberShift);
constexpr std::uint32_t kMostThreadsPacked = 8000;
constexpr std::uint64_t kGlobalRegion = 1;
constexpr std::uint64_t kFunctionRegion = 2;
constexpr std::uint64_t kFirstThreadRegion = 3;

std::uint64_t packed(std::uint64_t region, std::uint64_t number) {
  return region << kRegionShift | number << kNumberShift | kFirstOffset;
}

// 4-byte pointers: what lies where.
constexpr std::uint64_t kFlatFunctions = 0x0100'0000;
constexpr std::uint64_t kFlatFunctionBytes = 16;
constexpr std::uint64_t kFlatGlobals = 0x0200'0000;
constexpr std::uint64_t kFlatThreads = 0x2000'0000;  ///< globals have 480 MB
constexpr std::uint64_t kFlatHeapBytes = 0x0040'0000;
constexpr std::uint64_t kFlatStackBytes = 0x0010'0000;
constexpr std::uint64_t kFlatThreadLocalBytes = 0x0010'0000;
constexpr std::uint64_t kFlatThreadBytes = kFlatHeapBytes + kFlatStackBytes + kFlatThreadLocalBytes;
constexpr std::uint32_t kMostThreadsFlat =
    static_cast<std::uint32_t>((0xf000'0000 - kFlatThreads) / kFlatThreadBytes);

std::uint64_t flat_region(Region region, ThreadId thread) {
  std::uint64_t begin = kFlatThreads + thread.value * kFlatThreadBytes;
  if (region == Region::Heap) return begin;
  begin += kFlatHeapBytes;
  return region == Region::Stack ? begin : begin + kFlatStackBytes;
}

/// The end of the region of a thread that an address lies in.
std::uint64_t flat_region_end(std::uint64_t address) {
  const std::uint64_t inside = (address - kFlatThreads) % kFlatThreadBytes;
  const std::uint64_t begin = address - inside;
  if (inside < kFlatHeapBytes) return begin + kFlatHeapBytes;
  if (inside < kFlatHeapBytes + kFlatStackBytes) return begin + kFlatHeapBytes + kFlatStackBytes;
  return begin + kFlatThreadBytes;
}

/// Behind an object with its gap, aligned to 16 bytes.
std::uint64_t flat_after(std::uint64_t address, std::uint64_t size) {
  return (address + std::max<std::uint64_t>(size, 1) + 31) & ~std::uint64_t{15};
}

}  // namespace

AddressSpace::AddressSpace(const Program& program)
    : pointer_bytes_(program.pointer_bytes),
      functions_(static_cast<std::uint32_t>(program.functions.size())) {
  std::uint64_t next_shared = is_packed() ? 0 : kFlatGlobals;
  std::uint64_t next_local = 0;
  for (const Global& global : program.globals) {
    std::uint64_t& next = global.is_thread_local ? next_local : next_shared;
    is_thread_local_.push_back(global.is_thread_local);
    if (is_packed()) {
      globals_.push_back(global.is_thread_local ? next : packed(kGlobalRegion, next));
      ++next;
      continue;
    }
    const std::uint64_t alignment = std::max<std::uint64_t>(global.alignment, 1);
    next = (next + alignment - 1) / alignment * alignment;
    globals_.push_back(next);
    next = flat_after(next, global.size);
  }
}

std::uint64_t AddressSpace::of_function(FunctionId function) const {
  return is_packed() ? packed(kFunctionRegion, function.value)
                     : kFlatFunctions + function.value * kFlatFunctionBytes;
}

std::optional<FunctionId> AddressSpace::function_at(std::uint64_t address) const {
  const std::uint64_t number = is_packed() ? (address >> kNumberShift) & (kNumbers - 1)
                                           : (address - kFlatFunctions) / kFlatFunctionBytes;
  if (number >= functions_) return std::nullopt;
  const FunctionId function(static_cast<std::uint32_t>(number));
  return of_function(function) == address ? std::optional(function) : std::nullopt;
}

std::uint64_t AddressSpace::of_thread_local(GlobalId global, ThreadId thread) const {
  const std::uint64_t first = first_of(Region::ThreadLocal, thread);
  return first +
         (is_packed() ? globals_[global.index()] << kNumberShift : globals_[global.index()]);
}

std::uint64_t AddressSpace::first_of(Region region, ThreadId thread) const {
  if (!is_packed()) return flat_region(region, thread);
  return packed(kFirstThreadRegion + 3 * thread.value + static_cast<std::uint64_t>(region), 0);
}

std::optional<std::uint64_t> AddressSpace::after(std::uint64_t address, std::uint64_t size) const {
  if (!is_packed()) {
    const std::uint64_t next = flat_after(address, size);
    return next < flat_region_end(address) ? std::optional(next) : std::nullopt;
  }
  const bool is_last = ((address >> kNumberShift) & (kNumbers - 1)) == kNumbers - 1;
  if (is_last || size > kLargestPacked) return std::nullopt;
  return address + (std::uint64_t{1} << kNumberShift);
}

std::optional<AddressSpace::Owned> AddressSpace::region_of(std::uint64_t address) const {
  if (is_packed()) {
    const std::uint64_t region = address >> kRegionShift;
    if (region < kFirstThreadRegion) return std::nullopt;
    const std::uint64_t number = region - kFirstThreadRegion;
    return Owned{static_cast<Region>(number % 3), ThreadId(static_cast<std::uint32_t>(number / 3))};
  }
  if (address < kFlatThreads) return std::nullopt;
  const std::uint64_t inside = (address - kFlatThreads) % kFlatThreadBytes;
  const Region region = inside < kFlatHeapBytes                     ? Region::Heap
                        : inside < kFlatHeapBytes + kFlatStackBytes ? Region::Stack
                                                                    : Region::ThreadLocal;
  return Owned{region,
               ThreadId(static_cast<std::uint32_t>((address - kFlatThreads) / kFlatThreadBytes))};
}

std::uint64_t AddressSpace::largest_object() const {
  return is_packed() ? kLargestPacked : kFlatHeapBytes - 32;
}

std::uint32_t AddressSpace::most_threads() const {
  return is_packed() ? kMostThreadsPacked : kMostThreadsFlat;
}

}  // namespace heddle::model::c
