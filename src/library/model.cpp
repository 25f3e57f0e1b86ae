#include "library/model.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

namespace heddle::library {

namespace {

/// Runs what must not throw into C. Out of memory: the value for failure.
template <class T, class F>
T guarded(T failure, F body) {
  try {
    return body();
  } catch (...) {
    return failure;
  }
}

/// A new model that `fill` completes; null if memory ran out.
template <class F>
heddle_model* made(F fill) {
  return guarded<heddle_model*>(nullptr, [&] {
    auto model = std::make_unique<heddle_model>();
    fill(*model);
    return model.release();
  });
}

int refuse(heddle_model& model, const std::string& why) {
  model.error = why;
  return -1;
}

bool is_place_name(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const std::vector<std::string> reserved{"vars",       "rules", "init", "target",
                                          "invariants", "true",  "in"};
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, is_word) && std::ranges::count(reserved, name) == 0;
}

/// What lies beside a file is what is there: nothing is put into folders of others.
bool has_place_for(const heddle_model& model, const std::string& name) {
  return model.text || is_linked(name);
}

int refuse_beside_file(heddle_model& model, const std::string& name) {
  return refuse(model, "'" + name +
                           "' cannot lie beside a model that is a file; only .c and .i files can "
                           "be added to it, which are linked");
}

/// One line of a thread system, in the notation of its format.
int add_edge(heddle_model* model, const char* arrow, std::uint32_t shared_from, std::uint32_t from,
             std::uint32_t shared_to, std::uint32_t to) {
  if (!model) return -1;
  return guarded(-1, [&] {
    if (model->built != Built::ThreadSystem) return refuse(*model, "not a thread system");
    for (const std::uint32_t state : {shared_from, shared_to})
      if (state >= model->shared)
        return refuse(*model, "there is no shared state " + std::to_string(state));
    for (const std::uint32_t state : {from, to})
      if (state >= model->local)
        return refuse(*model, "there is no local state " + std::to_string(state));
    model->rules += std::to_string(shared_from) + " " + std::to_string(from) + " " + arrow + " " +
                    std::to_string(shared_to) + " " + std::to_string(to) + "\n";
    return 0;
  });
}

std::string net_text(const heddle_model& model) {
  std::string vars = "vars\n ", init = "init\n ";
  for (const InitialPlace& place : model.places) {
    vars += " " + place.name;
    init += (&place == &model.places.front() ? " " : ", ") + place.name +
            (place.at_least ? " >= " : " = ") + std::to_string(place.tokens);
  }
  return vars + "\nrules\n" + model.rules + init + "\n";
}

struct Effect {
  std::uint64_t taken = 0, put = 0;
};

/// A guard for what is taken, and the difference that firing makes.
std::string rule_text(const std::vector<InitialPlace>& places,
                      const std::map<std::uint32_t, Effect>& arcs) {
  std::string guards, updates;
  for (const auto& [place, effect] : arcs) {
    const std::string& name = places[place].name;
    if (effect.taken > 0)
      guards += (guards.empty() ? "" : ", ") + name + " >= " + std::to_string(effect.taken);
    if (effect.taken == effect.put) continue;
    const bool grows = effect.put > effect.taken;
    const std::uint64_t change = grows ? effect.put - effect.taken : effect.taken - effect.put;
    updates += updates.empty() ? "" : ", ";
    updates.append(name).append("' = ").append(name).append(grows ? " + " : " - ");
    updates += std::to_string(change);
  }
  return "  " + (guards.empty() ? "true" : guards) + " -> " + updates + ";\n";
}

}  // namespace

bool is_linked(const std::string& name) { return name.ends_with(".c") || name.ends_with(".i"); }

bool is_text_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name[0] != '-' && name != "." &&
         name != "..";
}

std::string text_of(const heddle_model& model) {
  switch (model.built) {
    case Built::ThreadSystem:
      return std::to_string(model.shared) + " " + std::to_string(model.local) + "\n" + model.rules;
    case Built::PetriNet: return net_text(model);
    case Built::No: break;
  }
  return model.text.value_or("");
}

}  // namespace heddle::library

using namespace heddle::library;

heddle_model* heddle_model_file(const char* path) {
  return made([&](heddle_model& model) { model.name = path; });
}

heddle_model* heddle_model_text(const char* name, const char* text, size_t length) {
  return made([&](heddle_model& model) {
    model.name = name;
    model.text.emplace(text, length);
  });
}

int heddle_add_file(heddle_model* model, const char* path) {
  if (!model) return -1;
  return guarded(-1, [&] {
    if (!has_place_for(*model, path)) return refuse_beside_file(*model, path);
    model->files.emplace_back(path);
    return 0;
  });
}

int heddle_add_text(heddle_model* model, const char* name, const char* text, size_t length) {
  if (!model) return -1;
  return guarded(-1, [&] {
    if (!is_text_name(name))
      return refuse(*model, "'" + std::string(name) + "' is not the name of a text");
    if (!has_place_for(*model, name)) return refuse_beside_file(*model, name);
    model->texts.emplace_back(name, std::string(text, length));
    return 0;
  });
}

void heddle_model_free(heddle_model* model) { delete model; }

heddle_model* heddle_thread_system(uint32_t shared, uint32_t local) {
  return made([&](heddle_model& model) {
    model.name = "model.tts";
    model.text.emplace();
    model.built = Built::ThreadSystem;
    model.shared = shared;
    model.local = local;
  });
}

int heddle_add_step(heddle_model* model, uint32_t shared_from, uint32_t from, uint32_t shared_to,
                    uint32_t to) {
  return add_edge(model, "->", shared_from, from, shared_to, to);
}

int heddle_add_spawn(heddle_model* model, uint32_t shared_from, uint32_t at, uint32_t shared_to,
                     uint32_t spawned) {
  return add_edge(model, "+>", shared_from, at, shared_to, spawned);
}

int heddle_add_transfer(heddle_model* model, uint32_t shared_from, uint32_t from,
                        uint32_t shared_to, uint32_t to) {
  return add_edge(model, "~>", shared_from, from, shared_to, to);
}

heddle_model* heddle_petri_net(void) {
  return made([&](heddle_model& model) {
    model.name = "model.spec";
    model.text.emplace();
    model.built = Built::PetriNet;
  });
}

int heddle_add_place(heddle_model* model, const char* name, uint64_t tokens, int how) {
  if (!model) return -1;
  return guarded(-1, [&] {
    const std::string text = name;
    if (model->built != Built::PetriNet) return refuse(*model, "not a Petri net");
    if (!is_place_name(text)) return refuse(*model, "'" + text + "' is not the name of a place");
    if (std::ranges::count(model->places, text, &InitialPlace::name) > 0)
      return refuse(*model, "there is a place " + text + " already");
    if (how != HEDDLE_EXACTLY && how != HEDDLE_AT_LEAST)
      return refuse(*model, "tokens are counted HEDDLE_EXACTLY or HEDDLE_AT_LEAST");
    model->places.push_back({text, tokens, how == HEDDLE_AT_LEAST});
    return static_cast<int>(model->places.size()) - 1;
  });
}

int heddle_add_transition(heddle_model* model, const heddle_arc* inputs, size_t input_count,
                          const heddle_arc* outputs, size_t output_count) {
  if (!model) return -1;
  return guarded(-1, [&] {
    if (model->built != Built::PetriNet) return refuse(*model, "not a Petri net");
    std::map<std::uint32_t, Effect> arcs;
    for (size_t i = 0; i < input_count; ++i) arcs[inputs[i].place].taken += inputs[i].tokens;
    for (size_t i = 0; i < output_count; ++i) arcs[outputs[i].place].put += outputs[i].tokens;
    if (!arcs.empty() && arcs.rbegin()->first >= model->places.size())
      return refuse(*model, "there is no place " + std::to_string(arcs.rbegin()->first));
    model->rules += rule_text(model->places, arcs);
    return 0;
  });
}

const char* heddle_model_error(const heddle_model* model) {
  return model && !model->error.empty() ? model->error.c_str() : nullptr;
}

const char* heddle_model_source(const heddle_model* model) {
  if (!model || !model->text) return nullptr;
  return guarded<const char*>(nullptr, [&] {
    model->source = text_of(*model);
    return model->source.c_str();
  });
}
