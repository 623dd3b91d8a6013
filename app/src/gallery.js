// The pictures of an item: a click shows them on the whole screen, where they are swiped, or moved by buttons
// and arrow keys. Without this script a picture is a link to its file.
const strip = /** @type {HTMLElement} */ (document.querySelector('.gallery-strip'));
const links = [...document.querySelectorAll('.gallery-links a')];

/**
 * The number of the picture that a strip shows, from 0.
 * @param {HTMLElement} row
 */
const shown = (row) => Math.round(row.scrollLeft / row.clientWidth);
/**
 * @param {HTMLElement} row
 * @param {number} number
 */
const show = (row, number) => row.scrollTo({ left: number * row.clientWidth, behavior: 'instant' });

// Pictures after the first are loaded in the size in which they are shown once the row is used.
const load = () => {
  for (const picture of strip.querySelectorAll('img')) picture.sizes = strip.dataset.sizes ?? '';
};
for (const kind of ['pointerdown', 'focusin', 'scroll']) strip.parentElement?.addEventListener(kind, load, { once: true, capture: true });

const mark = () => links.forEach((link, number) => link.setAttribute('aria-current', String(number === shown(strip))));
strip.addEventListener('scroll', mark);
mark();

/**
 * @param {string} label
 * @param {string} text
 * @param {() => void} act
 */
const button = (label, text, act) => {
  const made = Object.assign(document.createElement('button'), { type: 'button', textContent: text, onclick: act });
  made.setAttribute('aria-label', label);
  return made;
};

/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };
const dialog = document.createElement('dialog');
dialog.className = 'lightbox';
dialog.setAttribute('aria-label', 'Pictures');
const large = /** @type {HTMLElement} */ (strip.cloneNode(true));
large.setAttribute('aria-label', 'Pictures, one at a time');
for (const slide of large.children) {
  slide.removeAttribute('id');
  const link = slide.querySelector('a');
  const picture = link?.querySelector('img');
  if (!link || !picture) continue;
  Object.assign(picture, { sizes: '100vw', loading: 'lazy' });
  link.replaceWith(picture);
}
let at = 0;
large.addEventListener('scroll', () => {
  if (large.clientWidth) at = shown(large);
});
/** @param {number} to */
const turn = (to) => {
  at = Math.min(Math.max(to, 0), large.children.length - 1);
  show(large, at);
};
/** @param {number} by */
const step = (by) => turn(at + by);
dialog.append(large, button('Close', '×', () => dialog.close()));
if (links.length > 0) {
  dialog.append(button('Previous picture', '‹', () => step(-1)), button('Next picture', '›', () => step(1)));
}
strip.after(dialog);
dialog.addEventListener('keydown', (event) => {
  const by = KEYS[event.key];
  if (!by) return;
  event.preventDefault();
  step(by);
});
// It has no size any more.
dialog.addEventListener('close', () => show(strip, at));

strip.addEventListener('click', (event) => {
  const slide = /** @type {HTMLElement} */ (event.target).closest('a')?.parentElement;
  if (!slide || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  dialog.showModal();
  turn([...strip.children].indexOf(slide));
  large.focus();
});
