// Skips and holds lots, and has them come back, without leaving the page of a clerk: what is typed stays, and
// without a connection the page, too. The lists follow the auction's stream.
import { change } from './send.js';

const said = /** @type {HTMLElement} */ (document.getElementById('clerk-next-said'));
const FIELDS = ['lot', 'number', 'price'];

let isSending = false;

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
  const rows = [...document.querySelectorAll('#clerk-live-next li')];
  const [first, second, third] = rows.map(({ dataset }) => dataset);
  const place = call === 'DOWN' ? { before: third?.item } : { held: call === 'HOLD' };
  said.textContent = '';
  const reason = await change('PUT', form.dataset.order ?? '', { itemId, ...place });
  isSending = false;
  if (reason) said.textContent = `Not changed: ${reason}`;
  else if (call !== 'BACK') offer(first?.lot, second?.lot);
});
