// What every page does without an island. Without this script all of it works less conveniently.

// Tells the server the browser's time zone in a cookie, so that pages show and take times in it. Without this
// script they are in UTC and say so.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const zoneInWords = `In your time zone, ${timeZone?.replaceAll('_', ' ')}.`;
/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */
/**
 * The field of a form that an event is about, if it is about one.
 * @param {Event} event
 */
const fieldOf = ({ target }) => /** @type {Partial<Control>} */ (target);
const MOMENT = /\b(\d{1,2} [A-Z][a-z]{2} \d{4}), (\d\d:\d\d) UTC\b/g;

// Writes the moments of a page that was rendered in UTC in the browser's time zone.
const writeLocalTimes = () => {
  /** @param {string} text */
  const local = (text) => text.replace(MOMENT, (_, /** @type {string} */ date, /** @type {string} */ time) => {
    const moment = new Date(`${date} ${time} UTC`);
    const month = moment.toLocaleString('en-US', { month: 'short' });
    const clock = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
    return `${moment.getDate()} ${month} ${moment.getFullYear()}, ${clock}`;
  });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    if (text.parentElement?.localName !== 'script') text.data = local(text.data).replace(/\bIn UTC\.$/, zoneInWords);
  }
  for (const element of document.querySelectorAll('time[title]')) element.title = local(element.title);
  for (const { name } of fields()) {
    const [zone] = /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName(`${name}.zone`));
    if (zone?.value === 'UTC') zone.value = timeZone;
  }
};

const fields = () => {
  const found = document.querySelectorAll('[type="datetime-local"]');
  return [.../** @type {NodeListOf<HTMLInputElement>} */ (found)];
};

const stored = () => /(?:^|; )tz=([^;]*)/.exec(document.cookie)?.[1] ?? 'UTC';

if (timeZone && stored() !== timeZone) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const rendered = stored();
  document.cookie = `tz=${timeZone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // A page that was rendered for another zone than UTC is loaded again, and so is a form with a time: the
  // server decides what the time is there, by newer rules of zones than a browser may have. A refused form
  // stays, whose fields name their zone, and so does a page in a zone that the user prefers.
  const hasTimes = document.querySelector('time, [type="datetime-local"]');
  const stays = document.querySelector('.error-summary') ?? document.documentElement.dataset.zone;
  if (rendered === 'UTC' && !stays && fields().every(({ value }) => !value)) {
    writeLocalTimes();
  } else if (hasTimes && stored() === timeZone && !stays) {
    location.reload();
  }
}

// Pages show amounts in the currency that the viewer chose last in an auction.
addEventListener('change', (event) => {
  const { id, value } = fieldOf(event);
  const auction = /^\/auctions\/[^/]+(?=\/items\/)/.exec(location.pathname)?.[0];
  if (auction && id === 'bid-currency') {
    document.cookie = `currency=${value}; Path=${auction}; Max-Age=31536000; SameSite=Lax`;
  }
});

// The choices of a list's filter apply at once. The one that was changed keeps the focus.
const changed = sessionStorage.getItem('filter');
if (changed) {
  sessionStorage.removeItem('filter');
  document.querySelector(`[role=search] [name="${changed}"]`)?.focus();
}
addEventListener('change', (event) => {
  const { type, form, name = '' } = fieldOf(event);
  if (type === 'search' || !form?.matches('[role=search]')) return;
  sessionStorage.setItem('filter', name);
  form.querySelector('[type=submit]')?.click();
});

// A menu closes by Escape, and by a click elsewhere.
/** @returns {NodeListOf<HTMLDetailsElement>} */
const openMenus = () => document.querySelectorAll('details.account-menu[open]');
addEventListener('click', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
});
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});

// The browser of a clerk keeps pages (`worker.js`) for that clerk only. Signing out deletes them, and where a
// session has ended otherwise, the next page does.
const { viewer } = document.documentElement.dataset;
/** @param {(name: string) => boolean} isForgotten */
const forgetPages = async (isForgotten) => {
  const names = await globalThis.caches?.keys() ?? [];
  const forgotten = names.filter((name) => name.startsWith('clerk ') && isForgotten(name));
  return Promise.all(forgotten.map((name) => caches.delete(name)));
};
forgetPages((name) => !name.endsWith(` ${viewer}`)).catch(() => {});
addEventListener('submit', async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.getAttribute('action') !== '/sign-out') return;
  event.preventDefault();
  await forgetPages(() => true).catch(() => {});
  form.submit();
});

// Every page sends the calls that a clerk has entered and that are not sent yet, and says how many there are.
const watchCalls = async () => {
  const databases = await globalThis.indexedDB?.databases?.() ?? [];
  if (!databases.some(({ name }) => name === 'outbox')) return;
  await import('./unsent.js');
};
watchCalls().catch(() => {});

// The tabs of an auction begin with the current one in sight.
const tab = document.querySelector('.tabs [aria-current]');
if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.clientWidth / 2;

// What browsers offer over https alone.
if (!isSecureContext) document.querySelector('[data-insecure]')?.removeAttribute('hidden');

// Buttons that print the page, and that copy the text of a field.
addEventListener('click', async ({ target }) => {
  /** @type {HTMLElement | null | undefined} */
  const button = /** @type {Element} */ (target).closest?.('[data-print], [data-copy]');
  if (!button) return;
  if (!button.dataset.copy) return print();
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  field.select();
  // Over plain http there is no clipboard but this command.
  const isCopied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false) ?? document.execCommand('copy');
  button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
});

// What is shown once is not left by mistake before it was printed.
const unprinted = document.querySelector('[data-unprinted]');
if (unprinted) {
  const warn = (/** @type {BeforeUnloadEvent} */ event) => event.preventDefault();
  addEventListener('beforeunload', warn);
  addEventListener('afterprint', () => removeEventListener('beforeunload', warn));
}
