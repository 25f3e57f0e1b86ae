#pragma once

/// The words of the help. Examples teach more than descriptions.

namespace heddle::cli {

struct CommandHelp {
  const char* name;
  const char* usage;
  const char* description;
  const char* examples;
};

inline constexpr const char* kToolDescription =
    "Heddle decides whether a multi-threaded program can reach a bad state, for\n"
    "any number of threads, and hands out evidence that an independent checker has\n"
    "confirmed.";

inline constexpr const char* kToolFooter =
    R"(Examples:
  heddle verify queue.c                     can an assertion fail?
  heddle verify lock.tts --target '3|5,5'   two threads in 5, shared state 3?
  heddle verify net.spec --timeout 60       the targets stand in the file
  heddle verify lock.tts --evidence e.json  keep the evidence ...
  heddle check lock.tts e.json              ... and check it again another day

heddle COMMAND --help describes a command.)";

inline constexpr CommandHelp kVerifyHelp{
    "verify", "verify FILE... [OPTIONS] [-- CLANG FLAGS]",
    "decide whether a target can be reached, with checked evidence",
    R"(Examples:
  heddle verify lock.tts
      The target stands in lock.prop; any number of threads start in local state
      0.
  heddle verify lock.tts --target '3|5,5' --target '4|5'
      Is there a run to shared state 3 with two threads in 5, or to 4 with one
      thread in 5?
  heddle verify lock.tts --target '3|5' --initial '0|1/2'
      One thread starts in local state 1 and any number of threads in 2.
  heddle verify lock.tts --target '3|5' --threads 4
      The same for exactly four threads.
  heddle verify driver.bp --contexts 3 --label ERROR --projection
      Can a thread get to the label within 3 contexts per thread, and through
      which statements?
  heddle verify net.spec --engine backward --order bfs --timeout 1m
  heddle verify net.spec --json | jq .verdict
  heddle verify queue.c main.c -I include --property no-data-race -- -DNDEBUG
      Two C files, linked: can two threads race for the same data?

Exit codes: 0 safe, 10 unsafe, 21 safe up to a bound, 20 unknown, 2 wrong usage,
3 bad input, 70 error inside Heddle, 71 the evidence was refuted.)"};

inline constexpr CommandHelp kRacesHelp{
    "races", "races FILE... [OPTIONS] [-- CLANG FLAGS]",
    "prove that a C program has no data race, or show one",
    R"(As 'heddle verify --property no-data-race'; beside the answer it says for each
variable that several threads use what keeps them apart, and lists pairs of
accesses that were neither excluded nor confirmed.

Examples:
  heddle races queue.c
  heddle races queue.c main.c -I include --timeout 60
  heddle races queue.c --json | jq .verdict

Exit codes: 0 no race, 10 a race, 21 no race up to a number of threads, 20
unknown, 2 wrong usage, 3 bad input, 70 error inside Heddle, 71 the evidence was
refuted.)"};

inline constexpr CommandHelp kCutoffHelp{
    "cutoff", "cutoff FILE [OPTIONS]",
    "find how many threads are enough, and every reachable thread state",
    R"(Finds the least number of threads that reach all thread states (shared state,
local state) which any number of threads reaches, lists these with the threads
that each takes, and shows why no more will come. In a Petri net threads are
tokens and thread states are places that can be marked.

Examples:
  heddle cutoff lock.tts
      Any number of threads start in local state 0.
  heddle cutoff lock.tts --initial '0|1/2,3'
      One thread starts in 1, any numbers in 2 and 3; the number of threads is
      their sum.
  heddle cutoff lock.tts -o grid.svg
      Draw the reachable thread states.
  heddle cutoff net.spec --evidence e.json && heddle check net.spec e.json
  heddle cutoff net.spec --json | jq .cutoff

Exit codes: 0 found and confirmed, 20 unknown, 2 wrong usage, 3 bad input, 70
error inside Heddle, 71 the evidence was refuted.)"};

inline constexpr CommandHelp kCheckHelp{
    "check", "check FILE... EVIDENCE [OPTIONS]", "re-check stored evidence",
    R"(The question is the one that 'heddle verify' puts with the same options.
Evidence for another question is not accepted; the answer names the options that
put that one.

Examples:
  heddle verify lock.tts --target '3|5' --evidence e.json
  heddle check lock.tts e.json --target '3|5'

Exit codes: 0 confirmed, 71 refuted, 20 not checked (a limit was reached, or it
answers another question), 3 unreadable.)"};

inline constexpr CommandHelp kReplayHelp{
    "replay", "replay FILE... TRACE [OPTIONS]", "step through a stored trace",
    R"(The trace is checked first. On a terminal, keys step through it (h lists them);
otherwise commands are read from standard input, one a line. The question is
found as by 'heddle check'.

Examples:
  heddle verify lock.tts --target '3|5' --evidence e.json
  heddle replay lock.tts e.json
  heddle replay lock.tts e.json --all --expand

Exit codes: 0 the trace is confirmed, 71 it is refuted, 20 not checked, 3
unreadable or no trace.)"};

inline constexpr CommandHelp kTranslateHelp{
    "translate", "translate FILE --to FORMAT [-o OUT] [OPTIONS]",
    "write a model in another format, as another kind of model if need be",
    R"(A net becomes a thread system whose threads are its tokens; a thread system
becomes a net with a place for each shared and each local state. The same
targets can be reached in both; see docs/translations.md. A thread system's
target goes to OUT.prop, or into comments without -o.

Examples:
  heddle translate net.spec --to tts
  heddle translate net.spec -o net.tts
  heddle translate lock.tts --target '3|5,5' --to spec
  heddle translate net.pnml --to lola -o net.lola
  heddle translate queue.c --to model
      What a C program becomes, as text.
  heddle translate queue.c --to smt2 --encoding product -o queue.smt2
      The Horn clauses of its proof: 'sat' means that no error is reachable.

Exit codes: 0 done, 2 wrong usage, 3 bad input, or something that the format
cannot hold.)"};

inline constexpr CommandHelp kShowHelp{
    "show", "show FILE [EVIDENCE] [--quotient | --movers] [-o OUT]", "draw a model or its evidence",
    R"(EVIDENCE is what 'heddle verify --evidence' wrote, a file that ends in .json.
OUT ends in .svg, .png, .pdf or .dot and so says what is wanted; without -o, SVG
goes to standard output. Nets and programs need Graphviz (package graphviz)
unless OUT ends in .dot; other pictures need rsvg-convert (package librsvg2-bin)
for .png and .pdf. docs/pictures.md tells how to read each picture.

Examples:
  heddle show lock.tts -o lock.svg
  heddle show net.spec -o net.png
  heddle show lock.tts e.json -o evidence.pdf
  heddle show lock.tts e.json --quotient -o loops.svg
  heddle show queue.c --movers
      The source of a C program, with its movers and blocks, as text.

Exit codes: 0 drawn, 71 drawn, but the evidence is refuted, 20 drawn, but not
checked, 3 unreadable, unwritable, or a program is missing.)"};

inline constexpr CommandHelp kBenchHelp{"bench", "bench SUITE [OPTIONS]",
                                        "run a suite of cases: tables, plots, comparisons",
                                        R"(Examples:
  heddle bench models/ --timeout 20
      Every model below the folder, with tables per family; results and plots in
      bench-results/.
  heddle bench suites/INDEX.tsv --filter ^petri/ --jobs 2 --output before
      The cases of an index, which also says what verdicts to expect.
  heddle bench suites/INDEX.tsv --against 'mist=./mist --backward {file}'
      Another tool on the same cases, with the same limits.
  heddle bench suites/INDEX.tsv --output before --resume
      Go on after an interruption.
  heddle bench --compare before/results.tsv after/results.tsv
  heddle bench mist/ --cutoffs bench/published-cutoffs.tsv --memory 4000
      'heddle cutoff' on the nets of a published table, beside its figures.

Exit codes: 0 done, 71 a verdict of Heddle contradicts the index or is not
confirmed (or, comparing, changed from safe to unsafe or back), 70 Heddle failed
on a case, 2 wrong usage, 3 bad input.)"};

inline constexpr CommandHelp kEnginesHelp{"engines", "engines [NAME] [--json]",
                                          "list the engines, or show details of one",
                                          "Examples:\n  heddle engines\n  heddle engines backward"};

inline constexpr CommandHelp kFormatsHelp{"formats", "formats [--json]", "list the input formats",
                                          "Examples:\n  heddle formats\n  heddle formats --json"};

}  // namespace heddle::cli
