// Shared by the scrubber and the cloud: the words of a step, the numbers under the slider, the curve over it, the files.

const ICONS = {play: 'M7 4.5v15l12.5-7.5z', pause: 'M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z'};
const REST = 250;                                            // ms without a change before the step is told

/** An element with a class at the end of another. */
function make(name, parent, className = '') {
  const node = document.createElement(name);
  node.className = className;
  parent.append(node);
  return node;
}

/**
 * What depends on the steps of a message; S is the component's memory, S.step its step.
 * follow: called with a place in [0, 1] while the curve is dragged, rest: at the end of that.
 */
function stepper($, S, meta, setTriggerValue, follow, rest) {
  const {words, count} = meta, range = $('input'), play = $('.play'), curve = $('.curve'), out = $('output');

  const label = (step) => {
    const parts = [meta.positions[step], count > 1 && fill(words.of, {step: step + 1, count})];
    for (const [where, what] of meta.marks ?? []) if (where === step) parts.push(what);
    return parts.filter(Boolean).join(' · ');
  };
  // room for the longest words: what stands beside them must not move with the step
  const long = (text) => [...text].reduce((n, c) => n + (c > '\u2e80' ? 2 : 1), 0);
  const room = (texts) => `${Math.max(...texts.map(long))}ch`;
  $('.v').style.setProperty('--room', room([...Array(count).keys()].map(label)));

  const readouts = $('.readouts'), labels = JSON.stringify(meta.readouts);
  if (S.labels !== labels) {
    S.labels = labels;
    readouts.replaceChildren();
    S.cells = meta.readouts.map(([name, list]) => {
      const pair = make('div', readouts);
      make('dt', pair).textContent = name;
      const cell = make('dd', pair);
      cell.style.minWidth = room(list);
      return cell;
    });
  }
  const place = (step) => `${count > 1 ? 100 * step / (count - 1) : 0}%`;

  /** Words and numbers of the step; the needle may stand between two steps. */
  const spell = (needle = S.step) => {
    const text = label(S.step);
    if (text !== S.text) out.textContent = S.text = text;
    range.setAttribute('aria-valuetext', text);
    S.cells.forEach((cell, i) => { cell.textContent = meta.readouts[i][1][S.step]; });
    if (!meta.curve) return;
    curve.querySelector('i').style.left = place(needle);
    const past = curve.querySelector('.past');
    if (past) past.style.clipPath = `inset(-20px calc(100% - ${place(needle)}) -20px -20px)`;
  };
  /** Python hears of the step once it rests: arrow keys change it often. */
  const report = () => {
    clearTimeout(S.timer);
    if (!S.meta.report) return;
    S.timer = setTimeout(() => {
      if (S.step === S.told) return;
      S.told = S.step;
      setTriggerValue('step', {at: S.step});
    }, REST);
  };
  const icon = () => {
    play.querySelector('path').setAttribute('d', S.playing ? ICONS.pause : ICONS.play);
    play.setAttribute('aria-label', S.playing ? words.pause : words.play);
    play.title = S.playing ? words.pause : words.play;
  };

  play.onclick = () => (S.playing ? S.stop() : S.run());
  $('.v').onkeydown = (event) => {
    if (event.key !== ' ' || event.target.closest('button') || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();                                 // Streamlit has shortcuts of its own
    S.playing ? S.stop() : S.run();
  };

  curve.hidden = !meta.curve;                                // it stands over the thumb of the slider
  if (meta.curve) {
    curve.querySelector('span').textContent = meta.curve[0];
    const points = meta.curve[1].map((v, i) => `${parseFloat(place(i))},${(96 - 92 * v).toFixed(2)}`).join(' ');
    curve.querySelectorAll('polyline').forEach((line) => line.setAttribute('points', points));
    const to = (event) => {
      const b = curve.getBoundingClientRect();
      follow((event.clientX - b.left) / b.width);
    };
    curve.onpointerdown = (event) => {
      if (event.button !== 0) return;
      curve.setPointerCapture(event.pointerId);
      to(event);
    };
    curve.onpointermove = (event) => { if (curve.hasPointerCapture(event.pointerId)) to(event); };
    curve.onpointerup = curve.onpointercancel = rest;
  }

  range.setAttribute('aria-label', words.step);
  $('.row').hidden = count < 2;
  readouts.hidden = !meta.readouts.length;
  $('.hint').textContent = words.hint;
  $('.foot').hidden = !meta.pick && !words.hint;
  $('.at').hidden = !meta.pick;
  return {label, place, spell, report, icon};
}

/**
 * The files of a message, opened, to S.ready: only what changed is opened, and what this tab has not is asked for.
 * wait: called where there are new ones: what is drawn does not fit the new words. open: (blob, i) => a promise of what
 * S.files keeps of file i; close: called with what it keeps no longer.
 */
function collect(root, S, blobs, setTriggerValue, {wait, open, close = () => {}}) {
  const ids = S.meta.files.map((file) => file.id), name = ids.join();
  if (ids.every((id) => S.files.has(id))) return S.ready(ids.map((id) => S.files.get(id)));
  wait();
  if (ids.some((id, i) => !S.files.has(id) && !blobs[i])) {
    if (S.asked !== name) setTriggerValue('need', true);
    S.asked = name;
    return;
  }
  S.asked = null;
  Promise.all(ids.map(async (id, i) => S.files.get(id) ?? open(blobs[i], i))).then((files) => {
    const had = [...S.files.values()];
    if (root._state !== S || S.meta.files.map((file) => file.id).join() !== name)            // a later message is there
      return files.filter((file) => !had.includes(file)).forEach(close);
    had.filter((file) => !files.includes(file)).forEach(close);
    S.files = new Map(ids.map((id, i) => [id, files[i]]));
    seen.decoded++;
    S.ready(files);
  });
}
