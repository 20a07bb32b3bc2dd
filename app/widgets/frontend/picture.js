// A picture that answers: pick a pixel by mouse, touch or keyboard; zoom and pan; a second layer; before and after.

const SVG = 'http://www.w3.org/2000/svg';

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), stage = $('.stage'), sheet = $('.sheet'), base = $('.base'), layer = $('.layer'),
        over = $('.over'), cross = $('.cross'), divider = $('.divider'), split = $('.split'), at = $('.at'),
        live = $('.live'), mix = $('.mix input');
  const S = (root._state ??= {zoom: 'fit', split: 0.5, cross: null, urls: [], ids: [], mix: null, frame: 0});
  const [meta, blobs] = unpack(data);
  const {width: w, height: h, words} = meta;
  const pair = meta.mode === 'pair', layered = meta.mode === 'layer';
  const fresh = S.size !== `${w}x${h}`;
  if (fresh) Object.assign(S, {size: `${w}x${h}`, zoom: 'fit', cx: w / 2, cy: h / 2, cross: null});
  S.meta = meta;

  // ---- files: decode only what changed
  [base, layer].forEach((img, i) => {
    const file = meta.files[i];
    img.hidden = !file;
    if (!file || !blobs[i] || S.ids[i] === file.id) return;
    if (S.urls[i]) URL.revokeObjectURL(S.urls[i]);
    S.ids[i] = file.id;
    S.urls[i] = URL.createObjectURL(blobs[i]);
    img.src = S.urls[i];
    seen.decoded++;
  });

  // ---- words
  base.alt = meta.alt;
  stage.setAttribute('aria-label', `${meta.alt}. ${words.keys}`);
  stage.setAttribute('role', meta.pick || meta.zoom ? 'application' : 'group');
  split.setAttribute('aria-label', words.split ?? '');
  $('.tag.left').textContent = words.before ?? '';
  $('.tag.right').textContent = words.after ?? '';
  $('.mix span').textContent = words.mix ?? '';
  $('.hint').textContent = words.hint ?? '';
  $('.hint').hidden = !words.hint;
  $('.foot').hidden = !meta.pick;
  const ramp = $('.scale');
  ramp.hidden = !meta.scale;
  if (meta.scale) {
    $('.ramp').style.background = meta.scale.css;
    ramp.querySelectorAll('span').forEach((span, i) => { span.textContent = meta.scale.ends[i]; });
  }
  split.hidden = divider.hidden = $('.tag.left').hidden = $('.tag.right').hidden = !pair;
  $('.mix').hidden = !layered;
  $('.zooms').hidden = !meta.zoom;
  $('.bar').hidden = !meta.zoom && !layered;
  $('.bar').setAttribute('aria-label', words.bar);
  const zooms = $('.zooms');
  const levels = [['fit', words.fit], [1, '1:1'], [2, '×2'], [4, '×4']];
  levels.forEach(([level, text], i) => {
    const button = zooms.children[i] ?? zooms.appendChild(document.createElement('button'));
    button.type = 'button';
    button.textContent = text;
    button.setAttribute('aria-label', i ? `${words.zoom} ${text}` : text);
    button.onclick = () => zoomTo(level);
  });
  if (layered && (S.mix === null || S.given !== meta.opacity)) {
    S.given = meta.opacity;
    S.mix = meta.opacity;
    mix.value = Math.round(S.mix * 100);
  }
  mix.oninput = () => { S.mix = mix.value / 100; later(); };

  // ---- shapes over the picture, drawn by app/figures/overlay.py
  const box = `0 0 ${w} ${h}`;
  over.setAttribute('viewBox', box);
  cross.setAttribute('viewBox', box);
  if (S.svg !== meta.svg) over.innerHTML = S.svg = meta.svg;
  if (meta.picked && String(meta.picked) !== String(S.picked)) S.picked = meta.picked;
  if (!meta.picked) S.picked = null;

  // ---- geometry: the stage keeps its size, the sheet moves in it
  const scale = () => (S.zoom === 'fit' ? S.width / w : S.zoom);
  const layout = () => {
    S.frame = 0;
    const room = root.clientWidth;
    if (!room) return;                                       // a hidden tab: the observer calls again
    S.width = Math.min(room, meta.max_height * w / h);
    S.height = S.width * h / w;
    stage.style.width = `${S.width}px`;
    stage.style.height = `${S.height}px`;
    for (const part of [split, ramp, $('.foot')]) part.style.width = `${S.width}px`;
    const k = scale(), sw = w * k, sh = h * k;
    const place = (middle, length, room) => length <= room + 0.01 ? (room - length) / 2
      : clamp(room / 2 - middle * k, room - length, 0);
    S.left = place(S.cx, sw, S.width);
    S.top = place(S.cy, sh, S.height);
    S.cx = (S.width / 2 - S.left) / k;
    S.cy = (S.height / 2 - S.top) / k;
    sheet.style.width = `${sw}px`;
    sheet.style.height = `${sh}px`;
    sheet.style.transform = `translate(${S.left}px,${S.top}px)`;
    over.style.setProperty('--u', 1 / k);
    sheet.classList.toggle('sharp', meta.pixelated || k >= 3);
    stage.classList.toggle('roomy', sw < S.width - 1);
    stage.classList.toggle('picks', meta.pick);
    stage.classList.toggle('splits', pair && S.zoom === 'fit');
    stage.classList.toggle('pans', sw > S.width + 1 || sh > S.height + 1);
    if (pair) {                                              // file 0 is after, below; file 1 is before, on the left
      const edge = S.split * S.width;
      divider.style.left = `${edge}px`;
      layer.style.clipPath = `inset(0 ${clamp(100 - 100 * (edge - S.left) / sw, 0, 100)}% 0 0)`;
      layer.style.opacity = 1;
      const percent = String(Math.round(S.split * 100));
      if (split.value !== percent) split.value = percent;
      split.setAttribute('aria-valuetext', fill(words.split_value, {percent}));
    } else {
      layer.style.clipPath = '';
      layer.style.opacity = S.mix ?? 1;
    }
    [...zooms.children].forEach((button, i) => button.setAttribute('aria-pressed', levels[i][0] === S.zoom));
    drawCross(k);
  };
  const later = () => { S.frame ||= requestAnimationFrame(layout); };
  S.layout = layout;

  const element = (name, attributes) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const drawCross = (k) => {
    cross.replaceChildren();
    const stroke = (path, colour, width, dash) => {
      for (const [c, s, o] of [['#101216', width + 1.8, 0.6], [colour, width, 1]])
        cross.append(element('path', {d: path, fill: 'none', stroke: c, 'stroke-width': s / k, 'stroke-opacity': o,
          'stroke-dasharray': dash ? `${4 / k} ${3 / k}` : 'none'}));
    };
    const around = (x, y) => {                               // the pixel itself, never smaller than 9 px on screen
      const r = Math.max(0.5, 4.5 / k), mx = x + 0.5, my = y + 0.5;
      return `M${mx - r} ${my - r}h${2 * r}v${2 * r}h${-2 * r}z`;
    };
    if (S.picked && meta.show_pick) stroke(around(...S.picked), '#ffb000', 2);
    if (S.cross) {
      const [x, y] = S.cross.map((v) => v + 0.5), r = Math.max(0.5, 4.5 / k);
      stroke(`M0 ${y}H${x - r}M${x + r} ${y}H${w}M${x} 0V${y - r}M${x} ${y + r}V${h}`, '#ffffff', 1, true);
      stroke(around(...S.cross), '#ffffff', 2);
    }
  };

  const zoomTo = (level, x, y) => {
    S.zoom = level;
    const [px, py] = S.cross ?? S.picked ?? [];
    if (x !== undefined) Object.assign(S, {cx: x, cy: y});
    else if (px !== undefined) Object.assign(S, {cx: px + 0.5, cy: py + 0.5});
    layout();
  };

  // ---- words under the picture
  const spot = (x, y) => {
    const T = meta.tiles;
    if (!T) return fill(words.at, {x, y});
    const column = Math.floor(x / T.step_x), row = Math.floor(y / T.step_y);
    const inner = [Math.floor((x - column * T.step_x) / T.scale), Math.floor((y - row * T.step_y) / T.scale)];
    const index = row * T.columns + column;
    if (column >= T.columns || index >= T.names.length || inner[0] >= T.width || inner[1] >= T.height) return '';
    return fill(words.at_tile, {name: T.names[index], x: inner[0], y: inner[1]});
  };
  const show = (point, aloud) => {
    const text = point ? spot(...point) : S.picked ? fill(words.picked, {at: spot(...S.picked)}) : '';
    at.textContent = text;
    if (aloud) live.textContent = text;
  };
  const pixel = (event) => {
    const b = stage.getBoundingClientRect(), k = scale();
    const x = Math.floor((aim(event.clientX) - b.left - S.left) / k);
    const y = Math.floor((aim(event.clientY) - b.top - S.top) / k);
    return x < 0 || y < 0 || x >= w || y >= h ? null : [x, y];
  };
  const pick = (point, aloud) => {
    if (!meta.pick || !point) return;
    S.picked = point;
    later();
    show(null, aloud);
    setTriggerValue('pick', {x: point[0], y: point[1]});
  };

  // ---- pointer: a press that stays is a pick, one that moves drags the divider or the picture
  const toSplit = (event) => {
    const b = stage.getBoundingClientRect();
    S.split = clamp((event.clientX - b.left) / S.width, 0, 1);
    later();
  };
  stage.onpointerdown = (event) => {
    if (event.button !== 0 || S.down) return;
    S.down = {id: event.pointerId, x: event.clientX, y: event.clientY, cx: S.cx, cy: S.cy, mode: null,
              near: pair && Math.abs(event.clientX - stage.getBoundingClientRect().left - S.split * S.width) < 22};
  };
  stage.onpointermove = (event) => {
    const D = S.down;
    if (!D || D.id !== event.pointerId) {
      if (event.pointerType !== 'touch' && meta.pick) show(pixel(event));
      return;
    }
    const far = Math.hypot(event.clientX - D.x, event.clientY - D.y) > (event.pointerType === 'touch' ? 8 : 4);
    if (!D.mode && far) {
      const pans = stage.classList.contains('pans');
      D.mode = pair && (D.near || !pans) ? 'split' : pans ? 'pan' : 'none';
      if (D.mode !== 'none') {
        try { stage.setPointerCapture(event.pointerId); } catch { /* the pointer is already gone */ }
        stage.classList.add('dragging');
      }
    }
    if (D.mode === 'split') toSplit(event);
    if (D.mode === 'pan') {
      const k = scale();
      S.cx = D.cx - (event.clientX - D.x) / k;
      S.cy = D.cy - (event.clientY - D.y) / k;
      later();
    }
  };
  stage.onpointerup = (event) => {
    const D = S.down;
    S.down = null;
    stage.classList.remove('dragging');
    if (!D || D.id !== event.pointerId || D.mode) return;
    S.cross = null;
    pick(pixel(event));
  };
  stage.onpointercancel = () => { S.down = null; stage.classList.remove('dragging'); };
  stage.onpointerleave = () => { if (!S.down) show(S.cross); };
  stage.onwheel = null;

  // ---- keyboard
  split.oninput = () => { S.split = split.value / 100; later(); };
  stage.onkeydown = (event) => {
    const step = event.shiftKey ? meta.step : 1;
    const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]};
    const move = moves[event.key];
    if (move && meta.pick) {
      const from = S.cross ?? S.picked ?? [Math.floor(S.cx), Math.floor(S.cy)];
      S.cross = [clamp(from[0] + move[0], 0, w - 1), clamp(from[1] + move[1], 0, h - 1)];
      const k = scale(), [x, y] = [S.cross[0] + 0.5, S.cross[1] + 0.5];
      if (S.left + x * k < 0 || S.left + x * k > S.width) S.cx = x;      // keep the crosshair in sight
      if (S.top + y * k < 0 || S.top + y * k > S.height) S.cy = y;
      later();
      show(S.cross, true);
    } else if ((event.key === 'Enter' || event.key === ' ') && meta.pick) {
      const point = S.cross ?? S.picked ?? [Math.floor(S.cx), Math.floor(S.cy)];
      S.cross = point;
      pick(point, true);
    } else if (event.key === 'Escape' && S.cross) {
      S.cross = null;
      later();
      show(null);
    } else if (meta.zoom && ['+', '=', '-', '0'].includes(event.key)) {
      const i = levels.findIndex(([level]) => level === S.zoom);
      zoomTo(levels[event.key === '0' ? 0 : clamp(i + (event.key === '-' ? -1 : 1), 0, 3)][0]);
    } else return;
    event.preventDefault();
    event.stopPropagation();                                 // Streamlit has shortcuts of its own
  };

  if (!S.observer) {
    S.observer = new ResizeObserver(() => S.layout());
    S.observer.observe(root);
  }
  layout();
  if (!stage.matches(':hover')) show(S.cross);
  return () => {
    seen.cleaned++;
    S.observer.disconnect();
    cancelAnimationFrame(S.frame);
    S.urls.forEach((url) => url && URL.revokeObjectURL(url));
    delete root._state;
  };
}
