// Called by tools/check-grammars: tokenizes lines with known answers, and all examples.
const fs = require('fs');
const path = require('path');
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');

const root = process.argv[2];
const folder = path.join(root, 'contrib/vscode');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const files = new Map(
    manifest.contributes.grammars.map(g => [g.scopeName, path.join(folder, g.path)]));

// A line; then words of it, in order, each with what its scopes must contain.
const CASES = {
  'source.boolean-program': [
    ['dfs bool<2> f(a, b) begin', ['dfs', 'storage.modifier'], ['bool', 'storage.type'],
     ['2', 'constant.numeric'], ['f', 'entity.name.function'], ['a', 'variable.other'],
     ['begin', 'keyword.control']],
    ['decl x := 0, y := *;', ['decl', 'storage.type'], ['x', 'variable.other'],
     [':=', 'operator.assignment'], ['0', 'constant.language'], ['*', 'constant.language.choice']],
    ['  L1: if (!x & \'y) then goto L2; fi', ['L1', 'entity.name.label'],
     ['if', 'keyword.control'], ['!', 'operator.logical'], ['\'y', 'variable.other.next'],
     ['goto', 'keyword.control'], ['L2', 'variable.other']],
    ['SLIC_ERROR: skip;', ['SLIC_ERROR', 'invalid.illegal.error-label'],
     ['skip', 'keyword.control']],
    ['atomic { x$ := T constrain$ (y$ => F); }', ['atomic', 'keyword.control.thread'],
     ['x$', 'variable.other.passive'], ['T', 'constant.language'],
     ['constrain$', 'keyword.other.assertion'], ['y$', 'variable.other.passive'],
     ['F', 'constant.language']],
    ['atomic := 1;', ['atomic', 'variable.other']],
    ['start_thread goto worker; broadcast c;', ['start_thread', 'keyword.control.thread'],
     ['goto', 'keyword.control'], ['broadcast', 'keyword.control.thread']],
    ['assert(x ? y : z); // why', ['assert', 'keyword.other.assertion'], ['?', 'operator'],
     ['// why', 'comment.line']],
    ['f(schoose[x, 0]); /* x := 1 */ g();', ['f', 'entity.name.function.call'],
     ['schoose', 'support.function'], ['/*', 'comment.block'], [' x := 1 ', 'comment.block'],
     ['g', 'entity.name.function.call']],
  ],
  'source.thread-system': [
    ['3 4   # sizes', ['3', 'storage.type.shared'], ['4', 'storage.type.local'],
     ['# sizes', 'comment.line']],
    ['1 1 -> 0 2  3 ~> 0  # and back', ['1', 'constant.numeric.shared'],
     ['1', 'variable.other.local'], ['->', 'operator.move'], ['0', 'constant.numeric.shared'],
     ['2', 'variable.other.local'], ['3', 'variable.other.local'], ['~>', 'operator.passive'],
     ['0', 'variable.other.local'], ['# and back', 'comment.line']],
    ['0 2+>2 3', ['+>', 'operator.spawn']],
    ['2 3 ~> 0 0', ['~>', 'operator.transfer']],
    ['# shared state 1: m=1 ts=0', ['shared state', 'keyword.other.name'],
     ['1', 'constant.numeric'], [' m=1 ts=0', 'entity.name.tag']],
    ['# heddle: target 3|1,1', ['target', 'keyword.other.question'], [' 3|1,1', 'string']],
    ['0 0 -> 1 x', ['x', 'invalid.illegal']],
  ],
};
const EXAMPLES = {
  'source.boolean-program': ['examples/boolean', 'examples/context'],
  'source.thread-system': ['examples/thread-system'],
};

let problems = 0;
function complain(text) {
  console.log(text);
  problems += 1;
}

function tryCase(grammar, [line, ...expected]) {
  const tokens = grammar.tokenizeLine(line, textmate.INITIAL).tokens.map(
      t => ({text: line.slice(t.startIndex, t.endIndex), scopes: t.scopes.join(' ')}));
  let at = 0;
  for (const [text, scope] of expected) {
    let found = at;
    while (found < tokens.length && tokens[found].text !== text) found += 1;
    if (found === tokens.length) {
      complain(`${line}\n  no token '${text}' from the ${at + 1}th on: ` +
               tokens.map(t => `'${t.text}'`).join(' '));
      return;
    }
    if (!tokens[found].scopes.includes(scope)) {
      complain(`${line}\n  '${text}' should be ${scope}, but is ${tokens[found].scopes}`);
    }
    at = found + 1;
  }
}

function tryExample(grammar, file) {
  let state = textmate.INITIAL;
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const scopes = token.scopes.join(' ');
      if (scopes.includes('invalid') && !scopes.includes('error-label'))
        complain(`${file}:${number + 1}: '${line.slice(token.startIndex, token.endIndex)}' is illegal`);
    }
  });
}

async function main() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async scope =>
        textmate.parseRawGrammar(fs.readFileSync(files.get(scope), 'utf8'), files.get(scope)),
  });
  let examples = 0;
  for (const scope of files.keys()) {
    const grammar = await registry.loadGrammar(scope);
    CASES[scope].forEach(one => tryCase(grammar, one));
    for (const folder of EXAMPLES[scope]) {
      for (const name of fs.readdirSync(path.join(root, folder))) {
        if (!/\.(bp|tts)$/.test(name)) continue;
        tryExample(grammar, path.join(root, folder, name));
        examples += 1;
      }
    }
  }
  console.log(`${problems} problems; ${examples} examples`);
  process.exit(problems === 0 && examples > 0 ? 0 : 1);
}
main();
