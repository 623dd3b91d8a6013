// The pictures of an item: a click shows them on the whole screen, where they are swiped, or moved by buttons
// and arrow keys. Without this script a picture is a link to its file.
const strip = document.querySelector('.gallery-strip');
const links = [...document.querySelectorAll('.gallery-links a')];

/** The number of the picture that a strip shows, from 0. */
const shown = (row) => Math.round(row.scrollLeft / row.clientWidth);
const show = (row, number) => row.scrollTo({ left: number * row.clientWidth, behavior: 'instant' });

// Pictures after the first are loaded in the size in which they are shown once the row is used.
const load = () => {
  for (const picture of strip.querySelectorAll('img')) picture.sizes = strip.dataset.sizes;
};
for (const kind of ['pointerdown', 'focusin', 'scroll']) strip.parentElement.addEventListener(kind, load, { once: true, capture: true });

const mark = () => links.forEach((link, number) => link.setAttribute('aria-current', number === shown(strip)));
strip.addEventListener('scroll', mark);
mark();

const button = (label, text, act) => {
  const made = Object.assign(document.createElement('button'), { type: 'button', textContent: text, onclick: act });
  made.setAttribute('aria-label', label);
  return made;
};

const dialog = document.createElement('dialog');
dialog.className = 'lightbox';
dialog.setAttribute('aria-label', 'Pictures');
const large = strip.cloneNode(true);
large.setAttribute('aria-label', 'Pictures, one at a time');
for (const slide of large.children) {
  slide.removeAttribute('id');
  const link = slide.querySelector('a');
  const picture = link.querySelector('img');
  Object.assign(picture, { sizes: '100vw', loading: 'lazy' });
  link.replaceWith(picture);
}
let at = 0;
large.addEventListener('scroll', () => {
  if (large.clientWidth) at = shown(large);
});
const turn = (to) => {
  at = Math.min(Math.max(to, 0), large.children.length - 1);
  show(large, at);
};
const step = (by) => turn(at + by);
dialog.append(large, button('Close', '×', () => dialog.close()));
if (links.length > 0) {
  dialog.append(button('Previous picture', '‹', () => step(-1)), button('Next picture', '›', () => step(1)));
}
strip.after(dialog);
dialog.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  step(by);
});
// It has no size any more.
dialog.addEventListener('close', () => show(strip, at));

strip.addEventListener('click', (event) => {
  const slide = event.target.closest('a')?.parentElement;
  if (!slide || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  dialog.showModal();
  turn([...strip.children].indexOf(slide));
  large.focus();
});
