// A field for a date and a time says how far away it is, if it is in the browser's time zone.

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const fromNow = new Intl.RelativeTimeFormat('en');
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [['year', 31_536e6], ['month', 2_628e6], ['day', 864e5], ['hour', 36e5], ['minute', 6e4]];
for (const element of document.querySelectorAll('[type="datetime-local"]')) {
  const field = /** @type {HTMLInputElement} */ (element);
  const [zone] = /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName(`${field.name}.zone`));
  // `page.js`, which runs first, has changed UTC to the browser's zone.
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
