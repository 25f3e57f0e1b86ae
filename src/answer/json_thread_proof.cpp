/// Invariants of thread programs, as JSON. Records are arrays of their members in the order of the
/// headers (model/threads/covering.hpp, thread_proof.hpp), since there are thousands of them; an
/// optional member is an array of at most one item, a truth value 0 or 1.

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"
#include "answer/json_terms.hpp"
#include "term/print.hpp"

namespace heddle::answer {

using model::threads::Covering;
using model::threads::PointInfo;
using model::threads::ThreadProof;
using nlohmann::json;

namespace {

// The members of each record, once for both directions.

template <class Archive>
void members(Archive& a, Covering::Targets& t) {
  a(t.is_arbitrary)(t.objects)(t.functions)(t.handles);
}
template <class Archive>
void members(Archive& a, Covering::Context& c) {
  a(c.thread)(c.caller)(c.call)(c.function);
}
template <class Archive>
void members(Archive& a, Covering::Object& o) {
  a(o.kind)(o.global)(o.thread)(o.context)(o.at)(o.base)(o.size);
  a(o.is_blurred)(o.is_summary)(o.content);
}
template <class Archive>
void members(Archive& a, Covering::Cell& c) {
  a(c.object)(c.offset)(c.bytes)(c.is_signed)(c.is_constant)(c.variable)(c.content);
  a(c.lock_value);
}
template <class Archive>
void members(Archive& a, Covering::Mutex& m) {
  a(m.object)(m.offset)(m.kind)(m.is_broken)(m.owner)(m.depth);
}
template <class Archive>
void members(Archive& a, Covering::Register& r) {
  a(r.context)(r.reg)(r.is_signed)(r.variable)(r.content);
}
template <class Archive>
void members(Archive& a, Covering::Constant& c) {
  a(c.is_cell)(c.context)(c.index)(c.value);
}
template <class Archive>
void members(Archive& a, Covering::Place& p) {
  a(p.kind)(p.origin)(p.context)(p.at)(p.sections)(p.is_asleep)(p.creates)(p.constants);
}
template <class Archive>
void members(Archive& a, Covering::Thread& t) {
  a(t.start)(t.root)(t.handle)(t.is_replicated)(t.is_waited_for)(t.is_joined_once)(t.entry);
  a(t.self)(t.status)(t.result)(t.result_content)(t.places);
}
template <class Archive>
void members(Archive& a, Covering::Variable& v) {
  a(v.symbol)(v.name)(v.owner);
}

constexpr std::uint32_t last_of(PointInfo::Kind) {
  return static_cast<std::uint32_t>(PointInfo::Kind::End);
}
constexpr std::uint32_t last_of(Covering::Object::Kind) {
  return static_cast<std::uint32_t>(Covering::Object::Kind::Heap);
}

json word(std::uint64_t value) { return integer_to_json(base::Integer(std::to_string(value))); }

class RecordWriter {
 public:
  RecordWriter& operator()(const auto& member) {
    out.push_back(of(member));
    return *this;
  }

  static json of(bool value) { return value ? 1 : 0; }
  static json of(std::uint8_t value) { return value; }
  static json of(std::uint32_t value) { return value; }
  static json of(std::uint64_t value) { return word(value); }
  static json of(const std::string& value) { return value; }
  template <class Tag>
  static json of(base::Id<Tag> id) {
    return id.value;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static json of(Enum value) {
    return static_cast<std::uint32_t>(value);
  }
  template <class Item>
  static json of(const std::optional<Item>& value) {
    json list = json::array();
    if (value) list.push_back(of(*value));
    return list;
  }
  template <class Item>
  static json of(const std::vector<Item>& values) {
    json list = json::array();
    for (const Item& value : values) list.push_back(of(value));
    return list;
  }
  template <class Record>
    requires requires(RecordWriter& a, Record& r) { members(a, r); }
  static json of(const Record& record) {
    RecordWriter writer;
    members(writer, const_cast<Record&>(record));  // only read: one list of members for both ways
    return std::move(writer.out);
  }

  json out = json::array();
};

class RecordReader {
 public:
  explicit RecordReader(const JsonNode& node) : node_(node) {}

  RecordReader& operator()(auto& member) {
    const std::size_t index = read_++;
    if (index >= node_.size()) node_.fail("too few members");
    if (node_.failed()) return *this;
    const JsonNode item = node_.item(index);
    to(item, member);
    return *this;
  }
  void end() const {
    if (!node_.failed()) node_.expect_size(read_);
  }

  static void to(const JsonNode& node, bool& out) {
    const std::uint32_t value = node.number();
    if (value > 1) node.fail("0 or 1 expected");
    out = value == 1;
  }
  static void to(const JsonNode& node, std::uint8_t& out) {
    const std::uint32_t value = node.number();
    if (value > 255) node.fail("a number below 256 expected");
    out = static_cast<std::uint8_t>(value);
  }
  static void to(const JsonNode& node, std::uint32_t& out) { out = node.number(); }
  static void to(const JsonNode& node, std::uint64_t& out) {
    const base::Integer value = node.count();
    if (value > base::Integer("18446744073709551615"))
      node.fail("a word has at most 64 bits");
    else
      out = std::stoull(base::to_string(value));
  }
  static void to(const JsonNode& node, std::string& out) { out = node.name(); }
  template <class Tag>
  static void to(const JsonNode& node, base::Id<Tag>& out) {
    out = base::Id<Tag>(node.number());
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static void to(const JsonNode& node, Enum& out) {
    const std::uint32_t value = node.number();
    if (value > last_of(out)) node.fail("there is no such kind");
    if (!node.failed()) out = static_cast<Enum>(value);
  }
  template <class Item>
  static void to(const JsonNode& node, std::optional<Item>& out) {
    if (node.size() > 1) node.fail("at most one item expected");
    if (node.failed() || node.size() == 0) return;
    const JsonNode item = node.item(0);
    to(item, out.emplace());
  }
  template <class Item>
  static void to(const JsonNode& node, std::vector<Item>& out) {
    for (std::size_t i = 0; i < node.size() && !node.failed(); ++i) {
      const JsonNode item = node.item(i);
      to(item, out.emplace_back());
    }
  }
  template <class Record>
    requires requires(RecordReader& a, Record& r) { members(a, r); }
  static void to(const JsonNode& node, Record& record) {
    RecordReader reader(node);
    members(reader, record);
    reader.end();
  }

 private:
  const JsonNode& node_;
  std::size_t read_ = 0;
};

std::vector<std::uint32_t> indices(const std::vector<bool>& set) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < set.size(); ++i)
    if (set[i]) out.push_back(i);
  return out;
}

json sets_to_json(const std::vector<std::vector<bool>>& sets) {
  json out = json::array();
  for (const auto& set : sets) out.push_back(indices(set));
  return out;
}

std::vector<std::vector<bool>> sets_from_json(const JsonNode& node, const Covering& covering) {
  std::vector<std::vector<bool>> out;
  node.expect_size(covering.threads.size());
  for (std::size_t t = 0; t < node.size() && !node.failed(); ++t) {
    const JsonNode list = node.item(t);
    auto& set = out.emplace_back(covering.threads[t].places.size());
    for (std::size_t i = 0; i < list.size() && !node.failed(); ++i) {
      const JsonNode item = list.item(i);
      const std::uint32_t point = item.number();
      if (point >= set.size())
        item.fail("there is no such point");
      else
        set[point] = true;
    }
  }
  return out;
}

/// A formula by its index.
class Formulas {
 public:
  explicit Formulas(const JsonNode& node) : list_(terms_from_json(node)) {}
  term::Term at(const JsonNode& node) const {
    const std::uint32_t index = node.number();
    const bool is_one =
        !node.failed() && index < list_.size() && list_[index].sort() == term::Sort::Boolean;
    if (is_one) return list_[index];
    node.fail("the index of a formula expected");
    return term::constant(false);
  }

 private:
  std::vector<term::Term> list_;
};

void facts_from_json(const JsonNode& node, const Formulas& formulas, ThreadInvariants& out) {
  node.expect_size(out.covering.threads.size());
  for (std::size_t t = 0; t < node.size() && !node.failed(); ++t) {
    const JsonNode list = node.item(t);
    list.expect_size(out.covering.threads[t].places.size());
    auto& facts = out.proof.facts.emplace_back();
    for (std::size_t i = 0; i < list.size() && !node.failed(); ++i) {
      const JsonNode item = list.item(i);
      facts.push_back(formulas.at(item));
    }
  }
}

void invariants_from_json(const JsonNode& node, const Formulas& formulas, ThreadProof& proof) {
  for (std::size_t i = 0; i < node.size() && !node.failed(); ++i) {
    const JsonNode entry = node.item(i);
    auto& invariant = proof.invariants.emplace_back();
    entry.expect_size(2);
    if (node.failed()) return;
    const JsonNode at = entry.item(0);
    for (std::size_t j = 0; j < at.size() && !node.failed(); ++j) {
      const JsonNode pair = at.item(j);
      pair.expect_size(2);
      if (node.failed()) return;
      const JsonNode thread = pair.item(0), point = pair.item(1);
      invariant.at.emplace_back(thread.number(), point.number());
    }
    const JsonNode formula = entry.item(1);
    invariant.formula = formulas.at(formula);
  }
}

}  // namespace

bool operator==(const ThreadInvariants& a, const ThreadInvariants& b) {
  return to_fields(a) == to_fields(b);
}

json to_fields(const ThreadInvariants& of) {
  TermWriter terms;
  json facts = json::array();
  for (const auto& thread : of.proof.facts) {
    json list = json::array();
    for (const term::Term& fact : thread) list.push_back(terms.add(fact));
    facts.push_back(std::move(list));
  }
  json invariants = json::array();
  for (const ThreadProof::Invariant& invariant : of.proof.invariants) {
    json at = json::array();
    for (const auto& [thread, point] : invariant.at) at.push_back({thread.value, point});
    invariants.push_back({std::move(at), terms.add(invariant.formula)});
  }
  const auto lemma = terms.add(of.proof.lemma);
  const Covering& c = of.covering;
  return {{"rule", of.proof.rule == ThreadProof::Rule::Modular ? "modular" : "product"},
          {"variables", RecordWriter::of(c.variables)},
          {"contexts", RecordWriter::of(c.contexts)},
          {"objects", RecordWriter::of(c.objects)},
          {"cells", RecordWriter::of(c.cells)},
          {"mutexes", RecordWriter::of(c.mutexes)},
          {"registers", RecordWriter::of(c.registers)},
          {"threads", RecordWriter::of(c.threads)},
          {"boundaries", sets_to_json(of.proof.is_out)},
          {"cuts", sets_to_json(of.proof.is_cut)},
          {"facts", std::move(facts)},
          {"invariants", std::move(invariants)},
          {"lemma", lemma},
          {"terms", terms.take()}};
}

void read_fields(const JsonNode& node, ThreadInvariants& out) {
  node.expect_fields({"kind", "rule", "variables", "contexts", "objects", "cells", "mutexes",
                      "registers", "threads", "boundaries", "cuts", "facts", "invariants", "lemma",
                      "terms"});
  if (!node.failed()) read_covering_and_proof(node, out);
}

void read_covering_and_proof(const JsonNode& node, ThreadInvariants& out) {
  const JsonNode rule = node.field("rule");
  out.proof.rule = rule.one_of({"modular", "product"}) == 0 ? ThreadProof::Rule::Modular
                                                            : ThreadProof::Rule::Product;
  const auto read = [&](std::string_view name, auto& list) {
    const JsonNode field = node.field(name);
    RecordReader::to(field, list);
  };
  read("variables", out.covering.variables);
  read("contexts", out.covering.contexts);
  read("objects", out.covering.objects);
  read("cells", out.covering.cells);
  read("mutexes", out.covering.mutexes);
  read("registers", out.covering.registers);
  read("threads", out.covering.threads);
  const JsonNode boundaries = node.field("boundaries"), cuts = node.field("cuts");
  out.proof.is_out = sets_from_json(boundaries, out.covering);
  out.proof.is_cut = sets_from_json(cuts, out.covering);
  const JsonNode terms = node.field("terms"), facts = node.field("facts"),
                 invariants = node.field("invariants"), lemma = node.field("lemma");
  const Formulas formulas(terms);
  facts_from_json(facts, formulas, out);
  invariants_from_json(invariants, formulas, out.proof);
  out.proof.lemma = formulas.at(lemma);
}

// The same data; what is claimed about it differs.

bool operator==(const RaceFreedom& a, const RaceFreedom& b) { return to_fields(a) == to_fields(b); }

json to_fields(const RaceFreedom& freedom) {
  return to_fields(ThreadInvariants{freedom.covering, freedom.proof});
}

void read_fields(const JsonNode& node, RaceFreedom& freedom) {
  ThreadInvariants read;
  read_fields(node, read);
  freedom.covering = std::move(read.covering);
  freedom.proof = std::move(read.proof);
}

}  // namespace heddle::answer
