// Skips and holds lots, and has them come back, without leaving the page of a clerk: what is typed stays, and
// without a connection the page, too. The lists follow the auction's stream.
const said = document.getElementById('clerk-next-said');
const TIMEOUT = 15_000;
const FIELDS = ['lot', 'number', 'price'];

let isSending = false;

/** Offers another lot in place of this one, if nothing is typed for it. */
const offer = (lot, instead) => {
  const { elements } = document.querySelector('.clerk-form');
  const [offered, ...typed] = FIELDS.map((name) => elements.namedItem(name));
  if (!instead || offered?.value !== lot || typed.some((field) => field.value)) return;
  offered.value = instead;
  offered.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Names the viewer, so that nothing is done in the session of another user, who signed in since. */
const sender = { 'Farthing-For': document.documentElement.dataset.viewer };

/** Sends the place of a lot. Resolves with the reason why nothing has changed, or ''. */
const send = async (url, place) => {
  const init = {
    method: 'PUT',
    body: JSON.stringify(place),
    headers: { 'Content-Type': 'application/json', ...sender },
    // It is not aborted when the page is left.
    keepalive: true,
    signal: AbortSignal.timeout?.(TIMEOUT),
  };
  const answer = await fetch(url, init).catch(() => undefined);
  if (answer?.ok) return '';
  const told = await answer?.json().catch(() => undefined);
  return `Not changed: ${told?.detail ?? 'no answer. Try again.'}`;
};

addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches('.next-actions') || !submitter) return;
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  const [call, itemId] = submitter.value.split(' ');
  // The first one is skipped or held.
  const [first, second, third] = [...document.querySelectorAll('#clerk-live-next li')].map(({ dataset }) => dataset);
  const place = call === 'DOWN' ? { before: third?.item } : { held: call === 'HOLD' };
  said.textContent = '';
  said.textContent = await send(form.dataset.order, { itemId, ...place });
  isSending = false;
  if (!said.textContent && call !== 'BACK') offer(first?.lot, second?.lot);
});
