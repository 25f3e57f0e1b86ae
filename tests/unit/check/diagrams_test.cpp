/// The checker's decision diagrams against tables of all valuations. Sets are random, so diagrams
/// are about as large as they get, and tables of nodes and results grow on the way.

#include "check/diagrams/diagrams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <numeric>
#include <random>

namespace heddle::check::diagrams_test {
namespace {

constexpr std::uint32_t kVariables = 10;
constexpr std::size_t kValuations = std::size_t{1} << kVariables;
using Table = std::bitset<kValuations>;
using Image = std::vector<std::uint32_t>;

struct Known {
  Diagrams::Set set;
  Table table;
};

class DiagramsAgainstTables : public testing::Test {
 protected:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  /// Dense, thin, or about few variables.
  Known some() {
    Table table;
    const std::size_t kind = below(3);
    const std::size_t relevant = kind == 2 ? random_() % kValuations & random_() : kValuations - 1;
    const std::size_t pattern = random_();
    for (std::size_t v = 0; v < kValuations; ++v)
      table[v] = kind == 2 ? (((v & relevant) * (pattern | 1U)) >> 3U & 1U) != 0
                           : below(kind == 0 ? 2 : 40) == 0;
    return {from(table, 0, 0), table};
  }

  Diagrams::Set from(const Table& table, std::uint32_t variable, std::size_t valuation) {
    if (variable == kVariables) return table[valuation] ? 1 : 0;
    const auto low = from(table, variable + 1, valuation);
    const auto high = from(table, variable + 1, valuation | std::size_t{1} << variable);
    return diagrams_.choose(diagrams_.variable(variable), high, low);
  }

  void expect(Diagrams::Set set, const Table& table, const char* what) {
    // Diagrams are canonical: the same set has the same number.
    EXPECT_EQ(set, from(table, 0, 0)) << what;
  }

  /// `value[v]` is what `image[v]` is in the valuation.
  static Table replaced(const Table& table, const Image& image) {
    Table out;
    for (std::size_t v = 0; v < kValuations; ++v) {
      std::size_t before = 0;
      for (std::uint32_t i = 0; i < kVariables; ++i) before |= (v >> image[i] & 1U) << i;
      out[v] = table[before];
    }
    return out;
  }

  static Table any_values(Table table, const std::vector<bool>& forgotten) {
    for (std::uint32_t i = 0; i < kVariables; ++i) {
      if (!forgotten[i]) continue;
      Table out;
      for (std::size_t v = 0; v < kValuations; ++v)
        out[v] = table[v] || table[v ^ std::size_t{1} << i];
      table = out;
    }
    return table;
  }

  /// In order, a permutation, or anything.
  Image some_image() {
    Image image(kVariables);
    std::iota(image.begin(), image.end(), 0U);
    const std::size_t kind = below(4);
    if (kind == 1) std::ranges::shuffle(image, random_);
    if (kind == 2)
      for (std::uint32_t& v : image) v = static_cast<std::uint32_t>(below(kVariables));
    if (kind == 3) image[below(kVariables)] = static_cast<std::uint32_t>(below(kVariables));
    return image;
  }

  std::vector<bool> some_variables() {
    std::vector<bool> out(kVariables);
    for (std::size_t i = 0; i < kVariables; ++i) out[i] = below(3) == 0;
    return out;
  }

  std::mt19937 random_{7};
  Diagrams diagrams_{{}};
};

TEST_F(DiagramsAgainstTables, Connectives) {
  for (int i = 0; i < 60; ++i) {
    const Known a = some(), b = some(), c = some();
    expect(diagrams_.conjunction(a.set, b.set), a.table & b.table, "conjunction");
    expect(diagrams_.disjunction(a.set, b.set), a.table | b.table, "disjunction");
    expect(diagrams_.complement(a.set), ~a.table, "complement");
    expect(diagrams_.equivalence(a.set, b.set), ~(a.table ^ b.table), "equivalence");
    expect(diagrams_.choose(a.set, b.set, c.set), (a.table & b.table) | (~a.table & c.table),
           "choose");
  }
  EXPECT_GT(diagrams_.size(), 10'000U) << "the tables should have grown";
}

TEST_F(DiagramsAgainstTables, SubstitutionsAndProducts) {
  for (int i = 0; i < 150; ++i) {
    const Known a = some(), b = some();
    const Image image = some_image();
    const std::vector<bool> forgotten = some_variables();
    const Table moved = replaced(a.table, image);
    expect(diagrams_.substitute(a.set, image), moved, "substitute");
    expect(diagrams_.product(a.set, b.set, forgotten), any_values(a.table & b.table, forgotten),
           "product");
    expect(diagrams_.product(a.set, image, b.set, forgotten),
           any_values(moved & b.table, forgotten), "product of an image");
  }
}

TEST_F(DiagramsAgainstTables, Entailment) {
  unsigned holding = 0;
  for (int i = 0; i < 150; ++i) {
    const Known a = some(), b = some(), c = some();
    const Image image = some_image();
    const Table moved = replaced(c.table, image);
    const Table both = a.table & b.table;
    EXPECT_EQ(diagrams_.entails(a.set, b.set, c.set, image), (both & ~moved).none());
    const auto within = diagrams_.conjunction(a.set, from(moved, 0, 0));
    EXPECT_TRUE(diagrams_.entails(within, b.set, c.set, image));
    holding += (both & ~moved).none() ? 1 : 0;
  }
  EXPECT_LT(holding, 140U);
}

TEST_F(DiagramsAgainstTables, WhatIsKeptSurvives) {
  const Known a = some(), b = some();
  diagrams_.keep_all();
  for (int i = 0; i < 5; ++i) {
    const std::size_t kept = diagrams_.size();
    expect(diagrams_.conjunction(a.set, b.set), a.table & b.table, "before");
    diagrams_.forget_results();
    EXPECT_LE(diagrams_.size(), kept);
    expect(diagrams_.disjunction(a.set, b.set), a.table | b.table, "afterwards");
    diagrams_.forget_results();
  }
}

TEST_F(DiagramsAgainstTables, NodesAreCounted) {
  EXPECT_EQ(diagrams_.node_count(0), 0U);
  EXPECT_EQ(diagrams_.node_count(1), 0U);
  const auto x = diagrams_.variable(3), y = diagrams_.variable(5);
  EXPECT_EQ(diagrams_.node_count(x), 1U);
  EXPECT_EQ(diagrams_.node_count(diagrams_.equivalence(x, y)), 3U);
}

}  // namespace
}  // namespace heddle::check::diagrams_test
