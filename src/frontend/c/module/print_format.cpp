#include "frontend/c/module/print_format.hpp"

#include <utility>

namespace heddle::frontend::c {

namespace {

class FormatReader {
 public:
  FormatReader(std::string_view format, std::uint8_t pointer_bits)
      : format_(format), pointer_bits_(pointer_bits) {}

  std::optional<std::vector<PrintedPart>> read() {
    while (at_ < format_.size()) {
      const std::size_t first = at_;
      while (at_ < format_.size() && format_[at_] != '%') ++at_;
      add_text(first, at_ - first);
      if (at_ == format_.size()) break;
      ++at_;
      if (take('%')) {
        add_text(at_ - 1, 1);
        continue;
      }
      if (!read_conversion()) return std::nullopt;
    }
    return std::move(parts_);
  }

 private:
  void add_text(std::size_t first, std::size_t length) {
    if (length == 0) return;
    PrintedPart part;
    part.first = first;
    part.length = length;
    parts_.push_back(part);
  }

  bool take(char c) {
    if (at_ == format_.size() || format_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<PrintExtent> read_extent() {
    if (take('*')) return PrintExtent{PrintExtent::Kind::Argument, 0};
    PrintExtent extent;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_) {
      extent.kind = PrintExtent::Kind::Number;
      extent.value = 10 * extent.value + static_cast<unsigned>(format_[at_] - '0');
      if (extent.value > 100'000) return std::nullopt;
    }
    return extent;
  }

  /// hh, h, l, ll, j, z, t, q: how many bits an integer has.
  std::uint8_t read_length() {
    if (take('h')) return take('h') ? 8 : 16;
    if (take('l')) return take('l') ? std::uint8_t{64} : pointer_bits_;
    if (take('L')) return 64;
    if (take('j') || take('q')) return 64;
    if (take('z') || take('t')) return pointer_bits_;
    return 32;
  }

  unsigned read_flags() {
    unsigned flags = 0;
    for (;; ++at_) {
      const std::size_t flag =
          std::string_view("-+ #0").find(at_ < format_.size() ? format_[at_] : '?');
      if (flag == std::string_view::npos) return flags;
      flags |= 1U << flag;
    }
  }

  bool read_conversion() {
    PrintedPart part;
    part.flags = read_flags();
    const auto width = read_extent();
    if (!width) return false;
    part.width = *width;
    if (take('.')) {
      const auto precision = read_extent();
      if (!precision) return false;
      part.precision = *precision;
      if (precision->kind == PrintExtent::Kind::None)
        part.precision.kind = PrintExtent::Kind::Number;
    }
    const bool is_plain = at_ < format_.size() && format_[at_] != 'l';
    part.bits = read_length();
    if (at_ == format_.size()) return false;
    part.conversion = format_[at_++];
    switch (part.conversion) {
      case 'i': part.conversion = 'd'; [[fallthrough]];
      case 'd':
      case 'u':
      case 'o':
      case 'x':
      case 'X': part.kind = PrintedPart::Kind::Number; break;
      case 'p':
        part.kind = PrintedPart::Kind::Number;
        part.bits = pointer_bits_;
        break;
      case 'c':
        part.kind = is_plain ? PrintedPart::Kind::Character : PrintedPart::Kind::Other;
        break;
      case 's': part.kind = is_plain ? PrintedPart::Kind::String : PrintedPart::Kind::Other; break;
      case 'n': part.kind = PrintedPart::Kind::Written; break;
      default:
        if (std::string_view("aAeEfFgGCS").find(part.conversion) == std::string_view::npos)
          return false;
        part.kind = PrintedPart::Kind::Other;
    }
    parts_.push_back(part);
    return true;
  }

  std::string_view format_;
  std::uint8_t pointer_bits_;
  std::size_t at_ = 0;
  std::vector<PrintedPart> parts_;
};

}  // namespace

std::optional<std::vector<PrintedPart>> read_print_format(std::string_view format,
                                                          std::uint8_t pointer_bits) {
  return FormatReader(format, pointer_bits).read();
}

std::size_t arguments_of(const std::vector<PrintedPart>& parts) {
  std::size_t count = 0;
  for (const PrintedPart& part : parts) {
    count += part.kind == PrintedPart::Kind::Text ? 0 : 1;
    for (const PrintExtent& extent : {part.width, part.precision})
      count += extent.kind == PrintExtent::Kind::Argument ? 1 : 0;
  }
  return count;
}

}  // namespace heddle::frontend::c
