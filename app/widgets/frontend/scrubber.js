// Frames of one sheet on a canvas: drag, play, arrow keys, Home and End; nothing leaves the browser unless asked.

const ICONS = {play: 'M7 4.5v15l12.5-7.5z', pause: 'M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z'};

export default function ({data, parentElement, setStateValue}) {
  seen.calls++;
  const $ = (selector) => parentElement.querySelector(selector);
  const root = $('.v'), canvas = $('canvas'), range = $('input'), out = $('output'), play = $('.play');
  const S = (root._state ??= {step: null, frame: 0, playing: false});
  const [meta, blobs] = unpack(data);
  const {words, count} = meta, file = meta.files[0];
  S.meta = meta;

  const label = (step) => {
    const of = fill(words.of, {step: step + 1, count});
    return meta.labels.length ? `${meta.labels[step]} · ${of}` : of;
  };
  const draw = () => {
    S.frame = 0;
    if (!S.bitmap) return;
    const {columns, frame_width: w, frame_height: h, pixelated, alt} = S.meta;
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = !pixelated;
    context.drawImage(S.bitmap, (S.step % columns) * w, Math.floor(S.step / columns) * h, w, h,
                      0, 0, canvas.width, canvas.height);
    const text = label(S.step);
    out.textContent = text;
    range.setAttribute('aria-valuetext', text);
    canvas.setAttribute('aria-label', alt ? `${alt} (${text})` : text);
    seen.frames.push([performance.now(), S.step]);
    if (seen.frames.length > 5000) seen.frames.splice(0, 2500);
  };
  const want = () => { S.frame ||= requestAnimationFrame(draw); };
  const size = () => {
    const room = root.clientWidth;
    if (!room) return;                                       // a hidden tab: the observer calls again
    const width = Math.min(room, meta.max_height * meta.width / meta.height);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${width * meta.height / meta.width}px`;
  };
  const report = () => {                                     // arrow keys fire change each time: wait for rest
    clearTimeout(S.timer);
    if (meta.report) S.timer = setTimeout(() => setStateValue('step', S.step), 250);
  };
  const go = (step) => {
    S.step = step;
    range.value = step;
    want();
  };

  // ---- playing
  const icon = () => {
    play.querySelector('path').setAttribute('d', S.playing ? ICONS.pause : ICONS.play);
    play.setAttribute('aria-label', S.playing ? words.pause : words.play);
    play.title = S.playing ? words.pause : words.play;
  };
  const tick = (now) => {
    if (!S.playing) return;
    const {fps, loop, count} = S.meta;
    S.since ??= now;
    const steps = Math.floor((now - S.since) * fps / 1000);
    if (steps > 0) {
      S.since += steps * 1000 / fps;
      const next = S.step + steps;
      if (next >= count && !loop) {
        go(count - 1);
        return S.stop();
      }
      go(next % count);
    }
    S.loop = requestAnimationFrame(tick);
  };
  S.stop = () => {
    if (!S.playing) return;
    S.playing = false;
    cancelAnimationFrame(S.loop);
    icon();
    report();
  };
  S.run = () => {
    if (S.playing || count < 2) return;
    if (!S.meta.loop && S.step === count - 1) go(0);
    S.playing = true;
    S.since = null;
    icon();
    S.loop = requestAnimationFrame(tick);
  };
  play.onclick = () => (S.playing ? S.stop() : S.run());
  range.oninput = () => {
    if (S.playing) S.stop();
    S.step = +range.value;
    want();
  };
  range.onchange = report;

  range.setAttribute('aria-label', words.step);
  $('.row').hidden = count < 2;
  canvas.classList.toggle('sharp', meta.pixelated);
  icon();
  if (S.id !== file.id) {                                    // the same frames after a rerun keep their bitmap
    S.id = file.id;
    createImageBitmap(blobs[0]).then((bitmap) => {
      if (root._state !== S || S.id !== file.id) return bitmap.close();
      S.bitmap?.close();
      S.bitmap = bitmap;
      seen.decoded++;
      const first = S.step === null;
      S.step = clamp(first ? meta.start : S.step, 0, count - 1);
      canvas.width = meta.frame_width;
      canvas.height = meta.frame_height;
      range.max = count - 1;
      range.value = S.step;
      draw();
      if (first && meta.autoplay && !matchMedia('(prefers-reduced-motion: reduce)').matches) S.run();
    });
  } else want();

  S.size = size;
  if (!S.observer) {
    S.observer = new ResizeObserver(() => S.size());
    S.observer.observe(root);
  }
  size();
  return () => {
    seen.cleaned++;
    S.playing = false;
    clearTimeout(S.timer);
    cancelAnimationFrame(S.frame);
    cancelAnimationFrame(S.loop);
    S.observer.disconnect();
    S.bitmap?.close();
    delete root._state;
  };
}
