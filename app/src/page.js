// What every page does without an island. Without this script all of it works less conveniently.

// Tells the server the browser's time zone in a cookie, so that pages show and take times in it. Without this
// script they are in UTC and say so.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const zoneInWords = `In your time zone, ${timeZone?.replaceAll('_', ' ')}.`;
const two = (number) => String(number).padStart(2, '0');
const MOMENT = /\b(\d{1,2} [A-Z][a-z]{2} \d{4}), (\d\d:\d\d) UTC\b/g;

// Writes the moments of a page that was rendered in UTC in the browser's time zone.
const writeLocalTimes = () => {
  const local = (text) => text.replace(MOMENT, (_, date, time) => {
    const moment = new Date(`${date} ${time} UTC`);
    const month = moment.toLocaleString('en-US', { month: 'short' });
    const clock = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
    return `${moment.getDate()} ${month} ${moment.getFullYear()}, ${clock}`;
  });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.parentNode.localName !== 'script') text.data = local(text.data).replace(/\bIn UTC\.$/, zoneInWords);
  }
  for (const element of document.querySelectorAll('time[title]')) element.title = local(element.title);
  for (const field of document.querySelectorAll('[type="datetime-local"]')) {
    const [zone] = document.getElementsByName(`${field.name}.zone`);
    if (zone?.value !== 'UTC') continue;
    zone.value = timeZone;
    if (!field.value) continue;
    const moment = new Date(`${field.value}Z`);
    const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
    field.value = `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
  }
};

const stored = () => /(?:^|; )tz=([^;]*)/.exec(document.cookie)?.[1] ?? 'UTC';

if (timeZone && stored() !== timeZone) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const rendered = stored();
  document.cookie = `tz=${timeZone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // A page that was rendered for another zone than UTC is loaded again. A refused form stays, whose fields
  // name their zone, and so does a page in a zone that the user prefers.
  const hasTimes = document.querySelector('time, [type="datetime-local"]');
  const stays = document.querySelector('.error-summary') ?? document.documentElement.dataset.zone;
  if (rendered === 'UTC' && !stays) {
    writeLocalTimes();
  } else if (hasTimes && stored() === timeZone && !stays) {
    location.reload();
  }
}

// Pages show amounts in the currency that the viewer chose last in an auction.
addEventListener('change', ({ target }) => {
  const auction = /^\/auctions\/[^/]+(?=\/items\/)/.exec(location.pathname)?.[0];
  if (auction && target.id === 'bid-currency') {
    document.cookie = `currency=${target.value}; Path=${auction}; Max-Age=31536000; SameSite=Lax`;
  }
});

// The choices of a list's filter apply at once. The one that was changed keeps the focus.
const changed = sessionStorage.getItem('filter');
if (changed) {
  sessionStorage.removeItem('filter');
  document.querySelector(`[role=search] [name="${changed}"]`)?.focus();
}
addEventListener('change', ({ target }) => {
  if (target.type === 'search' || !target.form?.matches('[role=search]')) return;
  sessionStorage.setItem('filter', target.name);
  target.form.requestSubmit();
});

// A menu closes by Escape, and by a click elsewhere.
const openMenus = () => document.querySelectorAll('details.account-menu[open]');
addEventListener('click', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});

// A field for a date and a time says how far away it is, if it is in the browser's time zone.
const fromNow = new Intl.RelativeTimeFormat('en');
const units = [['year', 31_536e6], ['month', 2_628e6], ['day', 864e5], ['hour', 36e5], ['minute', 6e4]];
for (const field of document.querySelectorAll('[type="datetime-local"]')) {
  const [zone] = document.getElementsByName(`${field.name}.zone`);
  if (zone?.value !== timeZone) continue;
  const words = document.createElement('span');
  words.id = `${field.id}-from-now`;
  words.className = 'from-now';
  field.setAttribute('aria-describedby', `${words.id} ${field.getAttribute('aria-describedby') ?? ''}`);
  field.after(words);
  const show = () => {
    const left = Date.parse(field.value) - Date.now();
    const [unit, size] = units.find(([, size]) => Math.abs(left) >= size) ?? ['minute', 6e4];
    words.textContent = field.value ? fromNow.format(Math.round(left / size), unit) : '';
  };
  show();
  field.addEventListener('input', show);
}

// The form of a currency fills in a guess of the plural beside a name, which can be seen and changed.
// Nothing is guessed when a page is written.
const plurals = { name: 'plural', baseUnitName: 'baseUnitPlural' };
const guess = (name) => {
  if (!/[a-z]$/.test(name) || name.length < 3 || /[^s]s$/.test(name)) return '';
  if (/(?:[sxz]|[cs]h)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? name.replace(/y$/, 'ies') : `${name}s`;
};
// A plural that a page suggests follows its name, too.
for (const [one, several] of Object.entries(plurals)) {
  for (const { form, value } of document.getElementsByName(one)) {
    const field = form?.elements.namedItem(several);
    if (field?.value && field.value === guess(value)) field.dataset.guess = field.value;
  }
}
addEventListener('input', ({ target }) => {
  const [, row = '', part] = /^(denominations\.\d+\.)?(\w+)$/.exec(target.name ?? '') ?? [];
  const field = plurals[part] && target.form?.elements.namedItem(row + plurals[part]);
  if (field && (field.value === '' || field.value === field.dataset.guess)) {
    field.dataset.guess = guess(target.value.trim());
    field.value = field.dataset.guess;
  }
});

// The browser of a clerk keeps pages (`worker.js`) for that clerk only. Signing out deletes them, and where a
// session has ended otherwise, the next page does.
const { viewer, outbox, unsent } = document.documentElement.dataset;
const forgetPages = async (isForgotten) => {
  const names = await globalThis.caches?.keys() ?? [];
  const forgotten = names.filter((name) => name.startsWith('clerk ') && isForgotten(name));
  return Promise.all(forgotten.map((name) => caches.delete(name)));
};
forgetPages((name) => !name.endsWith(` ${viewer}`)).catch(() => {});
addEventListener('submit', async (event) => {
  const { target: form } = event;
  if (form.getAttribute('action') !== '/sign-out') return;
  event.preventDefault();
  await forgetPages(() => true).catch(() => {});
  form.submit();
});

// Every page sends the calls that a clerk has entered and that are not sent yet, and says how many there are.
const watchCalls = async () => {
  const databases = await globalThis.indexedDB?.databases?.() ?? [];
  if (!databases.some(({ name }) => name === 'outbox')) return;
  await import(outbox);
  await import(unsent);
};
if (unsent) watchCalls().catch(() => {});

// Buttons that print the page, and that copy the text of a field.
addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-print], [data-copy]');
  if (!button) return;
  if (!button.dataset.copy) return print();
  const field = document.getElementById(button.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  button.textContent = 'Copied';
});
// The address of a card fills in the form of the page `/go`, and leaves the address bar: it holds the secret
// of the card, or the PIN of an older one.
const card = location.pathname === '/go' ? location.hash.slice(1).split('.') : [];
if (card.length === 3) {
  history.replaceState(null, '', '/go');
  ['code', 'number', 'pin'].forEach((name, at) => { document.getElementsByName(name)[0].value = card[at]; });
}
