// An SVG made in Python (app/figures) whose parts with data-id can be clicked, tapped and reached by keyboard.

export default function ({data, parentElement, setTriggerValue}) {
  seen.calls++;
  const root = parentElement.querySelector('.v');
  const shown = parentElement.activeElement ?? document.activeElement;
  const focused = root.contains(shown) ? shown.dataset.id : null;
  if (root._svg !== data.svg) root.innerHTML = root._svg = data.svg;
  const parts = [...root.querySelectorAll('[data-id]')];
  // A trigger sent while the page is being rerun replaces the one before it: send the last few, numbered.
  root._mount ??= Math.random().toString(36).slice(2);
  root._picks ??= [];
  const send = (part) => {
    const number = (root._picks.at(-1)?.[0] ?? 0) + 1;
    root._picks = [...root._picks, [number, part.dataset.id]].slice(-16);
    setTriggerValue('pick', {mount: root._mount, picks: root._picks});
  };
  for (const part of parts) {
    part.setAttribute('tabindex', '0');
    part.setAttribute('role', 'button');
    part.setAttribute('aria-pressed', String(part.dataset.id === data.selected));
    part.onclick = () => send(part);
    part.onkeydown = (event) => {
      const near = parts.filter((other) => other.getClientRects().length);
      const i = near.indexOf(part);
      const next = {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0,
                    End: near.length - 1}[event.key];
      if (event.key === 'Enter' || event.key === ' ') send(part);
      else if (next !== undefined) near[clamp(next, 0, near.length - 1)].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }
  if (focused !== null)                                      // a redrawn part keeps the focus
    parts.find((part) => part.dataset.id === focused && part.getClientRects().length)?.focus();
  return () => { seen.cleaned++; };
}
