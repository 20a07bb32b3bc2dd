// Shared by the components of app/widgets: put before each component's own file, they become one module.

/** Files that this tab has seen, by content: Python sends a picture's bytes once and later only its name. */
const kept = (globalThis.__vitrine_files ??= new Map());
const KEEP = 64e6;                                           // bytes

/** Message of app/widgets/packing.py: [u32 header length][JSON][file 1][file 2]...; a file without bytes is known. */
function unpack(data) {
  const size = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
  let at = 4 + size;
  const blobs = head.files.map((file) => {
    let blob = kept.get(file.id);
    if (file.size) blob = new Blob([data.subarray(at, at + file.size)], {type: file.mime});
    at += file.size;
    kept.delete(file.id);
    if (blob) kept.set(file.id, blob);                       // the latest stands last
    return blob ?? null;
  });
  let total = 0;
  for (const [id, blob] of [...kept].reverse()) if ((total += blob.size) > KEEP) kept.delete(id);
  return [head, blobs];
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Mouse positions may come in whole CSS pixels: aim at the middle of that pixel. */
const aim = (value) => (Number.isInteger(value) ? value + 0.5 : value);

/** "x {x}" with {x: 3} is "x 3". */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));

/** Counters that the browser tests read; a page never does. */
const seen = (globalThis.__vitrine ??= {calls: 0, decoded: 0, cleaned: 0, frames: []});
