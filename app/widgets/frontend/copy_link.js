export default function ({data, parentElement}) {
  seen.calls += 1;
  const [button, status, field] = ['button', 'span', 'input'].map((name) => parentElement.querySelector(name));
  button.textContent = data.label;
  button.title = data.hint;
  field.setAttribute('aria-label', data.label);
  let timer = 0;

  button.onclick = async () => {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(data.query)) url.searchParams.set(name, value);
    url.hash = '';
    clearTimeout(timer);
    try {
      await navigator.clipboard.writeText(url.href);
      field.hidden = true;
      status.textContent = data.done;
      timer = setTimeout(() => { status.textContent = ''; }, 4000);
    } catch {  // not a secure address, or not allowed
      status.textContent = data.by_hand;
      field.hidden = false;
      field.value = url.href;
      field.focus();
      field.select();
    }
  };
  return () => { seen.cleaned += 1; clearTimeout(timer); };
}
