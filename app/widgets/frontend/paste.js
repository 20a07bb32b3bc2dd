export default function ({data, parentElement, setTriggerValue}) {
  seen.calls += 1;
  const button = parentElement.querySelector('button');
  const status = parentElement.querySelector('span');
  button.textContent = data.label;
  button.title = data.hint;
  const say = (words) => { status.textContent = words; };

  const send = async (blob) => {
    if (blob.size > data.limit) return say(data.large);
    say('');
    const url = await new Promise((done, fail) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.onerror = () => fail(reader.error);
      reader.readAsDataURL(blob);
    });
    setTriggerValue('pasted', {data: url.slice(url.indexOf(',') + 1)});
  };

  button.onclick = async () => {
    try {
      for (const item of await navigator.clipboard.read()) {
        const type = item.types.find((name) => name.startsWith('image/'));
        if (type) return await send(await item.getType(type));
      }
    } catch { /* not allowed, or not known here: the sentence below says what to do */ }
    say(data.none);
  };

  const onPaste = (event) => {
    if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')) return;
    const file = [...(event.clipboardData?.files ?? [])].find((each) => each.type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    send(file);
  };
  document.addEventListener('paste', onPaste);
  return () => {
    seen.cleaned += 1;
    document.removeEventListener('paste', onPaste);
  };
}
