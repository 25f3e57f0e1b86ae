// Steps through a run. Rows and source lines are drawn only where they are visible, and values are
// kept as changes with a copy every so often: a run of a hundred thousand rows stays quick.
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  byId('theme').addEventListener('click', toggleTheme);
  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  }

  const data = JSON.parse(byId('run-data').textContent);
  const {rows, lanes, slots, sources} = data;
  const kHeight = 28;

  // ---- rows that are drawn where they are visible
  class VirtualList {
    constructor(element, draw) {
      this.element = element;
      this.sizer = element.appendChild(make('div', 'sizer'));
      this.draw = draw;
      this.count = 0;
      element.addEventListener('scroll', () => this.schedule(), {passive: true});
      new ResizeObserver(() => this.schedule()).observe(element);
    }
    reset(count) {
      this.count = count;
      this.sizer.style.height = count * kHeight + 'px';
      this.refresh();
    }
    schedule() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.refresh();
      });
    }
    refresh() {
      const first = Math.max(0, Math.floor(this.element.scrollTop / kHeight) - 5);
      const last = Math.min(this.count, first + Math.ceil(this.element.clientHeight / kHeight) + 10);
      const drawn = document.createDocumentFragment();
      for (let i = first; i < last; ++i) {
        const row = this.draw(i);
        row.style.top = i * kHeight + 'px';
        row.style.height = kHeight + 'px';
        drawn.append(row);
      }
      this.sizer.replaceChildren(drawn);
    }
    reveal(i) {
      const top = i * kHeight, height = this.element.clientHeight;
      if (top < this.element.scrollTop + kHeight || top + 2 * kHeight > this.element.scrollTop + height)
        this.element.scrollTop = Math.max(0, top - height / 2);
      this.refresh();
    }
  }

  // ---- the source, with the invariants of a proof below their lines
  const listings = sources.map((source) =>
    source.text.replace(/\n$/, '').split('\n').map((text, i) => ({line: i + 1, text})));
  for (const [file, line, who, text] of [...data.notes].reverse()) {
    const listing = listings[file];
    const at = listing ? listing.findIndex((row) => row.line === line) : -1;
    if (at >= 0) listing.splice(at + 1, 0, {note: `${who}: ${text}`});
  }
  let shownFile = -1, here = 0, standing = new Map();
  const sourceList = byId('source') && new VirtualList(byId('source'), drawLine);
  function drawLine(i) {
    const {line, text, note} = listings[shownFile][i];
    if (note !== undefined) return make('div', 'row note', note);
    const row = make('div', 'row' + (line === here ? ' here' : ''));
    row.append(make('span', 'n', line), make('span', '', text));
    for (const lane of standing.get(line) ?? [])
      row.append(make('span', 'chip c' + (lane % 8), lanes[lane]));
    return row;
  }
  function showSource(file, line) {
    if (!sourceList || !listings[file]) return;
    here = line;
    if (file !== shownFile) {
      shownFile = file;
      byId('file').textContent = sources[file].name;
      const longest = listings[file].reduce((most, row) => Math.max(most, (row.text ?? row.note).length), 0);
      sourceList.sizer.style.minWidth = Math.min(longest, 2000) + 12 + 'ch';
      sourceList.reset(listings[file].length);
    }
    sourceList.reveal(Math.max(0, listings[file].findIndex((row) => row.line === line)));
  }
  if (sourceList) showSource(0, data.notes.length ? data.notes[0][1] : 0);
  if (!byId('steps')) return;

  // ---- values after each row; row -1 is the start
  const kDistance = 256;
  const copies = [{values: slots.map((slot) => slot[2]), last: lanes.map(() => -1)}];
  function apply(state, i) {
    const {lane, changes} = rows[i];
    for (const [slot, value] of changes) state.values[slot] = value;
    if (lane >= 0) state.last[lane] = i;
  }
  const copyOf = (state) => ({values: state.values.slice(), last: state.last.slice()});
  function stateAfter(i) {
    const wanted = Math.floor((i + 1) / kDistance);
    while (copies.length <= wanted) {
      const next = copyOf(copies.at(-1));
      for (let j = (copies.length - 1) * kDistance; j < copies.length * kDistance; ++j) apply(next, j);
      copies.push(next);
    }
    const state = copyOf(copies[wanted]);
    for (let j = wanted * kDistance; j <= i; ++j) apply(state, j);
    return state;
  }

  // ---- the list of steps
  let current = -1, hits = [], isHit = new Set();
  const laneWidth = lanes.length > 16 ? 8 : 14;
  byId('steps').style.setProperty('--lane', laneWidth + 'px');
  byId('steps').style.setProperty('--count', lanes.length);
  const stepList = new VirtualList(byId('steps'), drawStep);
  const numberOf = (row) => (row.first === row.last ? row.first : `${row.first}–${row.last}`);
  function drawStep(i) {
    const step = rows[i];
    const row = make('div', 'row mono' + (isHit.has(i) ? ' hit' : ''));
    row.id = 'row-' + i;
    row.role = 'option';
    row.ariaSelected = String(i === current);
    row.ariaPosInSet = String(i + 1);
    row.ariaSetSize = String(rows.length);
    row.title = [step.who, step.what, step.where].filter(Boolean).join('  ');
    row.append(make('span', 'n', numberOf(step)));
    if (lanes.length > 1) {
      const track = make('span', 'lanes');
      if (step.lane >= 0) {
        const dot = track.appendChild(make('span', 'dot c' + (step.lane % 8)));
        dot.style.setProperty('--at', step.lane);
      }
      row.append(track);
    }
    row.append(make('span', 'who' + (step.lane >= 0 ? ' c' + (step.lane % 8) : ''), step.who));
    row.append(make('span', 'what', step.what), make('span', 'loc', step.line ? 'line ' + step.line : ''));
    row.addEventListener('click', () => go(i));
    return row;
  }

  // ---- what is known at the current step
  const kMostValues = 300;
  function valueTable(which, now, before) {
    const table = make('table');
    let left = 0;
    for (const slot of which) {
      const value = now.values[slot];
      if (value === '' && before.values[slot] === '') continue;
      const changed = value !== before.values[slot];
      if (table.rows.length >= kMostValues && !changed) {
        ++left;
        continue;
      }
      const row = table.appendChild(make('tr', changed ? 'changed' : ''));
      const name = row.appendChild(make('th', '', slots[slot][1]));
      name.scope = 'row';
      const cell = row.appendChild(make('td', 'mono', value === '' ? '–' : value));
      if (changed && before.values[slot] !== '')
        cell.append(make('span', 'was', '  was ' + before.values[slot]));
    }
    if (left > 0) table.appendChild(make('caption', 'soft', `${left} more do not change here`));
    return table;
  }
  const slotsOf = (lane) => slots.map((_, i) => i).filter((i) => slots[i][0] === lane);
  const groups = [[-1, slotsOf(-1)], ...lanes.map((_, lane) => [lane, slotsOf(lane)])];
  function showState(now, before) {
    const parts = [];
    for (const [lane, which] of groups) {
      if (!which.some((slot) => now.values[slot] !== '' || before.values[slot] !== '')) continue;
      parts.push(make('h3', lane < 0 ? '' : 'c' + (lane % 8), lane < 0 ? data.shared : lanes[lane]));
      parts.push(valueTable(which, now, before));
    }
    byId('state').replaceChildren(...parts);
  }

  const placeOf = (row) => (row.line ? `${sources[row.file]?.name ?? ''}:${row.line}` : '');
  function describe(row) {
    if (!row) return 'start';
    const end = row === rows.at(-1) ? data.end : '';
    return [`step ${numberOf(row)}`, row.who, row.what, row.where, ...row.details, ...row.notes, end]
      .filter(Boolean).join(' · ');
  }

  function show() {
    const row = rows[current];
    const now = stateAfter(current), before = current < 0 ? now : stateAfter(current - 1);
    standing = new Map();
    now.last.forEach((i, lane) => {
      const at = rows[i];
      if (!at || !at.line || (row && row.line && at.file !== row.file)) return;
      standing.set(at.line, [...(standing.get(at.line) ?? []), lane]);
    });
    if (row?.line) showSource(row.file, row.line);
    else if (sourceList) sourceList.refresh();
    byId('now').textContent = describe(row);
    byId('where').value = row ? row.first : '0';
    byId('slider').value = current + 1;
    byId('slider').setAttribute('aria-valuetext', row ? 'step ' + numberOf(row) : 'start');
    byId('steps').setAttribute('aria-activedescendant', current < 0 ? '' : 'row-' + current);
    byId('first').disabled = byId('back').disabled = current < 0;
    byId('next').disabled = byId('last').disabled = current === rows.length - 1;
    showState(now, before);
    if (current >= 0) stepList.reveal(current);
    else stepList.refresh();
  }
  function go(i, keepAddress) {
    current = Math.max(-1, Math.min(rows.length - 1, i));
    if (!keepAddress) history.replaceState(null, '', '#step-' + (rows[current]?.first ?? '0'));
    show();
  }

  // ---- step numbers may have hundreds of digits
  function rowOfStep(text) {
    const number = BigInt(text);
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (BigInt(rows[middle].last) < number) low = middle + 1;
      else high = middle;
    }
    return number < 1n ? -1 : Math.min(low, rows.length - 1);
  }
  function goToAddress() {
    const match = /^#step-(\d+)$/.exec(location.hash);
    go(match ? rowOfStep(match[1]) : -1, true);
  }
  function sameThread(direction) {
    const lane = rows[current]?.lane ?? -1;
    for (let i = current + direction; i >= 0 && i < rows.length; i += direction)
      if (rows[i].lane === lane) return go(i);
  }

  // ---- search
  let texts;
  function search() {
    texts ??= rows.map((row) => [row.first, row.who, row.what, row.where, ...row.details, ...row.notes].join(' ').toLowerCase());
    const wanted = byId('find').value.trim().toLowerCase();
    hits = wanted === '' ? [] : texts.flatMap((text, i) => (text.includes(wanted) ? [i] : []));
    isHit = new Set(hits);
    byId('found').textContent = wanted === '' ? '' : `${hits.length} found`;
    stepList.refresh();
  }
  function nextHit(direction) {
    if (hits.length === 0) return;
    const after = direction > 0 ? hits.find((i) => i > current) : hits.findLast((i) => i < current);
    go(after ?? (direction > 0 ? hits[0] : hits.at(-1)));
  }

  // ---- controls
  byId('slider').max = rows.length;
  byId('slider').addEventListener('input', (event) => go(Number(event.target.value) - 1));
  byId('first').addEventListener('click', () => go(-1));
  byId('back').addEventListener('click', () => go(current - 1));
  byId('next').addEventListener('click', () => go(current + 1));
  byId('last').addEventListener('click', () => go(rows.length - 1));
  byId('where').addEventListener('change', (event) => {
    const text = event.target.value.trim();
    if (/^\d+$/.test(text)) go(rowOfStep(text));
    else event.target.value = rows[current]?.first ?? '0';
  });
  byId('find').addEventListener('input', search);
  byId('find').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') nextHit(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') byId('steps').focus();
  });
  addEventListener('hashchange', goToAddress);

  const keys = {
    ArrowRight: () => go(current + 1), ArrowDown: () => go(current + 1), j: () => go(current + 1),
    ArrowLeft: () => go(current - 1), ArrowUp: () => go(current - 1), k: () => go(current - 1),
    PageDown: () => go(current + 10), PageUp: () => go(current - 10),
    Home: () => go(-1), End: () => go(rows.length - 1),
    ']': () => sameThread(1), '[': () => sameThread(-1),
    n: () => nextHit(1), N: () => nextHit(-1), '/': () => byId('find').focus(),
    '?': () => { byId('keys').open = !byId('keys').open; }, t: toggleTheme,
  };
  const scrolls = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    if (event.target.closest('input, textarea, select')) return;
    // Keys that scroll the page do so unless the list of steps has the focus.
    if (scrolls.has(event.key) && !event.target.closest('#steps')) return;
    event.preventDefault();
    keys[event.key]();
  });

  stepList.reset(rows.length);
  goToAddress();
})();
