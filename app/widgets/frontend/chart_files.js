// Saves a plotly chart of the page: its layers of SVG are put into one, which is the file or is painted for the PNG.

const NS = 'http://www.w3.org/2000/svg';
const STYLES = ['font-family', 'font-size', 'font-weight', 'font-style', 'fill', 'fill-opacity', 'stroke',
                'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity', 'text-anchor'];

/** One self-contained <svg> of a plotly plot, colours and fonts as the page shows them. */
function whole(plot) {
  const layers = [...plot.querySelectorAll('.main-svg')];
  const {width, height} = layers[0].getBoundingClientRect();
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('xmlns', NS);
  svg.setAttribute('xmlns:xlink', 'http://www.w3.org/1999/xlink');
  svg.setAttribute('width', Math.round(width));
  svg.setAttribute('height', Math.round(height));
  svg.setAttribute('viewBox', `0 0 ${Math.round(width)} ${Math.round(height)}`);
  const ground = document.createElementNS(NS, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.querySelector('.stApp')).backgroundColor);
  svg.append(ground);
  for (const layer of layers) {
    const copy = layer.cloneNode(true);
    const now = layer.querySelectorAll('*');
    copy.querySelectorAll('*').forEach((node, i) => {
      const style = getComputedStyle(now[i]);
      for (const name of STYLES) if (style.getPropertyValue(name)) node.style.setProperty(name, style.getPropertyValue(name));
      const clip = node.getAttribute('clip-path');
      if (clip) node.setAttribute('clip-path', clip.replace(/url\(['"]?[^#]*#([^'")]+)['"]?\)/, 'url(#$1)'));
    });
    const group = document.createElementNS(NS, 'g');
    group.append(...copy.childNodes);
    svg.append(group);
  }
  return {text: new XMLSerializer().serializeToString(svg), width, height};
}

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function painted({text, width, height}) {
  const image = new Image();
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  const pen = canvas.getContext('2d');
  pen.scale(2, 2);
  pen.drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

export default function ({data, parentElement}) {
  seen.calls += 1;
  const status = parentElement.querySelector('span');
  for (const kind of ['png', 'svg']) {
    const button = parentElement.querySelector('.' + kind);
    button.title = data[kind];
    button.textContent = data.labels[kind];
    button.onclick = async () => {
      const plot = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
      status.textContent = plot ? '' : data.none;
      if (!plot) return;
      const svg = whole(plot);
      save(kind === 'svg' ? new Blob([svg.text], {type: 'image/svg+xml'}) : await painted(svg), `${data.stem}.${kind}`);
    };
  }
  return () => { seen.cleaned += 1; };
}
