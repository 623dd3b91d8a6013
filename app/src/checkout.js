// Checkout at the table: the winner of a number is shown, and marks are saved, without leaving the page. The
// field is ready for the next number at once. Without this script each form leads to a page.
import { copyParts, requestPage } from './refresh.js';
import { sender } from './send.js';

/** @typedef {Awaited<ReturnType<typeof requestPage>>} Answer */

const desk = /** @type {HTMLElement} */ (document.querySelector('.checkout-desk'));
/** A list of winners where members have no numbers. */
const field = /** @type {HTMLInputElement} */ (desk.querySelector('#checkout-number, #checkout-winner'));
const said = /** @type {HTMLElement} */ (document.getElementById('checkout-said'));
const refused = /** @type {HTMLElement} */ (document.getElementById('checkout-refused'));
const isTouch = matchMedia('(pointer: coarse)').matches;

let step = 0;
/** @type {Promise<boolean | undefined> | undefined} */
let saving;

const ready = () => {
  field.focus({ preventScroll: true });
  field.select?.();
};

/**
 * Copies what the server answered.
 * @param {Answer} answer
 */
const show = ({ response, newer }) => {
  const shown = newer.getElementById('checkout-said');
  // Signed out, or not permitted any more.
  if (!shown) return location.reload();
  if (response.redirected || !response.url.endsWith('/marks')) history.replaceState(null, '', response.url);
  copyParts(newer, true);
  refused.replaceChildren(...newer.getElementById(refused.id)?.childNodes ?? []);
  const isWrong = shown.classList.contains('field-error');
  field.parentElement?.classList.toggle('invalid', isWrong);
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
};

/**
 * Sends a request. Resolves with the answer and the page that it is, or undefined without one.
 * @param {string} url
 * @param {RequestInit} [init]
 */
const ask = async (url, init) => {
  const answer = await requestPage(url, { ...init, headers: sender }).catch(() => undefined);
  if (answer && answer.response.status < 500) return answer;
  said.className = 'live field-error';
  said.textContent = desk.dataset.lost ?? '';
  return undefined;
};

/**
 * Shows a winner, unless another one was asked for since, or a mark before it was refused.
 * @param {string} url
 */
const find = async (url) => {
  step += 1;
  const mine = step;
  if (saving && !(await saving)) return;
  const answer = await ask(url);
  if (!answer || mine !== step) return;
  show(answer);
  if (desk.getBoundingClientRect().top < 0) desk.scrollIntoView();
};

/**
 * @param {string} url
 * @param {URLSearchParams} body
 */
const save = async (url, body) => {
  const answer = await ask(url, { method: 'POST', body });
  if (answer) show(answer);
  return answer?.response.ok;
};

addEventListener('submit', async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.matches('.checkout-form, .checkout form')) return;
  event.preventDefault();
  const fields = new URLSearchParams();
  // The forms have no files.
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  if (form.method === 'get') {
    ready();
    if ([...fields.values()].some(Boolean)) await find(`${form.action}?${fields}`);
    return;
  }
  if (saving) return;
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  // On a phone the keyboard would cover what is marked.
  if (!isTouch) ready();
  saving = save(form.action, fields);
  await saving;
  saving = undefined;
});
addEventListener('change', ({ target }) => {
  const list = /** @type {HTMLSelectElement} */ (target);
  if (list.id === 'checkout-winner') list.form?.querySelector('[type=submit]')?.click();
});
if (document.getElementById('checkout-name')) field.select?.();
