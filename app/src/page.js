// What every page does without an island. Without this script all of it works less conveniently.

// Tells the server the browser's time zone in a cookie, so that pages show and take times in it. Without this
// script they are in UTC and say so.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const stored = () => /(?:^|; )tz=([^;]*)/.exec(document.cookie)?.[1] ?? 'UTC';

if (timeZone && stored() !== timeZone) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `tz=${timeZone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // The page was rendered for another zone. A refused form stays: its fields name their zone.
  const hasTimes = document.querySelector('time, [type="datetime-local"]');
  if (hasTimes && stored() === timeZone && !document.querySelector('.error-summary')) {
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
addEventListener('input', ({ target }) => {
  const [, row = '', part] = /^(denominations\.\d+\.)?(\w+)$/.exec(target.name ?? '') ?? [];
  const field = plurals[part] && target.form?.elements.namedItem(row + plurals[part]);
  if (field && (field.value === '' || field.value === field.dataset.guess)) {
    field.dataset.guess = guess(target.value.trim());
    field.value = field.dataset.guess;
  }
});
