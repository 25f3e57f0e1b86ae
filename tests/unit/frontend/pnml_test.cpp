#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::pnml_test {
namespace {

using testing::ElementsAre;

std::string net(const std::string& content, const std::string& type = "http://x/grammar/ptnet") {
  return "<?xml version=\"1.0\"?>\n<pnml><net id=\"n\" type=\"" + type + "\">\n" + content +
         "\n</net></pnml>\n";
}

std::vector<std::string> problems(const std::string& text) { return brief(errors("pnml", text)); }

std::string as_spec(const std::string& text) {
  return find_format("spec")->print(parsed<model::PetriNet>("pnml", text));
}

TEST(Pnml, ReadsPagesNodesAndWeights) {
  EXPECT_EQ(as_spec(net("<name><text>demo</text></name>\n"
                        "<page id='g1'><place id='p'><name><text>idle</text></name>\n"
                        "  <initialMarking><graphics/><text> 2 </text></initialMarking></place>\n"
                        "  <page id='g2'><transition id='t'><name><text>take\n it</text></name>\n"
                        "  </transition></page></page>\n"
                        "<page id='g3'><place id='q'/><toolspecific tool='x'><place id='p'/>"
                        "</toolspecific>\n"
                        "  <arc id='a' source='p' target='t'><inscription><text>2</text>"
                        "</inscription></arc>\n"
                        "  <arc id='b' source='t' target='q'><type value='normal'/></arc></page>")),
            "vars\n    p\n    q\n\nrules\n# t\n# take\n# it\n"
            "    p >= 2 -> p' = p - 2, q' = q + 1;\n\ninit\n    p = 2, q = 0\n");
}

TEST(Pnml, ANetMayStandInAModuleWithoutPorts) {
  const std::string start = "<pnml><module><ports>";
  const std::string rest =
      "</ports><net id='n' type='PTNet'><place id='p'/></net>"
      "<finalmarkings><marking/></finalmarkings></module></pnml>";
  EXPECT_EQ(as_spec(start + " <!-- none --> " + rest), "vars\n    p\n\nrules\n\ninit\n    p = 0\n");
  EXPECT_EQ(brief(errors("pnml", start + "<input id='i'/>" + rest)).at(0),
            "1:16 'ports' the net has ports");
}

TEST(Pnml, FollowsReferences) {
  EXPECT_EQ(as_spec(net("<place id='p'/><transition id='t'/>"
                        "<page id='g'><referencePlace id='r' ref='s'/>"
                        "<referencePlace id='s' ref='p'/><referenceTransition id='u' ref='t'/>"
                        "<arc id='a' source='r' target='u'/></page>")),
            "vars\n    p\n\nrules\n# t\n    p >= 1 -> p' = p - 1;\n\ninit\n    p = 0\n");
}

TEST(Pnml, ReferencesInACircleEnd) {
  EXPECT_THAT(problems(net("<place id='p'/><referencePlace id='r' ref='r'/>"
                           "<transition id='t'/><arc id='a' source='r' target='t'/>")),
              ElementsAre("3:69 'r' there is no place or transition 'r'"));
}

TEST(Pnml, PrefixesAndEntitiesAreRead) {
  const auto file =
      parsed<model::PetriNet>("pnml",
                              "<x:pnml xmlns:x='u'><x:net type='P/T net'><x:place id='a&lt;b'/>"
                              "</x:net></x:pnml>");
  EXPECT_THAT(file.model.places, ElementsAre("a<b"));
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("pnml"), file), "");
}

TEST(PnmlDiagnostics, OtherNetsAreNamedAndRefused) {
  EXPECT_THAT(problems(net("", "http://x/grammar/symmetricnet")),
              ElementsAre("2:8 'http://x/grammar/symmetricnet' nets of type "
                          "'http://x/grammar/symmetricnet' cannot be read"));
  EXPECT_THAT(problems(net("<place id='p'><hlinitialMarking/></place>")),
              ElementsAre("3:16 'hlinitialMarking' 'hlinitialMarking' cannot be read"));
  EXPECT_THAT(
      problems(net("<place id='p'/><transition id='t'/>\n"
                   "<arc source='p' target='t'><type value='transfer'/></arc>\n"
                   "<arc source='p' target='t' type='reset'/>\n"
                   "<arc source='p' target='t'><arctype><text>flush</text></arctype></arc>")),
      ElementsAre("4:2 'transfer' arcs of type 'transfer' cannot be read",
                  "5:2 'reset' arcs of type 'reset' cannot be read",
                  "6:2 'flush' arcs of type 'flush' cannot be read"));
}

TEST(Pnml, InhibitorAndTestArcsAreGuards) {
  const auto file =
      parsed<model::PetriNet>("pnml", net("<place id='p'/><place id='q'/><transition id='t'/>"
                                          "<arc source='p' target='t'><type value='inhibitor'/>"
                                          "<inscription><text>3</text></inscription></arc>"
                                          "<arc source='q' target='t' type='test'/>"
                                          "<arc source='q' target='t' type='read'>"
                                          "<inscription><text>2</text></inscription></arc>"));
  ASSERT_EQ(file.model.transitions.size(), 1u);
  const std::vector<model::CounterBound> guard = {{model::PlaceId(0u), 0, base::Integer(2)},
                                                  {model::PlaceId(1u), 2, std::nullopt}};
  EXPECT_EQ(file.model.transitions[0].guard, guard);
  EXPECT_TRUE(file.model.transitions[0].updates.empty());
}

TEST(PnmlDiagnostics, InhibitorArcsThatMakeNoSense) {
  const std::string nodes = "<place id='p'/><transition id='t'/>\n";
  const auto inhibitor = [](const std::string& weight) {
    return "<arc source='p' target='t' type='inhibitor'><inscription><text>" + weight +
           "</text></inscription></arc>";
  };
  EXPECT_THAT(problems(net(nodes + "<arc source='t' target='p' type='inhibitor'/>")),
              ElementsAre("4:2 'arc' an arc of type 'inhibitor' leads to no transition"));
  EXPECT_THAT(problems(net(nodes + inhibitor("0"))),
              ElementsAre("4:2 'p' an inhibitor arc of weight 0 always inhibits"));
  EXPECT_THAT(problems(net(nodes + inhibitor("1") + "<arc source='p' target='t'/>")),
              ElementsAre("4:2 'p' a transition needs the tokens in 'p' that inhibit it"));
}

TEST(PnmlDiagnostics, Mistakes) {
  EXPECT_THAT(problems("<a/>"), ElementsAre("0:0 '' there is no element 'pnml'"));
  EXPECT_THAT(problems("<pnml>\n</pnm>"),
              ElementsAre("2:3 'pnm>' this is not XML: start-end tags mismatch"));
  EXPECT_THAT(problems("<pnml/>"), ElementsAre("1:2 'pnml' there is no net"));
  EXPECT_THAT(problems("<pnml><net/><net/></pnml>"),
              ElementsAre("1:8 'net' there are several nets"));
  EXPECT_THAT(problems(net("<place id='p'/>\n<place id='p'/>\n<place/>")),
              ElementsAre("4:2 'p' 'p' is declared twice", "5:2 '' a name is empty"));
  EXPECT_THAT(
      problems(net("<place id='p'><initialMarking><text>-1</text></initialMarking></place>")),
      ElementsAre("3:32 '-1' expected a natural number in 'text', found '-1'"));
  EXPECT_THAT(problems(net("<place id='p'/><arc source='p' target='q'/>")),
              ElementsAre("3:17 'q' there is no place or transition 'q'"));
}

TEST(PnmlDiagnostics, NestingCostsNoStack) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<page>";
  EXPECT_EQ(problems(net(deep)).size(), 1u);
  std::string closed = deep + "<place id='p'/>";
  for (int i = 0; i < 100000; ++i) closed += "</page>";
  EXPECT_EQ(parsed<model::PetriNet>("pnml", net(closed)).initial.size(), 1u);
}

TEST(PnmlPrinting, IdsStayDifferent) {
  model::PetriNet plain;
  plain.places = {"_net", "t1"};
  model::add_transition(plain, "t1", {}, {{model::PlaceId(0u), 1}});
  model::add_transition(plain, "", {}, {{model::PlaceId(1u), 2}});
  plain.transitions[1].note = "t2";
  const NetFile file{plain, std::vector<model::Region>(1), {}, {}};
  const std::string text = find_format("pnml")->print(file);
  EXPECT_THAT(text, testing::HasSubstr("<net id=\"__net\""));
  EXPECT_THAT(text, testing::HasSubstr("<transition id=\"t1_\">"));
  EXPECT_THAT(text, testing::HasSubstr("<transition id=\"t2_\"><name><text>t2<"));
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("pnml"), file), "");
}

}  // namespace
}  // namespace heddle::frontend::pnml_test
