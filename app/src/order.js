// The running order: lots are dragged, and moved by the buttons and keys at once. Each change is one request,
// which names one lot, and changes of others show as soon as none of one's own is on its way.
const form = document.querySelector('.order');
const list = form.querySelector('.order-lots');
const said = form.querySelector('.order-said');
const SCROLL_EDGE = 100;
const SCROLL_STEP = 14;
const TIMEOUT = 15_000;
const SHOWN = ['order', 'item', 'gone', 'reset', 'error'];
const KEYS = { ArrowUp: 'UP', ArrowDown: 'DOWN', Home: 'FIRST', End: 'LAST' };

const rowOf = (element) => element?.closest?.('.order-lot');
const radio = (row) => row.querySelector('input');
const idOf = (row) => radio(row).value;
const wordsOf = (row) => row.querySelector('.results-lot').textContent;

let sending = Promise.resolve();
let unsent = 0;
let isStale = false;
let isRefreshing = false;
let dragged;

function say(words) {
  said.textContent = words;
}

/** Names the viewer, so that nothing is done in the session of another user, who signed in since. */
const sender = { 'Farthing-For': document.documentElement.dataset.viewer };

/** Sends one change after the other. */
function save(body, words) {
  say(words);
  unsent += 1;
  sending = sending.then(async () => {
    const init = {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...sender },
      // It is not aborted when the page is left.
      keepalive: true,
      signal: AbortSignal.timeout?.(TIMEOUT),
    };
    const answer = await fetch(form.dataset.order, init).catch(() => undefined);
    unsent -= 1;
    if (answer?.ok) return;
    const told = await answer?.json().catch(() => undefined);
    say(`Not changed: ${told?.detail ?? 'no answer. Try again.'}`);
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
      const response = await fetch(location, { signal: AbortSignal.timeout?.(TIMEOUT) });
      if (!response.ok) throw new Error(response.statusText);
      const newer = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (unsent === 0 && !dragged && !isStale) show(newer);
    } catch {
      say('This list may be out of date: the connection is lost.');
      break;
    }
  }
  isRefreshing = false;
}

/** Copies what has changed. The chosen lot stays chosen, and keeps the focus. */
function show(newer) {
  for (const part of ['.order-shown', '.order-lots', '.order-held']) {
    const [old, fresh] = [form.querySelector(part), newer.querySelector(part)];
    if (!fresh || old.textContent === fresh.textContent) continue;
    const focused = old.contains(document.activeElement) && document.activeElement.value;
    const picked = form.querySelector('input:checked')?.value;
    old.replaceChildren(...fresh.childNodes);
    for (const input of old.querySelectorAll('input')) {
      input.checked = input.value === picked;
      if (input.value === focused) input.focus({ preventScroll: true });
    }
  }
  // The next page begins behind another lot.
  const [next, newerNext] = [document, newer].map((page) => page.querySelector('.pagination [rel="next"]'));
  if (next && newerNext) next.href = newerNext.getAttribute('href');
  const { part, beyond } = newer.querySelector('.order-lots')?.dataset ?? {};
  for (const [name, value] of Object.entries({ part, beyond })) {
    if (value === undefined) delete list.dataset[name];
    else list.dataset[name] = value;
  }
}

/** Takes a lot off this page, which is read again afterwards. The next one is chosen. */
function leave(row) {
  isStale = true;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  if (next) radio(next).checked = true;
}

/** Moves a lot before another one, or behind the last one of this page. */
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

/** Moves a lot behind all others, which may be on a later page. */
function moveLast(row) {
  if (!list.dataset.beyond) return move(row, null);
  leave(row);
  save({ itemId: idOf(row) }, `${wordsOf(row)} is called last.`);
}

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
  const [what, item] = (event.submitter?.value ?? '').split(' ');
  const picked = rowOf(list.querySelector('input:checked'));
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

/** Where a dragged lot would be dropped: before this lot, or at the end. */
function target(y) {
  const rows = [...list.children].filter((row) => row !== dragged.row);
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const { top, height } = rows[middle].getBoundingClientRect();
    if (y < top + height / 2) to = middle;
    else from = middle + 1;
  }
  return rows[from] ?? null;
}

function mark() {
  const before = target(dragged.y);
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
  if (event.button !== 0 || !event.target.matches('.order-grip')) return;
  event.preventDefault();
  const row = rowOf(event.target);
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

liveEvents.follow(form.dataset.stream, ({ type }) => {
  if (!SHOWN.includes(type)) return;
  isStale = true;
  refresh();
});
