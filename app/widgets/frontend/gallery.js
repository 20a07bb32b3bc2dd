export default function ({data, parentElement, setTriggerValue}) {
  seen.calls += 1;
  const [head, blobs] = unpack(data);
  const group = parentElement.querySelector('.g');
  group.setAttribute('aria-label', head.label);
  const ids = head.files.map((file) => file.id).join();
  if (group.dataset.ids !== ids) {  // other pictures: build anew; otherwise only words and the choice change
    (group._urls ?? []).forEach((url) => URL.revokeObjectURL(url));
    group._urls = blobs.map((blob) => URL.createObjectURL(blob));
    group.replaceChildren(...head.items.map((item, i) => {
      const button = document.createElement('button');
      button.type = 'button';
      const image = document.createElement('img');
      image.src = group._urls[i];
      image.draggable = false;
      button.append(image);
      return button;
    }));
    group.dataset.ids = ids;
  }
  [...group.children].forEach((button, i) => {
    const item = head.items[i];
    button.title = item.title;
    button.firstChild.alt = item.alt;
    button.setAttribute('aria-pressed', String(item.id === head.current));
    button.onclick = () => {
      for (const other of group.children) other.setAttribute('aria-pressed', String(other === button));
      setTriggerValue('sample', item.id);
    };
  });
  return () => {
    seen.cleaned += 1;
    (group._urls ?? []).forEach((url) => URL.revokeObjectURL(url));
    group._urls = [];
    delete group.dataset.ids;
  };
}
