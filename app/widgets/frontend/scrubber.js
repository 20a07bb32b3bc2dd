// Frames of several sheets on canvases under one slider: drag, play, pick; nothing leaves the browser unless asked.

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), shelf = $('.strips'), range = $('input'), at = $('.at'), live = $('.live');
  const S = (root._state ??= {step: null, frame: 0, playing: false, figures: [], files: new Map(), words: ''});
  const [meta, blobs] = unpack(data);
  const {words, count} = meta;
  S.meta = meta;

  // ---- pictures: one a strip, one more for the difference of two
  const shown = meta.strips.map((strip, i) => ({...strip, sources: [i]}));
  if (meta.compare.length) {
    const pair = meta.compare.map((id) => meta.strips.findIndex((strip) => strip.id === id));
    shown.push({...meta.strips[pair[0]], id: null, label: words.difference, sources: pair});
  }
  const shape = JSON.stringify(shown.map(({id, width, height, tiles, sources}) => [id, width, height, tiles, sources]));
  if (S.shape !== shape) {
    S.shape = shape;
    shelf.replaceChildren();
    S.figures = shown.map(() => {
      const figure = make('figure', shelf), caption = make('figcaption', figure), stage = make('div', figure, 'stage');
      return {caption, stage, canvas: make('canvas', stage), mark: make('div', stage, 'box'),
              cross: make('div', stage, 'box cross')};
    });
    S.cross = null;
  }
  const wide = Math.max(...shown.map((s) => s.width / s.height));
  const most = Math.round(meta.max_height * wide), across = Math.min(shown.length, 4);
  shelf.style.setProperty('--wide', across);
  shelf.style.setProperty('--narrow', wide > 1.7 ? 1 : Math.min(shown.length, 2));
  shelf.style.setProperty('--most', `${most}px`);
  root.style.setProperty('--total', `${across * most + (across - 1) * 12}px`);

  const follow = (share) => move(Math.round(share * (count - 1)));
  const {label, place, spell, report, icon} = stepper($, S, meta, setTriggerValue, follow, () => report());

  // ---- drawing
  const paint = (context, i) => {
    const {columns, frame: [w, h], step: [sx, sy]} = S.meta.strips[i], bitmap = S.drawn[i];
    context.drawImage(bitmap, (S.step % columns) * sx, Math.floor(S.step / columns) * sy, w, h,
                      0, 0, context.canvas.width, context.canvas.height);
  };
  const draw = () => {
    S.frame = 0;
    if (!S.drawn || root._state !== S) return;
    shown.forEach(({sources}, n) => {
      const context = S.figures[n].canvas.getContext('2d');
      paint(context, sources[0]);
      if (sources.length > 1) {
        context.globalCompositeOperation = 'difference';
        paint(context, sources[1]);
        context.globalCompositeOperation = 'source-over';
      }
    });
    spell();
    seen.frames.push([performance.now(), S.step]);
    if (seen.frames.length > 5000) seen.frames.splice(0, 2500);
    clearTimeout(S.naming);
    S.naming = setTimeout(name, 120);
  };
  S.draw = draw;
  const want = () => { S.frame ||= requestAnimationFrame(() => S.draw()); };

  /** Names of the pictures, once the step rests: they are long, and many. */
  const name = () => shown.forEach((strip, n) => {
    const {canvas, stage} = S.figures[n];
    const text = [meta.alt, strip.label, S.step === null ? '' : label(S.step)].filter(Boolean).join(', ');
    canvas.setAttribute('aria-label', text);
    if (picks(strip)) stage.setAttribute('aria-label', `${text}. ${words.keys}`);
  });

  // ---- the step
  const go = (step) => {
    S.step = clamp(step, 0, S.meta.count - 1);
    range.value = S.step;
    clearTimeout(S.timer);
    want();
  };
  const move = (step) => {
    S.stop(false);
    go(step);
  };
  const tick = (now) => {
    if (!S.playing) return;
    const {fps, loop, count} = S.meta;
    S.since ??= now;
    const steps = Math.floor((now - S.since) * fps / 1000);
    if (steps > 0) {
      S.since += steps * 1000 / fps;
      const next = S.step + steps;
      if (!root.getClientRects().length) return S.stop(false); // in a tab that was left
      if (next >= count && !loop) {
        go(count - 1);
        return S.stop();
      }
      go(next % count);
    }
    S.loop = requestAnimationFrame(S.tick);
  };
  S.tick = tick;
  S.stop = (tell = true) => {
    if (!S.playing) return;
    S.playing = false;
    cancelAnimationFrame(S.loop);
    icon();
    if (tell) report();
  };
  S.run = () => {
    if (S.playing || count < 2 || !S.drawn) return;
    if (!S.meta.loop && S.step === count - 1) go(0);
    S.playing = true;
    S.since = null;
    icon();
    S.loop = requestAnimationFrame(S.tick);
  };
  range.oninput = () => move(+range.value);
  range.onchange = report;

  // ---- picking: a place is [x, y] in pixels of the frame; a whole sample stands for all of its pixels
  const picks = (strip) => meta.pick && strip.id !== null;
  const whole = (strip) => meta.pick === 'sample' && strip.tiles;
  const tile = (strip, x, y) => {                            // [sample, x, y] from the sample's corner, or null
    const T = strip.tiles;
    if (!T) return [0, x, y];
    const column = Math.floor(x / (T.width + T.gap)), row = Math.floor(y / (T.height + T.gap));
    const inner = [x - column * (T.width + T.gap), y - row * (T.height + T.gap)], sample = row * T.columns + column;
    return column >= T.columns || sample >= T.count || inner[0] >= T.width || inner[1] >= T.height ? null
      : [sample, ...inner];
  };
  const corner = (strip, sample) => {
    const T = strip.tiles;
    return T ? [(sample % T.columns) * (T.width + T.gap), Math.floor(sample / T.columns) * (T.height + T.gap)] : [0, 0];
  };
  const spot = (strip, [x, y]) => {
    const found = tile(strip, x, y);
    if (!found) return '';
    const given = {strip: strip.label, sample: found[0] + 1,
                   x: Math.floor(found[1] / meta.cell), y: Math.floor(found[2] / meta.cell)};
    return fill(whole(strip) ? words.at_sample : strip.tiles ? words.at_in_sample : words.at, given);
  };
  const box = (node, strip, point) => {
    node.hidden = !point;
    if (!point) return;
    const all = whole(strip), size = all ? [strip.tiles.width, strip.tiles.height] : [meta.cell, meta.cell];
    const [x, y] = all ? corner(strip, tile(strip, ...point)?.[0] ?? 0) : point;
    node.style.left = `${100 * (x + size[0] / 2) / strip.width}%`;
    node.style.top = `${100 * (y + size[1] / 2) / strip.height}%`;
    node.style.width = `${100 * size[0] / strip.width}%`;
    node.style.height = `${100 * size[1] / strip.height}%`;
  };
  const marks = () => shown.forEach((strip, n) => {
    const {mark, cross} = S.figures[n];
    box(mark, strip, picks(strip) && S.picked?.strip === strip.id ? S.picked.point : null);
    box(cross, strip, picks(strip) && S.cross?.strip === strip.id ? S.cross.point : null);
  });
  const say = (text, aloud) => {
    at.textContent = text;
    if (aloud) live.textContent = text;
  };
  const standing = () => {
    const strip = S.picked && meta.strips.find(({id}) => id === S.picked.strip);
    return strip ? fill(words.picked, {at: spot(strip, S.picked.point)}) : '';
  };
  const pick = (strip, point, aloud) => {
    if (!point || !tile(strip, ...point)) return;
    S.picked = {strip: strip.id, point};
    clearTimeout(S.timer);
    S.told = S.step;                                         // the pick carries the step
    marks();
    say(standing(), aloud);
    setTriggerValue('pick', {strip: strip.id, x: point[0], y: point[1], step: S.step});
  };
  const pixel = (strip, stage, event) => {
    const b = stage.getBoundingClientRect();
    const x = Math.floor((aim(event.clientX) - b.left) * strip.width / b.width);
    const y = Math.floor((aim(event.clientY) - b.top) * strip.height / b.height);
    return x < 0 || y < 0 || x >= strip.width || y >= strip.height ? null : [x - x % meta.cell, y - y % meta.cell];
  };

  shown.forEach((strip, n) => {
    const {caption, stage, canvas} = S.figures[n], able = picks(strip);
    caption.textContent = strip.label;
    canvas.style.aspectRatio = `${strip.width} / ${strip.height}`;
    canvas.classList.toggle('sharp', meta.pixelated && meta.max_height >= 2 * strip.height); // else uneven squares
    canvas.setAttribute('role', 'img');
    canvas.parentElement.parentElement.style.maxWidth = `${meta.max_height * strip.width / strip.height}px`;
    stage.classList.toggle('picks', Boolean(able));
    stage.classList.toggle('moves', count > 1);
    if (able) {
      stage.setAttribute('role', 'application');
      stage.tabIndex = 0;
    } else {
      stage.removeAttribute('role');
      stage.removeAttribute('tabindex');
      stage.removeAttribute('aria-label');
    }

    // a press that stays is a pick, one that moves sideways drags through the steps
    stage.onpointerdown = (event) => {
      if (event.button !== 0 || S.down) return;
      S.down = {id: event.pointerId, x: event.clientX, y: event.clientY, step: S.step, drags: false};
    };
    stage.onpointermove = (event) => {
      const D = S.down;
      if (!D || D.id !== event.pointerId) {
        if (event.pointerType !== 'touch' && able) {
          const point = pixel(strip, stage, event);
          say(point ? spot(strip, point) : standing());
        }
        return;
      }
      const far = event.clientX - D.x;
      if (!D.drags && Math.abs(far) > (event.pointerType === 'touch' ? 8 : 4) && count > 1) {
        D.drags = true;
        try { stage.setPointerCapture(event.pointerId); } catch { /* the pointer is already gone */ }
        stage.classList.add('dragging');
        range.focus({preventScroll: true});
      }
      if (D.drags) move(D.step + Math.round(far * (count - 1) / Math.max(240, stage.clientWidth)));
    };
    stage.onpointerup = (event) => {
      const D = S.down;
      S.down = null;
      stage.classList.remove('dragging');
      if (!D || D.id !== event.pointerId) return;
      if (D.drags) return report();
      if (!able || Math.hypot(event.clientX - D.x, event.clientY - D.y) > 8) return;
      S.cross = null;
      pick(strip, pixel(strip, stage, event));
    };
    stage.onpointercancel = () => {
      if (S.down?.drags) report();
      S.down = null;
      stage.classList.remove('dragging');
    };
    stage.onpointerleave = () => { if (!S.down && able) say(standing()); };

    stage.onkeydown = !able ? null : (event) => {
      const hop = event.shiftKey ? 4 : 1;
      const ways = {ArrowLeft: [-hop, 0], ArrowRight: [hop, 0], ArrowUp: [0, -hop], ArrowDown: [0, hop]};
      const way = ways[event.key], steps = {PageUp: -1, PageDown: 1, Home: -count, End: count}[event.key];
      const here = S.cross?.strip === strip.id ? S.cross.point : S.picked?.strip === strip.id ? S.picked.point
        : whole(strip) ? [0, 0] : [strip.width, strip.height].map((size) => Math.floor(size / 2 / meta.cell) * meta.cell);
      if (way) {
        const T = strip.tiles, unit = whole(strip) ? [T.width + T.gap, T.height + T.gap] : [meta.cell, meta.cell];
        let point = [clamp(here[0] + way[0] * unit[0], 0, strip.width - meta.cell),
                     clamp(here[1] + way[1] * unit[1], 0, strip.height - meta.cell)];
        for (let i = 0; i < (T?.gap ?? 0) && !tile(strip, ...point); i++)    // across the gap between two samples
          point = [clamp(point[0] + Math.sign(way[0]), 0, strip.width - 1),
                   clamp(point[1] + Math.sign(way[1]), 0, strip.height - 1)];
        if (tile(strip, ...point)) S.cross = {strip: strip.id, point};
        else S.cross ??= {strip: strip.id, point: here};
        marks();
        say(spot(strip, S.cross.point), true);
      } else if (event.key === 'Enter') {
        S.cross = {strip: strip.id, point: here};
        pick(strip, here, true);
      } else if (event.key === 'Escape' && S.cross) {
        S.cross = null;
        marks();
        say(standing());
      } else if (steps !== undefined) {
        move(S.step + steps);
        report();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
  });

  // ---- marks stand under the thumb of the slider
  $('.marks').hidden = !meta.marks.length;
  $('.marks').replaceChildren(...meta.marks.map(([step, what]) => {
    const tick = document.createElement('i');
    tick.style.left = place(step);
    tick.title = what;
    return tick;
  }));

  // ---- words that do not depend on the step
  if (meta.picked) S.picked = meta.picked;
  else if (!meta.pick) S.picked = null;
  icon();
  marks();
  if (!root.contains(parentElement.activeElement) || !S.cross) say(standing());
  name();                                                    // also while the sheets are still on their way
  root.classList.add('ready');

  // ---- files
  const ready = (bitmaps) => {
    const first = S.step === null, last = S.count !== undefined && S.step === S.count - 1;
    const turned = S.turn !== meta.turn;
    S.drawn = bitmaps;
    if (first || turned) {
      S.step = meta.start < 0 ? meta.start + count : meta.start;
      if (!first) S.stop(false);
    } else if (S.count !== count && last) S.step = count - 1;
    S.step = clamp(S.step, 0, count - 1);
    if (first || turned) S.told = S.step;
    S.turn = meta.turn;
    S.count = count;
    range.max = count - 1;
    range.value = S.step;
    shown.forEach(({frame}, n) => {
      const {canvas} = S.figures[n];
      if (canvas.width !== frame[0] || canvas.height !== frame[1]) [canvas.width, canvas.height] = frame;
    });
    draw();
    name();
    if ((first || turned) && meta.autoplay && !matchMedia('(prefers-reduced-motion: reduce)').matches) S.run();
  };
  S.ready = ready;
  const options = {premultiplyAlpha: 'none', colorSpaceConversion: 'none'};
  collect(root, S, blobs, setTriggerValue, {
    wait: () => { S.drawn = null; },
    open: (blob) => createImageBitmap(blob, options),
    close: (bitmap) => bitmap.close(),
  });

  return () => {
    seen.cleaned++;
    S.playing = false;
    clearTimeout(S.timer);
    clearTimeout(S.naming);
    cancelAnimationFrame(S.frame);
    cancelAnimationFrame(S.loop);
    S.files.forEach((bitmap) => bitmap.close());
    delete root._state;
  };
}
