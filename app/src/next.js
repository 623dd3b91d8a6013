// Skips and holds lots, and has them come back, without leaving the page of a clerk: what is typed stays, and
// without a connection the page, too. The lists follow the auction's stream, and what this browser keeps.
import { change } from './send.js';

const said = /** @type {HTMLElement} */ (document.getElementById('clerk-next-said'));
const FIELDS = ['lot', 'number', 'price'];

/** Next lots that are shown. */
const NEXT = 3;

let isSending = false;

/**
 * @param {HTMLElement} element
 * @param {string | undefined} text
 */
const write = (element, text = '') => {
  if (element.textContent !== text) element.textContent = text;
};

/** The next lots that no kept call has closed. */
const nextLots = () => {
  const called = new Set(Array.from(document.querySelectorAll('.clerk-call[data-item]'), ({ dataset }) => dataset.item));
  const rows = [...document.querySelectorAll('#clerk-live-next li')];
  return { called, rows, open: rows.filter(({ dataset }) => !called.has(dataset.item)) };
};

/** Leaves out what is called already and counts it, before the server knows of it. */
const arrange = () => {
  const { called, rows, open } = nextLots();
  for (const row of rows) row.hidden = !open.slice(0, NEXT).includes(row);
  const first = open[0]?.dataset;
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[id^="next-"]'))) {
    button.hidden = !first;
    if (!first) continue;
    button.value = `${button.value.split(' ')[0]} ${first.item}`;
    write(button, button.textContent?.replace(/\S+$/, first.lot ?? ''));
  }
  const done = document.querySelector('.clerk-done');
  if (done) write(done, done.textContent?.replace(/^\d+/, `${Number(done.dataset.done) + called.size}`));
};

const desk = document.querySelector('.clerk');
if (desk) {
  new MutationObserver(arrange).observe(desk, { childList: true, subtree: true });
  arrange();
}

/**
 * Offers another lot in place of this one, if nothing is typed for it.
 * @param {string | undefined} lot
 * @param {string | undefined} instead
 */
const offer = (lot, instead) => {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector('.clerk-form');
  const fields = FIELDS.map((name) => /** @type {HTMLInputElement | undefined} */ (form?.elements.namedItem(name)));
  const [offered, ...typed] = fields;
  if (!instead || offered?.value !== lot || typed.some((field) => field?.value)) return;
  if (!offered) return;
  offered.value = instead;
  offered.dispatchEvent(new Event('input', { bubbles: true }));
};

addEventListener('submit', async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.matches('.next-actions') || !submitter) return;
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  const [call, itemId] = submitter.value.split(' ');
  // The first one is skipped or held.
  const [first, second, third] = nextLots().open.map(({ dataset }) => dataset);
  const place = call === 'DOWN' ? { before: third?.item } : { held: call === 'HOLD' };
  said.textContent = '';
  const reason = await change('PUT', form.dataset.order ?? '', { itemId, ...place });
  isSending = false;
  if (reason) said.textContent = `Not changed: ${reason}`;
  else if (call !== 'BACK') offer(first?.lot, second?.lot);
});
