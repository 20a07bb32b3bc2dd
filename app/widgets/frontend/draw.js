// A canvas to draw on: strokes for a small picture, or points that are sprayed around the pen.

const SCALE = 1000;                                          // places are whole thousandths of the side
const REST = 350;                                            // ms without drawing before it is told
const EVERY = 14;                                            // thousandths of the pen's way to the next point

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), stage = $('.stage'), canvas = $('canvas'), back = $('.back'), pen = $('.pen'),
        undo = $('.undo'), clear = $('.clear'), live = $('.live');
  const S = (root._state ??= {strokes: [], past: [], frame: 0, cursor: null, down: false, colour: ''});
  const [meta, blobs] = unpack(data);
  const {words, mode, most} = meta, dots = mode === 'points';
  S.meta = meta;
  if (S.turn !== meta.turn) {                                // put there by Python
    if (S.turn !== undefined) S.past.push(S.strokes);
    S.turn = meta.turn;
    S.strokes = meta.strokes;
  }
  const total = () => S.strokes.reduce((sum, stroke) => sum + stroke.length / 2, 0);

  // ---- words
  root.style.setProperty('--side', `${meta.size}px`);
  stage.style.width = `${meta.size}px`;
  stage.classList.toggle('dark', !dots);
  stage.setAttribute('aria-label', `${meta.alt}. ${words.keys}`);
  $('.bar').setAttribute('aria-label', words.bar);
  $('.hint').textContent = words.hint;
  undo.textContent = words.undo;
  clear.textContent = words.clear;
  root.classList.add('ready');
  const file = meta.files[0];
  back.hidden = !file;
  if (file && blobs[0] && S.back !== file.id) {
    if (S.url) URL.revokeObjectURL(S.url);
    S.back = file.id;
    back.src = S.url = URL.createObjectURL(blobs[0]);
  }

  // ---- drawing
  const draw = () => {
    S.frame = 0;
    if (root._state !== S) return;
    const side = stage.clientWidth;
    if (!side) return;                                       // a hidden tab: the observer calls again
    const dense = Math.min(2, devicePixelRatio || 1), pixels = Math.round(side * dense);
    if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
    const context = canvas.getContext('2d'), k = pixels / SCALE, style = getComputedStyle(stage);
    context.clearRect(0, 0, pixels, pixels);
    if (meta.grid) {
      context.strokeStyle = style.color;
      context.globalAlpha = 0.18;
      context.lineWidth = 1;
      context.beginPath();
      for (let i = 1; i < meta.grid; i++) {
        const at = Math.round(pixels * i / meta.grid) + 0.5;
        context.moveTo(at, 0);
        context.lineTo(at, pixels);
        context.moveTo(0, at);
        context.lineTo(pixels, at);
      }
      context.stroke();
      context.globalAlpha = 1;
    }
    if (dots) {
      context.fillStyle = style.getPropertyValue('--st-primary-color') || style.color;
      context.beginPath();
      const r = 1.9 * dense;
      for (const stroke of S.strokes)
        for (let i = 0; i < stroke.length; i += 2) {
          context.moveTo(stroke[i] * k + r, stroke[i + 1] * k);
          context.arc(stroke[i] * k, stroke[i + 1] * k, r, 0, 7);
        }
      context.fill();
    } else {
      context.strokeStyle = '#fff';
      context.lineCap = context.lineJoin = 'round';
      context.lineWidth = meta.brush * pixels;
      for (const stroke of S.strokes) {
        context.beginPath();
        context.moveTo(stroke[0] * k, stroke[1] * k);
        for (let i = 2; i < stroke.length; i += 2) context.lineTo(stroke[i] * k, stroke[i + 1] * k);
        if (stroke.length === 2) context.lineTo(stroke[0] * k, stroke[1] * k);
        context.stroke();
      }
    }
    pen.hidden = !S.cursor;
    if (S.cursor) {
      pen.style.left = `${100 * S.cursor[0] / SCALE}%`;
      pen.style.top = `${100 * S.cursor[1] / SCALE}%`;
      pen.classList.toggle('down', S.down);
    }
    const n = total(), count = dots ? n : S.strokes.length;
    $('.count').textContent = fill(n >= most ? words.full : words.count, {count});
    undo.disabled = !S.past.length;
    clear.disabled = !S.strokes.length;
    seen.frames.push([performance.now(), n]);
  };
  S.draw = draw;
  const want = () => { S.frame ||= requestAnimationFrame(() => S.draw()); };
  const tell = () => {
    clearTimeout(S.timer);
    S.timer = setTimeout(() => setTriggerValue('drawn', {strokes: S.strokes}), REST);
  };

  // ---- the pen
  const begin = () => {
    clearTimeout(S.timer);
    S.past.push(S.strokes);
    if (S.past.length > 100) S.past.shift();
    S.strokes = [...S.strokes, []];
    S.way = 0;
  };
  const inside = (v) => clamp(Math.round(v), 0, SCALE);
  const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  const dab = (x, y) => {                                    // one point near the pen
    const around = () => meta.spread * SCALE * normal(), stroke = S.strokes.at(-1);
    for (let i = 0; i < 8; i++) {
      const [px, py] = [x + around(), y + around()];
      if (px < 0 || py < 0 || px > SCALE || py > SCALE) continue;       // beyond the edge: again, not onto the edge
      stroke.push(inside(px), inside(py));
      return;
    }
  };
  const put = (x, y) => {                                    // the pen touches a place, having come from S.last
    if (total() >= most) return;
    const stroke = S.strokes.at(-1);
    if (!dots) {
      const [ox, oy] = stroke.length ? stroke.slice(-2) : [-9, -9];
      if (Math.hypot(x - ox, y - oy) >= 4) stroke.push(inside(x), inside(y));
    } else if (!stroke.length) for (let i = 0; i < (meta.spread ? 6 : 1) && total() < most; i++) dab(x, y);
    else {
      const [ox, oy] = S.last, length = Math.hypot(x - ox, y - oy);
      for (S.way += length; S.way >= EVERY && total() < most; S.way -= EVERY) {
        const share = length ? 1 - (S.way - EVERY) / length : 1;
        dab(ox + (x - ox) * clamp(share, 0, 1), oy + (y - oy) * clamp(share, 0, 1));
      }
    }
    S.last = [x, y];
    want();
  };
  const end = () => {
    if (S.strokes.length && !S.strokes.at(-1).length) {      // nothing fitted in any more
      S.strokes = S.strokes.slice(0, -1);
      S.past.pop();
    }
    want();
    tell();
  };
  const back1 = () => {
    lift();
    if (!S.past.length) return;
    S.strokes = S.past.pop();
    want();
    tell();
  };
  const lift = () => {
    if (!S.down) return;
    S.down = false;
    end();
  };
  undo.onclick = back1;
  clear.onclick = () => {
    lift();
    if (!S.strokes.length) return;
    S.past.push(S.strokes);
    S.strokes = [];
    want();
    tell();
  };

  const place = (event) => {
    const b = stage.getBoundingClientRect();
    return [(event.clientX - b.left) * SCALE / b.width, (event.clientY - b.top) * SCALE / b.height]
      .map((v) => clamp(v, 0, SCALE));
  };
  stage.onpointerdown = (event) => {
    if (event.button !== 0 || S.pointer !== undefined) return;
    lift();
    S.cursor = null;
    S.pointer = event.pointerId;
    try { stage.setPointerCapture(event.pointerId); } catch { /* the pointer is already gone */ }
    begin();
    put(...place(event));
  };
  stage.onpointermove = (event) => {
    if (S.pointer !== event.pointerId) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) put(...place(one));
  };
  stage.onpointerup = stage.onpointercancel = (event) => {
    if (S.pointer !== event.pointerId) return;
    S.pointer = undefined;
    end();
  };
  stage.onkeydown = (event) => {
    const hop = event.shiftKey ? 100 : 20;
    const way = {ArrowLeft: [-hop, 0], ArrowRight: [hop, 0], ArrowUp: [0, -hop], ArrowDown: [0, hop]}[event.key];
    const here = S.cursor ?? [SCALE / 2, SCALE / 2];
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (way && plain) {
      S.cursor = here.map((v, i) => clamp(v + way[i], 0, SCALE));
      if (S.down) put(...S.cursor);
      live.textContent = fill(words.at, {x: Math.round(S.cursor[0] / 10), y: Math.round(100 - S.cursor[1] / 10)});
    } else if ((event.key === ' ' || event.key === 'Enter') && plain) {
      S.cursor = here;
      if (dots) {
        begin();
        put(...here);
        end();
      } else if (S.down) {
        lift();
        live.textContent = words.up;
      } else {
        S.down = true;
        begin();
        put(...here);
        live.textContent = words.down;
      }
    } else if (event.key === 'Backspace' || event.key === 'Delete'
               || (event.key === 'z' && (event.ctrlKey || event.metaKey))) back1();
    else if (event.key === 'Escape' && S.cursor) {
      lift();
      S.cursor = null;
    } else return;
    want();
    event.preventDefault();
    event.stopPropagation();                                 // Streamlit has shortcuts of its own
  };
  stage.onblur = () => {
    lift();
    S.cursor = null;
    want();
  };

  if (!S.observer) {
    S.observer = new ResizeObserver(() => S.draw());
    S.observer.observe(stage);
  }
  want();
  return () => {
    seen.cleaned++;
    clearTimeout(S.timer);
    cancelAnimationFrame(S.frame);
    S.observer.disconnect();
    if (S.url) URL.revokeObjectURL(S.url);
    delete root._state;
  };
}
