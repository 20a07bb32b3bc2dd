// Points that move through moments, on canvases under one slider: drag, play, point, pick; nothing leaves the browser
// unless asked. A moment is a whole number, `S.pos` is where between two of them the points stand.

const ICONS = {play: 'M7 4.5v15l12.5-7.5z', pause: 'M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z'};
const REST = 250;                                            // ms without a change before the moment is told
const EASE = 55;                                             // ms: how fast points follow the slider
const MORPH = 600;                                           // ms from one set of points to another of the same nodes
const EDGE = 20;                                             // px of ground around the points

/** Where points stand at moment `at` (not whole): cubic, without overshoot (Fritsch and Carlson 1980). */
function between(block, moments, at, out, offset, scale, shift) {
  const n = block.length / moments, k = Math.min(Math.floor(at), Math.max(0, moments - 2)), f = at - k;
  const b = k * n, a = Math.max(0, k - 1) * n, c = Math.min(moments - 1, k + 1) * n,
        d = Math.min(moments - 1, k + 2) * n;
  if (f === 0) {
    for (let i = 0; i < n; i++) out[offset + i] = shift + scale * block[b + i];
    return;
  }
  for (let i = 0; i < n; i++) {
    const from = block[b + i], step = block[c + i] - from, before = from - block[a + i],
          after = block[d + i] - block[c + i];
    const m = before * step > 0 ? 2 * before * step / (before + step) : 0;
    const w = step * after > 0 ? 2 * step * after / (step + after) : 0;
    out[offset + i] = shift + scale * (from + f * (m + f * (3 * step - 2 * m - w + f * (m + w - 2 * step))));
  }
}

/** What a file holds, as the message orders them. */
function decode(buffer, i, clouds) {
  if (i < 2 * clouds) return new Uint16Array(buffer);
  const kind = i - 2 * clouds;
  if (kind === 0) return JSON.parse(new TextDecoder().decode(buffer));
  return kind === 1 ? new Uint8Array(buffer) : kind === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), shelf = $('.clouds'), range = $('input'), out = $('output'), play = $('.play'),
        curve = $('.curve'), at = $('.at'), live = $('.live'), legend = $('.legend');
  const S = (root._state ??= {step: null, pos: 0, target: 0, frame: 0, playing: false, figures: [], files: new Map(),
                              hover: -1, cross: -1, chosen: -1, only: null, peek: null, typed: ''});
  const [meta, blobs] = unpack(data);
  const {words, count} = meta;
  const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
  S.meta = meta;

  const make = (name, parent, className = '') => {
    const node = document.createElement(name);
    node.className = className;
    parent.append(node);
    return node;
  };

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

  // ---- words of the moment
  const label = (step) => [meta.positions[step], count > 1 && fill(words.of, {step: step + 1, count})]
    .filter(Boolean).join(' · ');
  const long = (text) => [...text].reduce((n, c) => n + (c > '\u2e80' ? 2 : 1), 0);
  const room = (texts) => `${Math.max(...texts.map(long))}ch`;
  root.style.setProperty('--room', room([...Array(count).keys()].map(label)));
  const values = meta.readouts.map(([, list]) => list);
  const labels = JSON.stringify(meta.readouts);
  if (S.labels !== labels) {
    S.labels = labels;
    $('.readouts').replaceChildren(...meta.readouts.map(([name, list]) => {
      const pair = document.createElement('div');
      make('dt', pair).textContent = name;
      make('dd', pair).style.minWidth = room(list);
      return pair;
    }));
  }
  const cells = [...parentElement.querySelectorAll('.readouts dd')];

  // ---- colours of the theme, read when it may have changed
  const style = getComputedStyle(root), css = (name) => style.getPropertyValue(name).trim();
  const theme = {ink: css('--st-text-color'), ground: css('--st-background-color'), chosen: css('--st-primary-color'),
                 line: css('--st-gray-color') || '#8a8f99', font: style.fontFamily};
  S.sprites = null;

  /** A dot of each colour, drawn once: a dot on the page is then one copy. */
  const sprites = (radius, ratio) => {
    const name = `${radius} ${ratio} ${S.drawn.tints}`;
    if (S.sprites?.name === name) return S.sprites;
    const half = Math.ceil((radius + 1.5) * ratio), cell = 2 * half, columns = Math.min(64, S.drawn.palette.length);
    const sheet = document.createElement('canvas');
    sheet.width = columns * cell;
    sheet.height = Math.ceil(S.drawn.palette.length / columns) * cell;
    const pen = sheet.getContext('2d');
    S.drawn.palette.forEach((colour, i) => {
      pen.beginPath();
      pen.arc((i % columns) * cell + half, Math.floor(i / columns) * cell + half, radius * ratio, 0, 2 * Math.PI);
      pen.fillStyle = colour;
      pen.fill();
      pen.lineWidth = ratio * (radius > 3 ? 1 : 0.6);
      pen.strokeStyle = theme.ground;
      pen.stroke();
    });
    return (S.sprites = {name, sheet, cell, columns, size: cell / ratio});
  };

  // ---- what stands out
  const near = (n) => (S.chosen === meta.chosen ? meta.near[n] : []);
  const only = () => S.peek ?? S.only;
  /** For each figure: the nodes in the order they are drawn, those that fade first, and how many of them fade. */
  const arrange = () => {
    const D = S.drawn, one = only();
    S.figures.forEach((figure, n) => {
      const strong = new Uint8Array(D.count);
      const chosen = S.chosen >= 0, own = S.chosen === meta.chosen, marked = chosen || meta.marked && own;
      if (one !== null) for (let i = 0; i < D.count; i++) strong[i] = D.palette[D.tint[i]] === one;
      else if (marked) {
        for (const i of near(n)) strong[i] = 1;
        if (own) for (const [i] of [...meta.spokes, ...meta.notes]) strong[i] = 1;
        if (chosen) strong[S.chosen] = 1;
      } else strong.fill(1);
      const order = new Uint16Array(D.count);
      let k = 0;
      for (let i = 0; i < D.count; i++) if (!strong[i]) order[k++] = i;
      figure.faded = k;
      for (let i = 0; i < D.count; i++) if (strong[i]) order[k++] = i;
      figure.order = order;
      figure.trail = null;
    });
    S.ranked = rank();
  };
  /** Nodes whose names may be shown, the most wanted first: the marked ones, then by degree. */
  const rank = () => {
    const D = S.drawn, marked = new Set();
    if (S.chosen >= 0) marked.add(S.chosen);
    S.figures.forEach((_, n) => near(n).slice(0, 24).forEach((i) => marked.add(i)));
    const all = D.count <= meta.labels, some = marked.size && !all ? [] : D.ranked.slice(0, meta.labels);
    return meta.labels ? [...new Set([...marked, ...some])] : [...marked].slice(0, 1);
  };

  // ---- drawing
  const draw = (now) => {
    const D = S.drawn;
    if (!D || root._state !== S) return;
    const grown = S.morph ? Math.min(1, (now - S.morph.since) / MORPH) : 1;
    const part = grown * grown * (3 - 2 * grown);
    S.figures.forEach((figure, n) => {
      if (!figure.width) return;
      const cloud = D.clouds[n], {width, xy} = figure;
      const when = count > 1 ? S.pos * (cloud.moments - 1) / (count - 1) : 0;
      const scale = (width - 2 * EDGE) / 65535;
      between(cloud.base, cloud.moments, when, xy, 0, scale, EDGE);
      between(cloud.extra, cloud.moments, when, xy, 2 * meta.base, scale, EDGE);
      if (part < 1) {
        const from = S.morph.from[n], zoom = width / S.morph.width[n];
        for (let i = 0; i < xy.length; i++) xy[i] += (1 - part) * (from[i] * zoom - xy[i]);
      }
    });
    if (grown === 1) S.morph = null;
    if (S.pointer && !S.down) S.hover = nearest(S.pointer.figure, ...S.pointer.point, 14);
    S.figures.forEach((figure, n) => { if (figure.width) paint(figure, n); });
    tips();
    const text = label(S.step);
    if (text !== S.text) {
      out.textContent = S.text = text;
      range.setAttribute('aria-valuetext', text);
      cells.forEach((cell, i) => { cell.textContent = values[i][S.step]; });
    }
    if (meta.curve) {
      const share = count > 1 ? S.pos / (count - 1) : 0;
      curve.querySelector('i').style.left = `${100 * share}%`;
      curve.querySelector('.past').style.clipPath = `inset(-20px ${100 - 100 * share}% -20px -20px)`;
    }
    seen.frames.push([now, S.pos]);
    if (seen.frames.length > 5000) seen.frames.splice(0, 2500);
    clearTimeout(S.naming);
    S.naming = setTimeout(name, 120);
  };

  const paint = (figure, n) => {
    const D = S.drawn, {canvas, width, height, xy, order, faded} = figure, pen = canvas.getContext('2d');
    const ratio = canvas.width / width, radius = Math.max(1.6, meta.radius * clamp(width / 560, 0.6, 1.1));
    const dots = sprites(radius, ratio), half = dots.size / 2;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);

    if (D.lines.length) {
      pen.strokeStyle = theme.line;
      pen.lineWidth = 1;
      pen.globalAlpha = clamp(9 / Math.sqrt(D.lines.length / 2), 0.09, 0.45) * (faded ? 0.5 : 1);
      for (let i = 0; i < D.lines.length; i += 96) {         // short paths: one long path is slow to fill
        pen.beginPath();
        for (let j = i; j < Math.min(i + 96, D.lines.length); j += 2) {
          const a = 2 * D.lines[j], b = 2 * D.lines[j + 1];
          pen.moveTo(xy[a], xy[a + 1]);
          pen.lineTo(xy[b], xy[b + 1]);
        }
        pen.stroke();
      }
      const centre = S.hover >= 0 ? S.hover : S.chosen;      // the edges of one node
      if (centre >= 0) {
        pen.strokeStyle = theme.ink;
        pen.globalAlpha = 0.45;
        pen.beginPath();
        for (const j of D.ties[centre] ?? []) {
          pen.moveTo(xy[2 * centre], xy[2 * centre + 1]);
          pen.lineTo(xy[2 * j], xy[2 * j + 1]);
        }
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
    if (S.chosen >= 0) trail(pen, figure, n);
    if (S.chosen >= 0 && S.chosen === meta.chosen) {
      pen.strokeStyle = theme.chosen;
      pen.lineCap = 'round';
      pen.globalAlpha = 0.7;
      for (const [i, weight] of meta.spokes) {
        pen.lineWidth = 1 + 9 * clamp(weight, 0, 1);
        pen.beginPath();
        pen.moveTo(xy[2 * i], xy[2 * i + 1]);
        pen.lineTo(xy[2 * S.chosen], xy[2 * S.chosen + 1]);
        pen.stroke();
      }
    }
    pen.globalAlpha = 0.28;
    for (let k = 0; k < order.length; k++) {
      if (k === faded) pen.globalAlpha = 1;
      const i = order[k], t = D.tint[i];
      pen.drawImage(dots.sheet, (t % dots.columns) * dots.cell, Math.floor(t / dots.columns) * dots.cell, dots.cell,
                    dots.cell, xy[2 * i] - half, xy[2 * i + 1] - half, dots.size, dots.size);
    }
    pen.globalAlpha = 1;
    const ring = (i, size, colour, thick) => {
      pen.beginPath();
      pen.arc(xy[2 * i], xy[2 * i + 1], size, 0, 2 * Math.PI);
      pen.lineWidth = thick + 2;                             // a rim of ground, so that it is seen on every colour
      pen.strokeStyle = theme.ground;
      pen.stroke();
      pen.lineWidth = thick;
      pen.strokeStyle = colour;
      pen.stroke();
    };
    const big = Math.max(radius, 4);
    for (const i of near(n)) ring(i, big + 1.5, theme.ink, 2);
    if (S.chosen >= 0) ring(S.chosen, big + 3, theme.chosen, 3.5);
    for (const i of new Set([S.hover, S.cross])) if (i >= 0 && i !== S.chosen) ring(i, big + 2, theme.ink, 1.5);
    write(pen, figure, radius);
  };

  /** The way of the chosen node: what lies behind it strong, what comes faint. */
  const trail = (pen, figure, n) => {
    const cloud = S.drawn.clouds[n], i = S.chosen;
    if (cloud.moments < 2 || S.morph) return;
    if (figure.trail?.width !== figure.width) {
      const extra = i >= meta.base, block = extra ? cloud.extra : cloud.base, wide = block.length / cloud.moments;
      const own = new Uint16Array(2 * cloud.moments), from = 2 * (extra ? i - meta.base : i);
      for (let k = 0; k < cloud.moments; k++) own.set(block.subarray(k * wide + from, k * wide + from + 2), 2 * k);
      const path = new Float32Array(2 * (4 * (cloud.moments - 1) + 1));
      for (let k = 0; k < path.length / 2; k++)
        between(own, cloud.moments, k / 4, path, 2 * k, (figure.width - 2 * EDGE) / 65535, EDGE);
      figure.trail = {width: figure.width, path};
    }
    const {path} = figure.trail, now = 4 * S.pos * (cloud.moments - 1) / (count - 1);
    const here = [figure.xy[2 * i], figure.xy[2 * i + 1]], whole = Math.floor(now);
    const stroke = (begin, end, alpha, first) => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      if (first) pen.moveTo(...here);
      for (let k = begin; k <= end; k++) pen[k === begin && !first ? 'moveTo' : 'lineTo'](path[2 * k], path[2 * k + 1]);
      if (!first) pen.lineTo(...here);
      pen.stroke();
    };
    pen.strokeStyle = theme.chosen;
    pen.lineWidth = 2;
    pen.lineJoin = pen.lineCap = 'round';
    stroke(whole + 1, path.length / 2 - 1, 0.22, true);
    stroke(0, whole, 0.75, false);
    pen.globalAlpha = 1;
  };

  /** Names that have room; those that stood there a frame ago first, so that they do not flicker. */
  const write = (pen, figure, radius) => {
    const D = S.drawn, {xy, width, height} = figure;
    pen.font = `600 11px ${theme.font}`;
    pen.textBaseline = 'middle';
    pen.textAlign = 'center';
    pen.lineJoin = 'round';
    const text = (words, x, y, colour) => {
      pen.lineWidth = 3;
      pen.strokeStyle = theme.ground;
      pen.strokeText(words, x, y);
      pen.fillStyle = colour;
      pen.fillText(words, x, y);
    };
    if (D.count <= meta.labels && radius > 6 && D.short) {   // numbers stand in their dots
      pen.font = `600 ${Math.round(8.5 * clamp(width / 560, 0.8, 1.1))}px ${theme.font}`;
      pen.fillStyle = '#fff';
      const order = figure.order;
      for (let k = figure.faded; k < order.length; k++) pen.fillText(D.texts[order[k]][0], xy[2 * order[k]], xy[2 * order[k] + 1] + 0.5);
    } else {
      const first = S.ranked.filter((i) => i === S.chosen || figure.labelled.has(i));
      const taken = [], labelled = new Set();
      for (const i of new Set([...first, ...S.ranked])) {
        const words = D.names[i], wide = (D.widths[i] ??= pen.measureText(words).width) + 6;
        const x = clamp(xy[2 * i], wide / 2, width - wide / 2);
        const y = xy[2 * i + 1] - radius - 9 < 8 ? xy[2 * i + 1] + radius + 9 : xy[2 * i + 1] - radius - 9;
        if (taken.some(([a, b, w]) => Math.abs(y - b) < 13 && Math.abs(x - a) < (wide + w) / 2)) continue;
        taken.push([x, y, wide]);
        labelled.add(i);
        text(words, x, y, i === S.chosen ? theme.chosen : theme.ink);
      }
      figure.labelled = labelled;
    }
    if (S.chosen !== meta.chosen) return;
    pen.font = `700 11px ${theme.font}`;
    pen.textAlign = 'left';
    for (const [i, words] of meta.notes) text(words, xy[2 * i] + radius + 3, xy[2 * i + 1] + radius + 6, theme.ink);
  };

  /** The bubbles beside the node that is pointed at, in every cloud. */
  const tips = () => S.figures.forEach((figure) => {
    const i = S.hover >= 0 ? S.hover : S.cross, {tip, xy, width} = figure;
    tip.hidden = i < 0 || !width;
    if (tip.hidden) return;
    if (figure.told !== i) {
      figure.told = i;
      [figure.name.textContent, figure.more.textContent] = S.drawn.texts[i];
    }
    const x = clamp(xy[2 * i] - tip.offsetWidth / 2, 4, width - tip.offsetWidth - 4);
    const above = xy[2 * i + 1] - tip.offsetHeight - 14;
    tip.style.transform = `translate(${x}px, ${above < 4 ? xy[2 * i + 1] + 14 : above}px)`;
  });

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
    draw(now);
    if (S.playing || S.pos !== S.target || S.morph) want();
    else S.now = null;
  };
  const want = () => { S.frame ||= requestAnimationFrame((now) => S.tick(now)); };
  S.resized = () => {
    const ratio = Math.min(devicePixelRatio || 1, 2.5);
    for (const figure of S.figures) {
      const width = figure.stage.clientWidth, height = Math.round(width * S.meta.ratio);
      const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
      Object.assign(figure, {width, height, trail: null});
      if (w && (figure.canvas.width !== w || figure.canvas.height !== h))
        [figure.canvas.width, figure.canvas.height] = [w, h];
    }
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
  const report = () => {                                     // arrow keys fire change each time: wait for rest
    clearTimeout(S.timer);
    if (!S.meta.report) return;
    S.timer = setTimeout(() => {
      if (S.step === S.told) return;
      S.told = S.step;
      setTriggerValue('step', {at: S.step});
    }, REST);
  };
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
  const icon = () => {
    play.querySelector('path').setAttribute('d', S.playing ? ICONS.pause : ICONS.play);
    play.setAttribute('aria-label', S.playing ? words.pause : words.play);
    play.title = S.playing ? words.pause : words.play;
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
  play.onclick = () => (S.playing ? S.stop() : S.run());
  range.onpointerdown = () => {
    S.stop(false);
    range.step = 'any';
  };
  range.oninput = () => move(+range.value);
  range.onchange = settle;
  range.onpointerup = range.onpointercancel = settle;
  root.onkeydown = (event) => {
    const pressed = event.target.closest?.('button');
    if (event.key !== ' ' || pressed || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();                                 // Streamlit has shortcuts of its own
    S.playing ? S.stop() : S.run();
  };

  // ---- nodes: told to the reader, pointed at, picked
  const told = (i) => S.drawn.texts[i].filter(Boolean).join(' · ');
  const say = (text, aloud) => {
    at.textContent = text;
    if (aloud) live.textContent = text;
  };
  const standing = () => (S.drawn && S.chosen >= 0 ? fill(words.picked, {name: told(S.chosen)}) : '');
  const nearest = (figure, x, y, within) => {
    const {xy} = figure;
    let found = -1, least = within * within;
    for (let i = 0; i < xy.length; i += 2) {
      const away = (xy[i] - x) ** 2 + (xy[i + 1] - y) ** 2;
      if (away < least) [found, least] = [i / 2, away];
    }
    return found;
  };
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
  /** The next node in a direction: near the line that leaves the old one there. */
  const beside = ({xy}, i, dx, dy) => {
    let found = -1, least = Infinity;
    for (let j = 0; j < xy.length / 2; j++) {
      const x = xy[2 * j] - xy[2 * i], y = xy[2 * j + 1] - xy[2 * i + 1];
      const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      const cost = along + 2.5 * aside;
      if (j !== i && along > 0.01 && cost < least) [found, least] = [j, cost];
    }
    return found;
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
        if (S.cross >= 0) say(told(S.cross), true);
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

  // ---- the curve stands over the thumb of the slider
  curve.hidden = !meta.curve;
  if (meta.curve) {
    curve.querySelector('span').textContent = meta.curve[0];
    const heights = meta.curve[1].map((v, i) => `${count > 1 ? 100 * i / (count - 1) : 0},${(96 - 92 * v).toFixed(2)}`);
    curve.querySelectorAll('polyline').forEach((line) => line.setAttribute('points', heights.join(' ')));
    const to = (event) => {
      const b = curve.getBoundingClientRect();
      S.stop(false);
      range.step = 'any';
      go((event.clientX - b.left) * (count - 1) / b.width);
    };
    curve.onpointerdown = (event) => {
      if (event.button !== 0) return;
      curve.setPointerCapture(event.pointerId);
      to(event);
    };
    curve.onpointermove = (event) => { if (curve.hasPointerCapture(event.pointerId)) to(event); };
    curve.onpointerup = curve.onpointercancel = settle;
  }

  // ---- words that do not depend on the moment
  range.setAttribute('aria-label', words.step);
  $('.row').hidden = count < 2;
  $('.readouts').hidden = !meta.readouts.length;
  $('.hint').textContent = words.hint;
  $('.foot').hidden = !meta.pick && !words.hint;
  at.hidden = !meta.pick;
  S.chosen = meta.chosen;
  icon();
  name();                                                    // also while the files are still on their way
  root.classList.add('ready');

  // ---- files: decode only what changed, ask for what this tab has not
  const ready = (files) => {
    const first = S.step === null, last = S.count !== undefined && S.step === S.count - 1;
    const turned = S.turn !== meta.turn, clouds = meta.clouds.length, before = S.drawn;
    const [texts, tints, lines, nodes] = files.slice(2 * clouds);
    const drawn = {
      clouds: meta.clouds.map(({moments}, n) => ({moments, base: files[2 * n], extra: files[2 * n + 1]})),
      texts, lines, nodes, count: nodes.length, ties: {}, widths: [], tints: meta.files[2 * clouds + 1].id,
      places: meta.files.slice(0, 2 * clouds).map((file) => file.id).join(),
      people: meta.files[2 * clouds + 3].id,
      names: texts.map(([name]) => (name.length > 18 ? `${name.slice(0, 17)}…` : name)),
      short: texts.every(([name]) => name.length <= 2),
      palette: [], tint: new Uint16Array(nodes.length),
    };
    const known = new Map();
    for (let i = 0; i < drawn.count; i++) {
      const colour = '#' + [0, 1, 2].map((c) => tints[3 * i + c].toString(16).padStart(2, '0')).join('');
      if (!known.has(colour)) known.set(colour, drawn.palette.push(colour) - 1);
      drawn.tint[i] = known.get(colour);
    }
    for (let j = 0; j < lines.length; j += 2) {
      (drawn.ties[lines[j]] ??= []).push(lines[j + 1]);
      (drawn.ties[lines[j + 1]] ??= []).push(lines[j]);
    }
    const degree = (i) => drawn.ties[i]?.length ?? 0;
    const all = [...Array(drawn.count).keys()];
    drawn.ranked = lines.length ? all.sort((a, b) => degree(b) - degree(a) || a - b) : drawn.count <= meta.labels ? all : [];
    const morphs = before && before.places !== drawn.places && before.people === drawn.people
      && S.figures.every(({xy}) => xy?.length === 2 * drawn.count) && !calm() && root.getClientRects().length;
    S.morph = !morphs ? null : {since: performance.now(), from: S.figures.map(({xy}) => xy.slice()),
                                width: S.figures.map(({width}) => width)};
    S.drawn = drawn;
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
  const ids = meta.files.map((file) => file.id), after = 2 * meta.clouds.length;
  if (!meta.extra) for (let i = 1; i < after; i += 2) blobs[i] = new Blob();                 // empty files do not travel
  if (!meta.edges) blobs[after + 2] = new Blob();
  if (ids.every((id) => S.files.has(id))) ready(ids.map((id) => S.files.get(id)));
  else if (ids.some((id, i) => !S.files.has(id) && !blobs[i])) {
    if (S.asked !== ids.join()) setTriggerValue('need', true);
    S.asked = ids.join();
  } else {
    S.asked = null;
    const open = async (id, i) => S.files.get(id) ?? decode(await blobs[i].arrayBuffer(), i, meta.clouds.length);
    Promise.all(ids.map(open)).then((files) => {
      if (root._state !== S || S.meta.files.map((file) => file.id).join() !== ids.join()) return;
      S.files = new Map(ids.map((id, i) => [id, files[i]]));
      seen.decoded++;
      S.ready(files);
    });
  }
  S.ready = ready;

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
