#include "support/random_threads.hpp"

#include <vector>

namespace heddle::test {

namespace {

class ThreadsWriter {
 public:
  ThreadsWriter(Random& random, const ThreadsFlavour& flavour)
      : random_(random), flavour_(flavour) {}

  std::string run() {
    out_ = "decl g0 := 0;\n";
    shared_ = {"g0"};
    if (random_.one_in(2)) declare_shared("g1");
    write_procedures();
    if (flavour_.threads > 1 && random_.one_in(4)) write_body("void init()", "", {}, 2);
    for (unsigned i = 0; i < flavour_.threads; ++i)
      write_body(flavour_.threads == 1 ? "void main()" : "void thread" + std::to_string(i) + "()",
                 "", {}, random_.between(2, 5));
    return out_;
  }

 private:
  void declare_shared(const std::string& name) {
    shared_.push_back(name);
    out_ += "decl " + name + (random_.one_in(2) ? " := 0" : "") + ";\n";
  }

  void write_procedures() {
    callees_ = flavour_.recursion ? std::vector<std::string>{"f", "h"} : std::vector<std::string>{};
    write_body("bool f(p)", "return " + std::string(random_.one_in(2) ? "!p" : "p | g0") + ";",
               {"p"}, random_.between(1, 3));
    if (!flavour_.recursion) callees_ = {"f"};
    write_body("void h()", "", {}, random_.between(1, 3));
    callees_ = {"f", "h"};
  }

  void write_body(const std::string& head, const std::string& last,
                  std::vector<std::string> parameters, unsigned statements) {
    locals_ = std::move(parameters);
    out_ += head + " begin\n";
    if (random_.one_in(2)) {
      out_ += std::string("  decl l") + (random_.one_in(2) ? " := 0" : "") + ";\n";
      locals_.emplace_back("l");
    }
    for (unsigned i = 0; i < statements; ++i) write_statement(2, false);
    if (!last.empty()) out_ += "  " + last + "\n";
    out_ += "end\n";
  }

  const std::string& pick(const std::vector<std::string>& list) {
    return list[random_.below(static_cast<unsigned>(list.size()))];
  }

  std::string variable() {
    return locals_.empty() || random_.one_in(2) ? pick(shared_) : pick(locals_);
  }

  std::string expression(unsigned depth) {
    if (depth == 0 || random_.one_in(3)) {
      static constexpr const char* kLeaves[] = {"0", "1", "*"};
      return random_.one_in(4) ? kLeaves[random_.below(3)] : variable();
    }
    if (random_.one_in(3)) return "!(" + expression(depth - 1) + ")";
    static constexpr const char* kOperators[] = {" & ", " | ", " ^ ", " = "};
    const std::string left = expression(depth - 1);
    return "(" + left + kOperators[random_.below(4)] + expression(depth - 1) + ")";
  }

  void write_statement(unsigned depth, bool inside) {
    switch (random_.below(10)) {
      case 0:
      case 1:
      case 2: write_assignment(); break;
      case 3: out_ += "  assume(" + expression(1) + ");\n"; break;
      case 4:
        out_ += "  assert(" + expression(1) + (random_.one_in(3) ? "" : " | 1") + ");\n";
        break;
      case 5:
      case 6: write_call(); break;
      case 7: write_block("if " + expression(1) + " then", "fi", depth, inside); break;
      case 8:
        if (inside) return write_assignment();
        write_block("atomic {", "}", depth, true);
        break;
      default: write_block("while " + expression(1) + " do", "od", depth, inside); break;
    }
  }

  void write_assignment() { out_ += "  " + variable() + " := " + expression(2) + ";\n"; }

  void write_call() {
    if (callees_.empty()) return write_assignment();
    if (pick(callees_) == "h") {
      out_ += "  h();\n";
    } else {
      out_ += "  " + (random_.one_in(4) ? std::string() : variable() + " := ") + "f(" +
              expression(1) + ");\n";
    }
  }

  void write_block(const std::string& head, const std::string& end, unsigned depth, bool inside) {
    if (depth == 0) return write_assignment();
    out_ += "  " + head + "\n";
    for (unsigned i = random_.between(1, 2); i > 0; --i) write_statement(depth - 1, inside);
    out_ += "  " + end + ";\n";
  }

  Random& random_;
  const ThreadsFlavour& flavour_;
  std::string out_;
  std::vector<std::string> shared_, locals_, callees_;
};

}  // namespace

std::string random_threads(Random& random, const ThreadsFlavour& flavour) {
  return ThreadsWriter(random, flavour).run();
}

}  // namespace heddle::test
