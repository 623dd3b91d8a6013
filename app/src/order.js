// The running order: lots are dragged, and moved by the buttons and keys at once. Each change is one request,
// which names one lot, and changes of others show as soon as none of one's own is on its way.
import { follow } from './live.js';
import { requestPage } from './refresh.js';
import { change } from './send.js';

const form = /** @type {HTMLFormElement} */ (document.querySelector('.order'));
const list = /** @type {HTMLElement} */ (form.querySelector('.order-lots'));
const said = /** @type {HTMLElement} */ (form.querySelector('.order-said'));
const { order: path = '', stream = '' } = form.dataset;
const SCROLL_EDGE = 100;
const SCROLL_STEP = 14;
const SHOWN = ['order', 'item', 'gone', 'reset', 'error'];
/** @type {Record<string, string>} */
const KEYS = { ArrowUp: 'UP', ArrowDown: 'DOWN', Home: 'FIRST', End: 'LAST' };

/**
 * The row of a lot, if the element is in one.
 * @param {EventTarget | null} element
 */
const rowOf = (element) => /** @type {Element | null} */ (element)?.closest?.('.order-lot');
/** @param {Element} row */
const radio = (row) => /** @type {HTMLInputElement} */ (row.querySelector('input'));
/** @param {Element} row */
const idOf = (row) => radio(row).value;
/** @param {Element} row */
const wordsOf = (row) => row.querySelector('.results-lot')?.textContent;

let sending = Promise.resolve();
let unsent = 0;
let isStale = false;
let isRefreshing = false;
/** @type {{ row: Element, y: number, before: Element | null } | undefined} */
let dragged;

/** The field of the chosen lot. */
const checked = () => /** @type {HTMLInputElement | null} */ (list.querySelector('input:checked'));

/** @param {string} words */
function say(words) {
  said.textContent = words;
}

/**
 * Sends one change after the other.
 * @param {{ itemId: string | undefined, before?: string | undefined, held?: boolean }} body
 * @param {string} words
 */
function save(body, words) {
  say(words);
  unsent += 1;
  sending = sending.then(async () => {
    const reason = await change('PUT', path, body);
    unsent -= 1;
    if (!reason) return;
    say(`Not changed: ${reason}`);
    isStale = true;
  });
  sending.then(refresh);
}

/** Requests the page again, unless that would undo what is not sent yet. */
async function refresh() {
  if (isRefreshing) return;
  isRefreshing = true;
  while (isStale && unsent === 0 && !dragged) {
    isStale = false;
    try {
      const { response, newer } = await requestPage();
      if (!response.ok) throw new Error(response.statusText);
      if (unsent === 0 && !dragged && !isStale) show(newer);
    } catch {
      say('This list may be out of date: the connection is lost.');
      break;
    }
  }
  isRefreshing = false;
}

/**
 * Copies what has changed. The chosen lot stays chosen, and keeps the focus.
 * @param {Document} newer
 */
function show(newer) {
  for (const part of ['.order-shown', '.order-lots', '.order-held']) {
    const [old, fresh] = [form.querySelector(part), newer.querySelector(part)];
    if (!old || !fresh || old.textContent === fresh.textContent) continue;
    const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
    const focused = old.contains(active) && active?.value;
    const picked = checked()?.value;
    old.replaceChildren(...fresh.childNodes);
    for (const input of old.querySelectorAll('input')) {
      input.checked = input.value === picked;
      if (input.value === focused) input.focus({ preventScroll: true });
    }
  }
  // The next page begins behind another lot.
  const [next, newerNext] = [document, newer].map((page) => page.querySelector('.pagination [rel="next"]'));
  if (next && newerNext) next.setAttribute('href', newerNext.getAttribute('href') ?? '');
  const { part, beyond } = newer.querySelector('.order-lots')?.dataset ?? {};
  for (const [name, value] of Object.entries({ part, beyond })) {
    if (value === undefined) delete list.dataset[name];
    else list.dataset[name] = value;
  }
}

/**
 * Takes a lot off this page, which is read again afterwards. The next one is chosen.
 * @param {Element} row
 */
function leave(row) {
  isStale = true;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  if (next) radio(next).checked = true;
}

/**
 * Moves a lot before another one, or behind the last one of this page.
 * @param {Element} row
 * @param {Element | null} before
 */
function move(row, before) {
  if (before === row || before === row.nextElementSibling) return;
  const hadFocus = row.contains(document.activeElement);
  list.insertBefore(row, before);
  radio(row).checked = true;
  if (hadFocus) radio(row).focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  const rows = [...list.children];
  const part = list.hasAttribute('data-part') ? ' on this page' : '';
  const words = `${wordsOf(row)} is number ${rows.indexOf(row) + 1} of ${rows.length}${part}.`;
  save({ itemId: idOf(row), before: before ? idOf(before) : list.dataset.beyond }, words);
}

/**
 * Moves a lot behind all others, which may be on a later page.
 * @param {Element} row
 */
function moveLast(row) {
  if (!list.dataset.beyond) return move(row, null);
  leave(row);
  save({ itemId: idOf(row) }, `${wordsOf(row)} is called last.`);
}

/**
 * @param {Element} row
 * @param {string | undefined} what
 */
function call(row, what) {
  if (what === 'UP' && row.previousElementSibling) move(row, row.previousElementSibling);
  if (what === 'DOWN' && row.nextElementSibling) move(row, row.nextElementSibling.nextElementSibling);
  if (what === 'FIRST') move(row, list.firstElementChild);
  if (what === 'LAST') moveLast(row);
  if (what !== 'HOLD') return;
  leave(row);
  save({ itemId: idOf(row), held: true }, `${wordsOf(row)} is held.`);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const [what, item] = (submitter?.value ?? '').split(' ');
  const picked = rowOf(checked());
  if (what === 'BACK') {
    isStale = true;
    save({ itemId: item, held: false }, 'The lot comes back.');
  } else if (picked) {
    call(picked, what);
  } else {
    say('Choose a lot first.');
  }
});

list.addEventListener('keydown', (event) => {
  const row = rowOf(event.target);
  if (event.key === 'Enter') event.preventDefault();
  if (!row || !event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  call(row, KEYS[event.key]);
});

/**
 * Where a dragged lot would be dropped: before this lot, or at the end.
 * @param {Element} moved
 * @param {number} y
 */
function target(moved, y) {
  const rows = [...list.children].filter((row) => row !== moved);
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const { top = 0, height = 0 } = rows[middle]?.getBoundingClientRect() ?? {};
    if (y < top + height / 2) to = middle;
    else from = middle + 1;
  }
  return rows[from] ?? null;
}

function mark() {
  if (!dragged) return;
  const before = target(dragged.row, dragged.y);
  list.querySelector('.drop-before')?.classList.remove('drop-before');
  list.classList.toggle('drop-last', !before);
  before?.classList.add('drop-before');
  dragged.before = before;
}

function scroll() {
  if (!dragged) return;
  const bottom = innerHeight - SCROLL_EDGE;
  if (dragged.y < SCROLL_EDGE) scrollBy(0, -SCROLL_STEP);
  if (dragged.y > bottom) scrollBy(0, SCROLL_STEP);
  if (dragged.y < SCROLL_EDGE || dragged.y > bottom) mark();
  requestAnimationFrame(scroll);
}

/** @param {boolean} moves */
function drop(moves) {
  if (!dragged) return;
  const { row, before } = dragged;
  dragged = undefined;
  row.classList.remove('dragged');
  list.querySelector('.drop-before')?.classList.remove('drop-before');
  list.classList.remove('drop-last');
  if (moves) move(row, before);
  refresh();
}

list.addEventListener('pointerdown', (event) => {
  const row = rowOf(event.target);
  if (event.button !== 0 || !row || !/** @type {Element} */ (event.target).matches('.order-grip')) return;
  event.preventDefault();
  radio(row).checked = true;
  dragged = { row, y: event.clientY, before: row.nextElementSibling };
  row.classList.add('dragged');
  list.setPointerCapture(event.pointerId);
  requestAnimationFrame(scroll);
});
list.addEventListener('pointermove', (event) => {
  if (!dragged) return;
  dragged.y = event.clientY;
  mark();
});
list.addEventListener('pointerup', () => drop(true));
list.addEventListener('pointercancel', () => drop(false));
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') drop(false);
});

// The changes behind the one that is on its way would be lost.
addEventListener('beforeunload', (event) => {
  if (unsent > 1) event.preventDefault();
});

follow(stream, ({ type }) => {
  if (!SHOWN.includes(type)) return;
  isStale = true;
  refresh();
});
