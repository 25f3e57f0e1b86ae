#include "support/long_inputs.hpp"

#include <fmt/format.h>

#include <string_view>

namespace heddle::test {

namespace {

/// One line for each number from 0 to n − 1, between a head and a tail.
template <class Line>
std::string lines(std::string text, std::size_t n, const Line& line, std::string_view tail) {
  for (std::size_t i = 0; i < n; ++i) text += line(i);
  return text.append(tail);
}

std::string many_places(std::size_t n, std::string_view head, std::string_view between) {
  std::string text(head);
  for (std::size_t i = 0; i <= n; ++i) text += fmt::format("{}p{}", i == 0 ? "" : between, i);
  return text;
}

const LongInput kInputs[] = {
    {"tts/transitions", "tts",
     [](std::size_t n) {
       return lines(
           fmt::format("{} 2\n", n + 1), n,
           [](auto i) { return fmt::format("{} 0 -> {} 0\n", i, i + 1); }, "");
     }},
    {"tts/passive", "tts",
     [](std::size_t n) {
       return lines(
           fmt::format("2 {}\n0 0 -> 1 1", n + 2), n,
           [](auto i) { return fmt::format(" 0 ~> {}", i + 2); }, "\n");
     }},
    {"spec/rules", "spec",
     [](std::size_t n) {
       return lines(
           many_places(n, "vars ", " ") + "\nrules\n", n,
           [](auto i) {
             return fmt::format("p{0} >= 1 -> p{0}' = p{0} - 1, p{1}' = p{1} + 1;\n", i, i + 1);
           },
           "init p0 >= 1\ntarget p1 >= 1\n");
     }},
    {"spec/targets", "spec", incomparable_targets},
    {"lola/arcs", "lola",
     [](std::size_t n) {
       return many_places(n, "PLACE ", ",") + ";\nMARKING p0: 1;\n" +
              many_places(n, "TRANSITION t CONSUME ", ",") + "; PRODUCE p0;\n";
     }},
    {"net/arcs", "net",
     [](std::size_t n) { return many_places(n, "tr t ", " ") + " -> p0\npl p0 (1)\n"; }},
    {"pnet/arcs", "pnet",
     [](std::size_t n) {
       return many_places(n, "petri net \"n\" {\nplaces { ", " ") +
              many_places(n, " }\ntransitions { t }\narcs { {", " ") +
              "} -> t }\ninitial { p0 }\n}\n";
     }},
    {"pnml/references", "pnml",
     [](std::size_t n) {
       std::string text = "<pnml><net id=\"n\"><place id=\"p0\"/><transition id=\"t\"/>\n";
       for (std::size_t i = 0; i < n; ++i)
         text += fmt::format("<referencePlace id=\"p{}\" ref=\"p{}\"/>\n", i + 1, i);
       return lines(
           std::move(text), n,
           [](auto i) {
             return fmt::format("<arc id=\"a{0}\" source=\"p{0}\" target=\"t\"/>\n", i);
           },
           "</net></pnml>\n");
     }},
    {"pds/rules", "pds",
     [](std::size_t n) {
       return lines(
           fmt::format("2\nPDA 0 {}\n", n), n,
           [](auto i) { return fmt::format("0 {} -> 0 {}\n", i, i + 1); }, "");
     }},
    {"rem/branches", "rem",
     [](std::size_t n) {
       return lines(
           "bool g;\nmodule void main() {\nif\n", n, [](auto) { return ":: g -> skip;\n"; },
           ":: else -> skip;\nfi;\n}\n");
     }},
    {"bp/statements", "bp",
     [](std::size_t n) {
       return lines("decl g;\nvoid main() begin\n", n, [](auto) { return "g := !g;\n"; }, "end\n");
     }},
    {"bp/gotoLabels", "bp",
     [](std::size_t n) {
       std::string text = lines(
           "decl g;\nvoid main() begin\ngoto L0", n, [](auto i) { return fmt::format(", L{}", i); },
           ";\n");
       return lines(
           std::move(text), n, [](auto i) { return fmt::format("L{}: g := !g;\n", i); }, "end\n");
     }},
    {"bp/procedures", "bp",
     [](std::size_t n) {
       std::string text = lines(
           "decl g;\n", n / 4,
           [](auto i) { return fmt::format("void f{}() begin g := !g; end\n", i); },
           "void main() begin\n");
       return lines(
           std::move(text), n / 4, [](auto i) { return fmt::format("f{}();\n", i); }, "end\n");
     }},
};

}  // namespace

std::string incomparable_targets(std::size_t n) {
  return lines(
             many_places(n + 1, "vars ", " ") + "\nrules\np0 >= 1 -> p0' = p0 - 1;\ninit p0 >= 1",
             n + 1, [](auto i) { return fmt::format(", p{} = 0", i + 1); }, "\n") +
         lines(
             "target\n", n,
             [](auto i) { return fmt::format("p{} >= 1, p{} >= 1\n", i + 1, i + 2); }, "");
}

std::span<const LongInput> long_inputs() { return kInputs; }

}  // namespace heddle::test
