// The points of the cloud: what the files hold, where the points stand between two moments, how they are drawn.

const MORPH = 600;                                           // ms from one set of points to another of the same nodes
const EDGE = 20;                                             // px of ground around the points
const SMALL = 3;                                             // px: dots below have no rim and are put in as pixels
const FADED = 0.3;                                           // opacity of what does not stand out

/** Where points stand at moment `at` (not whole): cubic, without overshoot (Fritsch and Carlson 1980). */
function between(block, moments, at, out, offset, scale, shift) {
  const n = block.length / moments, k = Math.min(Math.floor(at), Math.max(0, moments - 2)), f = at - k;
  const b = k * n, a = Math.max(0, k - 1) * n, c = Math.min(moments - 1, k + 1) * n,
        d = Math.min(moments - 1, k + 2) * n;
  if (f === 0) {
    for (let i = 0; i < n; i++) out[offset + i] = shift[i & 1] + scale * block[b + i];
    return;
  }
  for (let i = 0; i < n; i++) {
    const from = block[b + i], step = block[c + i] - from, before = from - block[a + i],
          after = block[d + i] - block[c + i];
    const m = before * step > 0 ? 2 * before * step / (before + step) : 0;
    const w = step * after > 0 ? 2 * step * after / (step + after) : 0;
    const here = from + f * (m + f * (3 * step - 2 * m - w + f * (m + w - 2 * step)));
    out[offset + i] = shift[i & 1] + scale * here;
  }
}

/** The node nearest to a place on a figure, -1 where none is within so many pixels. */
function nearest({xy}, x, y, within) {
  let found = -1, least = within * within;
  for (let i = 0; i < xy.length; i += 2) {
    const away = (xy[i] - x) ** 2 + (xy[i + 1] - y) ** 2;
    if (away < least) [found, least] = [i / 2, away];
  }
  return found;
}

/** The next node in a direction: near the line that leaves the old one there. */
function beside({xy}, i, dx, dy) {
  let found = -1, least = Infinity;
  for (let j = 0; j < xy.length / 2; j++) {
    const x = xy[2 * j] - xy[2 * i], y = xy[2 * j + 1] - xy[2 * i + 1];
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = along + 2.5 * aside;
    if (j !== i && along > 0.01 && cost < least) [found, least] = [j, cost];
  }
  return found;
}

/** What a file holds, as the message orders them. */
function decode(buffer, i, clouds) {
  if (i < 2 * clouds) return new Uint16Array(buffer);
  const kind = i - 2 * clouds;
  if (kind === 0) return JSON.parse(new TextDecoder().decode(buffer));
  return kind === 1 ? new Uint8Array(buffer) : kind === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

/** How much a dot of `radius` px covers of the pixels around it, for 4 × 4 places of its centre within one. */
function stamps(radius, width) {
  const half = Math.ceil(radius + 1), found = [];
  for (let p = 0; p < 16; p++) {
    const [x, y] = [(p % 4 + 0.5) / 4, (Math.floor(p / 4) + 0.5) / 4], offset = [], cover = [];
    for (let j = -half; j <= half; j++) {
      for (let i = -half; i <= half; i++) {
        const share = clamp(radius + 0.5 - Math.hypot(i + 0.5 - x, j + 0.5 - y), 0, 1);
        if (share) {
          offset.push(j * width + i);
          cover.push(share);
        }
      }
    }
    found.push({offset: Int32Array.from(offset), cover: Float32Array.from(cover)});
  }
  return Object.assign(found, {half, radius, width});
}

/** All that is drawn, from the files of a message. */
function read(files, meta) {
  const clouds = meta.clouds.length, [texts, tints, lines, nodes] = files.slice(2 * clouds), count = nodes.length;
  const id = (i) => meta.files[i].id, palette = [], tint = new Uint16Array(count), known = new Map(), ties = {};
  for (let i = 0; i < count; i++) {
    const colour = '#' + [0, 1, 2].map((c) => tints[3 * i + c].toString(16).padStart(2, '0')).join('');
    if (!known.has(colour)) known.set(colour, palette.push(colour) - 1);
    tint[i] = known.get(colour);
  }
  for (let j = 0; j < lines.length; j += 2) {
    (ties[lines[j]] ??= []).push(lines[j + 1]);
    (ties[lines[j + 1]] ??= []).push(lines[j]);
  }
  const degree = (i) => ties[i]?.length ?? 0;
  const ranked = lines.length || count <= meta.labels ? [...Array(count).keys()] : [];
  ranked.sort((a, b) => degree(b) - degree(a) || a - b);
  return {
    clouds: meta.clouds.map(({moments}, n) => ({moments, base: files[2 * n], extra: files[2 * n + 1]})),
    texts, lines, nodes, count, palette, tint, ties, ranked, widths: [],
    inks: palette.map((colour) => [1, 3, 5].map((c) => parseInt(colour.slice(c, c + 2), 16))),
    names: texts.map(([name]) => (name.length > 18 ? `${name.slice(0, 17)}…` : name)),
    short: texts.every(([name]) => name.length <= 2),        // numbers, say: they find room in their dots
    tints: id(2 * clouds + 1), people: id(2 * clouds + 3),
    places: meta.files.slice(0, 2 * clouds).map((file) => file.id).join(),
  };
}

/** Draws the clouds of a message: S is the component's memory. */
function painter(root, S, meta) {
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
      if (radius < SMALL) return;                                // a rim would eat up a small dot
      pen.lineWidth = ratio;
      pen.strokeStyle = theme.ground;
      pen.stroke();
    });
    return (S.sprites = {name, sheet, cell, columns, size: cell / ratio});
  };

  /** All dots of a figure as pixels of one picture: thousands of them cost milliseconds on any machine. */
  const splat = (figure, radius, ratio) => {
    const {canvas: {width, height}, xy, order, faded} = figure, D = S.drawn;
    if (figure.layer?.width !== width || figure.layer.height !== height) {
      const layer = Object.assign(document.createElement('canvas'), {width, height});
      const pixels = layer.getContext('2d').createImageData(width, height);
      Object.assign(figure, {layer, pixels, words: new Uint32Array(pixels.data.buffer)});
    }
    const marks = figure.stamps?.radius === radius * ratio && figure.stamps.width === width ? figure.stamps
      : (figure.stamps = stamps(radius * ratio, width));
    const {words} = figure, {half} = marks;
    words.fill(0);
    for (let k = 0; k < order.length; k++) {
      const i = order[k], x = xy[2 * i] * ratio, y = xy[2 * i + 1] * ratio, left = Math.floor(x), top = Math.floor(y);
      if (left < half || top < half || left >= width - half || top >= height - half) continue;
      const {offset, cover} = marks[4 * Math.floor(4 * (y - top)) + Math.floor(4 * (x - left))];
      const [red, green, blue] = D.inks[D.tint[i]], opacity = k < faded ? FADED : 1;
      for (let j = 0; j < offset.length; j++) {
        const to = top * width + left + offset[j], over = cover[j] * opacity;
        let alpha = 255, share = 1, under = 0;
        if (over < 1) {
          under = words[to];
          const whole = over + (under >>> 24) / 255 * (1 - over);
          alpha = 255 * whole + 0.5;
          share = over / whole;
        }
        const rest = 1 - share;
        words[to] = alpha << 24 | (share * blue + rest * (under >> 16 & 255)) << 16
          | (share * green + rest * (under >> 8 & 255)) << 8 | (share * red + rest * (under & 255));
      }
    }
    figure.layer.getContext('2d').putImageData(figure.pixels, 0, 0);
    return figure.layer;
  };

  const moves = () => S.playing || S.morph || S.pos !== S.target;

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
      figure.ranked = rank(n);
    });
  };
  /** Nodes whose names may be shown, the most wanted first: the marked ones, then by degree. */
  const rank = (n) => {
    const D = S.drawn, marked = new Set([S.chosen, ...near(n).slice(0, 24)].filter((i) => i >= 0));
    const all = D.count <= meta.labels, some = marked.size && !all ? [] : D.ranked.slice(0, meta.labels);
    return meta.labels ? [...new Set([...marked, ...some])] : [...marked].slice(0, 1);
  };

  /** Put every point where it stands at the moment S.pos. */
  const stand = (now) => {
    const D = S.drawn, grown = S.morph ? Math.min(1, (now - S.morph.since) / MORPH) : 1;
    const share = grown * grown * (3 - 2 * grown);
    S.figures.forEach(({width, xy}, n) => {
      if (!width) return;
      const {base, extra, moments} = D.clouds[n], scale = (width - 2 * EDGE) / 65535, shift = [EDGE, EDGE * meta.ratio];
      const when = meta.count > 1 ? S.pos * (moments - 1) / (meta.count - 1) : 0;
      between(base, moments, when, xy, 0, scale, shift);
      between(extra, moments, when, xy, 2 * meta.base, scale, shift);
      if (share === 1) return;
      const from = S.morph.from[n], zoom = width / S.morph.width[n];
      for (let i = 0; i < xy.length; i++) xy[i] += (1 - share) * (from[i] * zoom - xy[i]);
    });
    if (grown === 1) S.morph = null;
  };

  const paintOne = (figure, n, radius, ratio) => {
    const D = S.drawn, {canvas, width, height, xy, order, faded} = figure, pen = canvas.getContext('2d');
    const dots = sprites(radius, ratio), half = dots.size / 2;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);

    if (D.lines.length) {
      pen.strokeStyle = theme.line;
      pen.lineWidth = D.lines.length > 1000 ? 1 / ratio : 1; // hairlines are quick to draw
      pen.globalAlpha = clamp(5 / Math.sqrt(D.lines.length / 2), 0.06, 0.45) * (faded ? 0.4 : 1);
      const hop = 2 * (S.coarse && moves() ? Math.ceil(D.lines.length / 2000) : 1);           // of many, some
      pen.beginPath();
      for (let j = 0, some = 1; j < D.lines.length; j += hop, some++) {
        const a = 2 * D.lines[j], b = 2 * D.lines[j + 1];
        pen.moveTo(xy[a], xy[a + 1]);
        pen.lineTo(xy[b], xy[b + 1]);
        if (some % 48) continue;
        pen.stroke();                                        // short paths: one long path is slow to fill
        pen.beginPath();
      }
      pen.stroke();
      const centre = S.hover >= 0 ? S.hover : S.chosen;      // the edges of one node
      if (centre >= 0) {
        pen.lineWidth = 1;
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
    const ring = (i, size, colour, thick) => {
      pen.beginPath();
      pen.arc(xy[2 * i], xy[2 * i + 1], size, 0, 2 * Math.PI);
      pen.lineWidth = thick;
      pen.strokeStyle = colour;
      pen.stroke();
    };
    const big = Math.max(radius, 3.5), rings = new Set(near(n)), inside = D.count <= meta.labels && radius > 6 && D.short;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = '#fff';
    pen.font = `600 ${Math.round(8.5 * clamp(radius / 7.5, 0.9, 1.1))}px ${theme.font}`;
    if (radius < SMALL) {
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.drawImage(splat(figure, radius, ratio), 0, 0);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    const dot = (i) => {
      const t = D.tint[i];
      pen.drawImage(dots.sheet, (t % dots.columns) * dots.cell, Math.floor(t / dots.columns) * dots.cell, dots.cell,
                    dots.cell, xy[2 * i] - half, xy[2 * i + 1] - half, dots.size, dots.size);
    };
    pen.globalAlpha = FADED;
    for (let k = radius < SMALL ? faded : 0; k < order.length; k++) {   // each with its ring and its number
      if (k === faded) pen.globalAlpha = 1;
      const i = order[k], ringed = k >= faded && rings.has(i);
      if (ringed) ring(i, big + 1.5, theme.ink, 2);
      if (ringed || radius >= SMALL) dot(i);
      if (inside && k >= faded) pen.fillText(D.texts[i][0], xy[2 * i], xy[2 * i + 1] + 0.5);
    }
    pen.globalAlpha = 1;
    if (S.chosen >= 0) {
      ring(S.chosen, big + 3, theme.ground, 5.5);            // seen on every colour
      ring(S.chosen, big + 3, theme.chosen, 3.5);
    }
    for (const i of new Set([S.hover, S.cross])) if (i >= 0 && i !== S.chosen) ring(i, big + 2, theme.ink, 1.5);
    write(pen, figure, radius, inside);
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
        between(own, cloud.moments, k / 4, path, 2 * k, (figure.width - 2 * EDGE) / 65535, [EDGE, EDGE * meta.ratio]);
      figure.trail = {width: figure.width, path};
    }
    const {path} = figure.trail, now = 4 * S.pos * (cloud.moments - 1) / (meta.count - 1);
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

  /** Names that have room. While points move, those that stood there a frame ago come first: they would flicker. */
  const write = (pen, figure, radius, inside) => {
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
    if (!inside) {
      const first = moves() ? figure.ranked.filter((i) => i === S.chosen || figure.labelled.has(i)) : [];
      const taken = [], labelled = new Set();
      for (const i of new Set([...first, ...figure.ranked])) {
        if (i === S.hover || i === S.cross) continue;        // its bubble says it
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

  const paint = () => {
    const wide = Math.max(...S.figures.map(({width}) => width));
    const radius = Math.max(1.6, meta.radius * clamp(wide / 560, 0.6, 1.1));
    S.figures.forEach((figure, n) => { if (figure.width) paintOne(figure, n, radius, S.ratio); });
    tips();
  };
  return {arrange, stand, paint};
}
