// Shows a lot as lists will show it, while its form is filled in. Without this script there is no preview.

const preview = /** @type {HTMLElement | null} */ (document.querySelector('.lot-preview'));
const form = preview?.closest('form');

/**
 * The trimmed value of a field of the form.
 * @param {string} name
 */
function typed(name) {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value.trim() : '';
}

/**
 * A number with the noun that it counts. Other words stay.
 * @param {string} value
 * @param {string[]} nouns That of one and that of several.
 */
function counted(value, [one, several]) {
  return /^[\d.,\s]+$/.test(value) ? `${value} ${value === '1' ? one : several}` : value;
}

/** The least first bid as it is typed. */
function minimum() {
  const row = /** @type {HTMLElement | null | undefined} */ (form?.querySelector('[data-nouns]'));
  if (!row) return typed('startingBid') && counted(typed('startingBid'), Array(2).fill(typed('currencyCode')));
  const nouns = /** @type {string[][]} */ (JSON.parse(row.dataset.nouns ?? '[]'));
  return [...row.querySelectorAll('input')]
    .map((field, slot) => field.value.trim() && counted(field.value.trim(), nouns[slot] ?? ['', '']))
    .filter((words) => words)
    .join(' · ');
}

/**
 * @param {string} part
 * @param {string} words
 */
function say(part, words) {
  const place = preview?.querySelector(`[data-part="${part}"]`);
  if (place) place.textContent = words;
}

function show() {
  say('name', typed('name'));
  say('lot', typed('lotNumber'));
  const least = minimum();
  say('price', least && `From ${least}`);
  const estimate = typed('estimate');
  say('estimate', estimate && `Estimate ${estimate}`);
}

/** Draws the first picture that is chosen. */
async function showPicture() {
  const field = /** @type {HTMLInputElement | null | undefined} */ (form?.querySelector('[type="file"]'));
  const canvas = preview?.querySelector('canvas');
  if (!canvas) return;
  const [file] = field?.files ?? [];
  // A file that is no picture is refused elsewhere.
  const picture = file && (await createImageBitmap(file).catch(() => undefined));
  canvas.hidden = !picture;
  if (!picture) return;
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas.getContext('2d')?.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  picture.close();
}

if (preview && form) {
  preview.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('change', () => {
    show();
    showPicture();
  });
  show();
  showPicture();
}
