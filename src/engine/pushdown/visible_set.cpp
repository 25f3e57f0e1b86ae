#include "engine/pushdown/visible_set.hpp"

#include <algorithm>

namespace heddle::engine::pushdown {

bool VisibleSet::fits(const StackThreads& facts) {
  base::Integer codes = base::Integer(1) << 32;  // shared states
  for (std::size_t i = 0; i < facts.count(); ++i) codes *= facts.rules(i).symbol_count();
  return codes <= base::Integer(1) << 63;
}

VisibleSet::Code VisibleSet::encode(const Visible& state) const {
  Code code = state.shared;
  for (std::size_t i = 0; i < facts_->count(); ++i)
    code = code * facts_->rules(i).symbol_count() + state.tops[i];
  return code;
}

Visible VisibleSet::decode(Code code) const {
  Visible state{0, std::vector<Symbol>(facts_->count())};
  for (std::size_t i = facts_->count(); i-- > 0;) {
    state.tops[i] = static_cast<Symbol>(code % facts_->rules(i).symbol_count());
    code /= facts_->rules(i).symbol_count();
  }
  state.shared = static_cast<Shared>(code);
  return state;
}

std::vector<std::vector<Symbol>> VisibleSet::tops_of(std::span<const Language> stacks) const {
  std::vector<std::vector<Symbol>> out;
  for (std::size_t i = 0; i < facts_->count(); ++i) {
    const StackDfa::State& start = facts_->languages(i).automaton(stacks[i]).states[0];
    std::vector<Symbol>& seen = out.emplace_back();
    for (const auto& edge : start.edges) seen.push_back(edge.first);
    if (start.accepting) seen.push_back(facts_->rules(i).bottom());
  }
  return out;
}

template <class Do>
void VisibleSet::for_each(Shared shared, const std::vector<std::vector<Symbol>>& tops,
                          Do&& visit) const {
  std::vector<Code> codes{shared};
  for (std::size_t i = 0; i < facts_->count(); ++i) {
    std::vector<Code> longer;
    for (const Code code : codes)
      for (const Symbol top : tops[i])
        longer.push_back(code * facts_->rules(i).symbol_count() + top);
    codes = std::move(longer);
  }
  for (const Code code : codes) visit(code);
}

void VisibleSet::insert(Shared shared, std::span<const Language> stacks) {
  for_each(shared, tops_of(stacks), [&](Code code) { codes_.insert(code); });
}

void VisibleSet::erase(Shared shared, std::span<const Language> stacks) {
  const auto tops = tops_of(stacks);
  double count = 1;
  for (const auto& seen : tops) count *= static_cast<double>(seen.size());
  if (count <= static_cast<double>(codes_.size()))
    return for_each(shared, tops, [&](Code code) { codes_.erase(code); });
  std::erase_if(codes_, [&](Code code) {
    const Visible state = decode(code);
    bool seen = state.shared == shared;
    for (std::size_t i = 0; seen && i < tops.size(); ++i)
      seen = std::ranges::find(tops[i], state.tops[i]) != tops[i].end();
    return seen;
  });
}

}  // namespace heddle::engine::pushdown
