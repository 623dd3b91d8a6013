// Checkout at the table: the winner of a number is shown, and marks are saved, without leaving the page. The
// field is ready for the next number at once. Without this script each form leads to a page.
const desk = document.querySelector('.checkout-desk');
const field = desk.querySelector('#checkout-number, #checkout-winner');
const said = document.getElementById('checkout-said');
const refused = document.getElementById('checkout-refused');
const TIMEOUT = 15_000;
const isTouch = matchMedia('(pointer: coarse)').matches;

let step = 0;
let saving;

const ready = () => {
  field.focus({ preventScroll: true });
  field.select?.();
};

/** Copies what the server answered. */
const show = ({ response, newer }) => {
  const shown = newer.getElementById('checkout-said');
  // Signed out, or not permitted any more.
  if (!shown) return location.reload();
  if (response.redirected || !response.url.endsWith('/marks')) history.replaceState(null, '', response.url);
  for (const part of newer.querySelectorAll('.live')) {
    const current = document.getElementById(part.id);
    current.className = part.className;
    current.replaceChildren(...part.childNodes);
  }
  refused.replaceChildren(...newer.getElementById(refused.id).childNodes);
  const isWrong = shown.classList.contains('field-error');
  field.parentElement.classList.toggle('invalid', isWrong);
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
};

/** Sends a request. Resolves with the answer and the page that it is, or undefined without one. */
const request = async (url, init) => {
  try {
    // Nothing is marked in the session of another user, who signed in since.
    const headers = { 'Farthing-For': document.documentElement.dataset.viewer };
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout?.(TIMEOUT) });
    if (response.status < 500) {
      return { response, newer: new DOMParser().parseFromString(await response.text(), 'text/html') };
    }
  } catch {
    // No answer, or a part of one.
  }
  said.className = 'live field-error';
  said.textContent = desk.dataset.lost;
  return undefined;
};

/** Shows a winner, unless another one was asked for since, or a mark before it was refused. */
const find = async (url) => {
  step += 1;
  const mine = step;
  if (saving && !(await saving)) return;
  const answer = await request(url);
  if (!answer || mine !== step) return;
  show(answer);
  if (desk.getBoundingClientRect().top < 0) desk.scrollIntoView();
};

const save = async (url, body) => {
  const answer = await request(url, { method: 'POST', body });
  if (answer) show(answer);
  return answer?.response.ok;
};

addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches('.checkout-form, .checkout form')) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
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
  if (target.id === 'checkout-winner') target.form.requestSubmit();
});
if (document.getElementById('checkout-name')) field.select?.();
