// Points that move through moments, on canvases under one slider: drag, play, point, pick; nothing leaves the browser
// unless asked. A moment is a whole number, `S.pos` is where between two of them the points stand.

const EASE = 55;                                             // ms: how fast points follow the slider
const SLOW = 30;                                             // ms from frame to frame that are too many

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), shelf = $('.clouds'), range = $('input'), at = $('.at'), live = $('.live'),
        legend = $('.legend');
  const S = (root._state ??= {step: null, pos: 0, target: 0, frame: 0, playing: false, figures: [], files: new Map(),
                              hover: -1, cross: -1, chosen: -1, only: null, peek: null, typed: ''});
  const [meta, blobs] = unpack(data);
  const {words, count} = meta;
  const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
  S.meta = meta;

  // ---- one figure a cloud
  const shape = meta.clouds.map((cloud) => cloud.id).join('\n');
  if (S.shape !== shape) {
    S.shape = shape;
    shelf.replaceChildren();
    S.observer?.disconnect();
    S.observer = new ResizeObserver(() => S.resized());
    S.figures = meta.clouds.map(() => {
      const figure = make('figure', shelf), caption = make('figcaption', figure), stage = make('div', figure, 'stage');
      const canvas = make('canvas', stage), tip = make('div', stage, 'tip');
      S.observer.observe(stage);
      tip.hidden = true;
      return {caption, stage, canvas, tip, name: make('b', tip), more: make('span', tip), width: 0, labelled: new Set()};
    });
  }
  const most = Math.round(meta.max_height / meta.ratio), across = meta.clouds.length;
  shelf.style.setProperty('--across', across);
  shelf.style.setProperty('--most', `${most}px`);
  root.style.setProperty('--total', `${across * most + (across - 1) * 12}px`);

  const follow = (share) => {
    S.stop(false);
    range.step = 'any';
    go(share * (count - 1));
  };
  const {label, spell, report, icon} = stepper($, S, meta, setTriggerValue, follow, () => settle());

  const {arrange, stand, paint} = painter(root, S, meta);

  // ---- drawing
  const draw = (now) => {
    if (!S.drawn || root._state !== S) return;
    stand(now);
    if (S.pointer && !S.down) S.hover = nearest(S.pointer.figure, ...S.pointer.point, 14);
    paint();
    spell(S.pos);
    seen.frames.push([now, S.pos]);
    if (seen.frames.length > 5000) seen.frames.splice(0, 2500);
    clearTimeout(S.naming);
    S.naming = setTimeout(name, 120);
  };
  S.tick = (now) => {
    S.frame = 0;
    if (!S.drawn) return;
    const passed = clamp(now - (S.now ?? now), 0, 100), still = calm();
    S.now = now;
    if (S.playing && !root.getClientRects().length) S.stop(false);                           // in a tab that was left
    if (S.playing) {
      S.target = Math.min(count - 1, S.target + passed * (count - 1) / (1000 * meta.seconds));
      S.pos = still ? Math.floor(S.target) : S.target;
      turn(Math.round(S.pos));
      if (S.target >= count - 1) S.stop();
    } else if (still) S.pos = S.target;
    else {
      S.pos += (S.target - S.pos) * (1 - Math.exp(-passed / EASE));
      if (Math.abs(S.target - S.pos) < 0.004) S.pos = S.target;
    }
    const moves = S.playing || S.pos !== S.target || S.morph;
    if (passed) S.lag = 0.85 * (S.lag ?? 16) + 0.15 * passed;
    S.coarse ||= S.lag > SLOW;
    if (moves && S.coarse) sharpen(1);                       // a slow machine draws fewer pixels while they move
    else sharpen();
    draw(now);
    if (moves) want();
    else S.now = null;
  };
  const want = () => { S.frame ||= requestAnimationFrame((now) => S.tick(now)); };
  /** Pixels of the canvases for one of the page: as many as the screen has, or fewer. */
  const sharpen = (most = 2.5) => {
    S.ratio = Math.min(devicePixelRatio || 1, most);
    for (const {canvas, width, height} of S.figures) {
      const [w, h] = [Math.round(width * S.ratio), Math.round(height * S.ratio)];
      if (w && (canvas.width !== w || canvas.height !== h)) [canvas.width, canvas.height] = [w, h];
    }
  };
  S.resized = () => {
    for (const figure of S.figures) {
      const width = figure.stage.clientWidth;
      Object.assign(figure, {width, height: Math.round(width * S.meta.ratio), trail: null});
    }
    sharpen();
    draw(performance.now());                                 // at once: a resized canvas is empty
  };

  /** Names of the pictures, once the moment rests: they are long. */
  const name = () => meta.clouds.forEach((cloud, n) => {
    const {canvas, stage} = S.figures[n];
    const text = [meta.alt, cloud.title, S.step === null ? '' : label(S.step)].filter(Boolean).join(', ');
    canvas.setAttribute('aria-label', text);
    if (meta.pick) stage.setAttribute('aria-label', `${text}. ${words.keys}`);
  });

  // ---- the moment
  /** The whole moment that is nearest; the thumb follows, between two moments while it is played or dragged. */
  const turn = (step) => {
    S.step = step;
    range.value = range.step === 'any' ? S.target : step;
  };
  const go = (to) => {
    S.target = clamp(to, 0, S.meta.count - 1);
    turn(Math.round(S.target));
    clearTimeout(S.timer);
    want();
  };
  const move = (to) => {
    S.stop(false);
    go(to);
  };
  const settle = () => {                                     // the drag ends on a whole moment
    range.step = 1;
    go(S.step);
    report();
  };
  S.stop = (tell = true) => {
    if (!S.playing) return;
    S.playing = false;
    range.step = 1;
    icon();
    go(S.step);
    if (tell) report();
  };
  S.run = () => {
    if (S.playing || count < 2 || !S.drawn) return;
    if (S.step === count - 1) S.target = S.pos = 0;
    S.playing = true;
    S.morph = S.now = null;
    range.step = 'any';
    icon();
    want();
  };
  range.onpointerdown = () => {
    S.stop(false);
    range.step = 'any';
  };
  range.oninput = () => move(+range.value);
  range.onchange = settle;
  range.onpointerup = range.onpointercancel = settle;

  // ---- nodes: told to the reader, pointed at, picked
  const called = (i) => S.drawn.texts[i].filter(Boolean).join(' · ');
  const say = (text, aloud) => {
    at.textContent = text;
    if (aloud) live.textContent = text;
  };
  const standing = () => (S.drawn && S.chosen >= 0 ? fill(words.picked, {name: called(S.chosen)}) : '');
  const pick = (i, aloud) => {
    if (i < 0 && S.chosen < 0) return;
    S.chosen = i;
    arrange();
    want();
    say(i < 0 ? words.released : standing(), aloud);
    if (i < 0) at.textContent = '';
    clearTimeout(S.timer);
    S.told = S.step;                                         // the pick carries the moment
    setTriggerValue('pick', {node: i < 0 ? -1 : S.drawn.nodes[i], step: S.step});
  };
  const point = (figure, event) => {
    const b = figure.stage.getBoundingClientRect();
    return [aim(event.clientX) - b.left, aim(event.clientY) - b.top];
  };
  /** Letters typed within a second: the next node whose name begins with them. */
  const search = (letter, from) => {
    S.typed += letter.toLowerCase();
    clearTimeout(S.typing);
    S.typing = setTimeout(() => { S.typed = ''; }, 1000);
    const {texts} = S.drawn, first = S.typed.length > 1 ? 0 : 1;
    for (let k = first; k < texts.length + first; k++) {
      const i = (from + k) % texts.length;
      if (texts[i][0].toLowerCase().startsWith(S.typed)) return i;
    }
    return -1;
  };

  meta.clouds.forEach((cloud, n) => {
    const figure = S.figures[n], {caption, stage, canvas} = figure;
    caption.textContent = cloud.title;
    canvas.style.aspectRatio = `1 / ${meta.ratio}`;
    canvas.setAttribute('role', 'img');
    stage.classList.toggle('picks', meta.pick);
    stage.classList.toggle('moves', count > 1);
    if (meta.pick) {
      stage.setAttribute('role', 'application');
      stage.tabIndex = 0;
    } else for (const attribute of ['role', 'tabindex', 'aria-label']) stage.removeAttribute(attribute);

    // a press that stays is a pick, one that moves sideways drags through the moments
    stage.onpointerdown = (event) => {
      if (event.button !== 0 || S.down) return;
      S.down = {id: event.pointerId, x: event.clientX, y: event.clientY, pos: S.target, drags: false};
    };
    stage.onpointermove = (event) => {
      const D = S.down;
      if (!D || D.id !== event.pointerId) {
        if (event.pointerType === 'touch' || !S.drawn) return;
        S.pointer = {figure, point: point(figure, event)};
        S.cross = -1;
        const before = S.hover;
        S.hover = nearest(figure, ...S.pointer.point, 14);
        stage.classList.toggle('over', meta.pick && S.hover >= 0);
        if (S.hover !== before) want();
        return;
      }
      const far = event.clientX - D.x;
      if (!D.drags && Math.abs(far) > (event.pointerType === 'touch' ? 8 : 4) && count > 1) {
        D.drags = true;
        S.hover = -1;
        try { stage.setPointerCapture(event.pointerId); } catch { /* the pointer is already gone */ }
        stage.classList.add('dragging');
        range.step = 'any';
        range.focus({preventScroll: true});
      }
      if (D.drags) {
        S.stop(false);
        range.step = 'any';
        go(D.pos + far * (count - 1) / Math.max(240, stage.clientWidth));
      }
    };
    stage.onpointerup = (event) => {
      const D = S.down;
      S.down = null;
      stage.classList.remove('dragging');
      if (!D || D.id !== event.pointerId) return;
      if (D.drags) return settle();
      if (!meta.pick || !S.drawn || Math.hypot(event.clientX - D.x, event.clientY - D.y) > 8) return;
      S.cross = -1;
      pick(nearest(figure, ...point(figure, event), event.pointerType === 'touch' ? 26 : 14));
    };
    stage.onpointercancel = () => {
      if (S.down?.drags) settle();
      S.down = null;
      stage.classList.remove('dragging');
    };
    stage.onpointerleave = () => {
      S.pointer = null;
      S.hover = -1;
      want();
    };
    stage.onblur = () => {
      S.cross = -1;
      want();
    };

    stage.onkeydown = !meta.pick ? null : (event) => {
      if (!S.drawn || event.ctrlKey || event.metaKey || event.altKey) return;
      const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      const hop = {PageUp: -1, PageDown: 1, Home: -count, End: count}[event.key];
      const here = S.cross >= 0 ? S.cross : S.chosen;
      const cross = (i) => {
        if (i >= 0) S.cross = i;
        S.hover = -1;
        S.pointer = null;
        want();
        if (S.cross >= 0) say(called(S.cross), true);
      };
      if (way) cross(here < 0 ? nearest(figure, figure.width / 2, figure.height / 2, Infinity)
                              : beside(figure, here, ...way));
      else if (event.key === 'Enter') {
        if (here >= 0) pick(here, true);
      } else if (event.key === 'Escape') {
        if (S.cross >= 0 && S.cross !== S.chosen) {
          S.cross = -1;
          say(standing());
          want();
        } else {
          S.cross = -1;
          pick(-1, true);
        }
      } else if (hop !== undefined) {
        move(S.step + hop);
        report();
      } else if (event.key.length === 1 && event.key !== ' ') cross(search(event.key, Math.max(0, here)));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  });

  // ---- legend: a class stands out while it is pointed at, or until it is pressed again
  const names = JSON.stringify(meta.legend);
  if (S.names !== names) {
    S.names = names;
    S.only = null;
    legend.replaceChildren(...meta.legend.map(([text, colour]) => {
      const button = document.createElement('button');
      button.type = 'button';
      make('i', button).style.background = colour;
      make('span', button).textContent = text;
      button._colour = colour;
      return button;
    }));
  }
  const press = () => [...legend.children].forEach((button) => {
    button.setAttribute('aria-pressed', String(S.only === button._colour));
    button.title = fill(words.only, {name: button.textContent});
    const show = (peek) => {
      S.peek = peek;
      if (S.drawn) arrange();
      want();
    };
    button.onclick = () => {
      S.only = S.only === button._colour ? null : button._colour;
      show(null);
      press();
    };
    button.onpointerenter = (event) => { if (event.pointerType === 'mouse') show(button._colour); };
    button.onpointerleave = () => show(null);
  });
  press();
  legend.hidden = !meta.legend.length;

  S.chosen = meta.chosen;
  icon();
  name();                                                    // also while the files are still on their way
  root.classList.add('ready');

  // ---- files
  const ready = (files) => {
    const first = S.step === null, last = S.count !== undefined && S.step === S.count - 1;
    const turned = S.turn !== meta.turn, before = S.drawn ?? S.before, drawn = read(files, meta);
    const morphs = before && before.places !== drawn.places && before.people === drawn.people
      && S.figures.every(({xy}) => xy?.length === 2 * drawn.count) && !calm() && root.getClientRects().length;
    S.morph = !morphs ? null : {since: performance.now(), from: S.figures.map(({xy}) => xy.slice()),
                                width: S.figures.map(({width}) => width)};
    S.drawn = drawn;
    S.before = null;
    for (const figure of S.figures) {
      if (figure.xy?.length !== 2 * drawn.count) figure.xy = new Float32Array(2 * drawn.count);
      figure.told = null;
    }
    if (before && before.people !== drawn.people) S.hover = S.cross = -1;
    if (first || turned) {
      S.stop(false);
      S.target = meta.start < 0 ? meta.start + count : meta.start;
    } else if (S.count !== count && last) S.target = count - 1;
    S.target = clamp(S.target, 0, count - 1);
    S.step = Math.round(S.target);
    if (first || S.count !== count) S.pos = S.target;
    if (first || turned) S.told = S.step;
    S.turn = meta.turn;
    S.count = count;
    S.text = null;
    range.max = count - 1;
    turn(S.step);
    arrange();
    S.resized();
    want();
    name();
    if (!root.contains(parentElement.activeElement) || S.cross < 0) say(standing());
    if ((first || turned) && meta.autoplay && !calm()) S.run();
  };
  S.ready = ready;
  const after = 2 * meta.clouds.length;
  if (!meta.extra) for (let i = 1; i < after; i += 2) blobs[i] = new Blob();                 // empty files do not travel
  if (!meta.edges) blobs[after + 2] = new Blob();
  collect(root, S, blobs, setTriggerValue, {
    wait: () => {
      S.before = S.drawn ?? S.before;
      S.drawn = null;
    },
    open: async (blob, i) => decode(await blob.arrayBuffer(), i, meta.clouds.length),
  });

  return () => {
    seen.cleaned++;
    S.playing = false;
    clearTimeout(S.timer);
    clearTimeout(S.naming);
    clearTimeout(S.typing);
    cancelAnimationFrame(S.frame);
    S.observer?.disconnect();
    delete root._state;
  };
}
