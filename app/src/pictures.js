// The field for pictures takes files that are dropped on its form, and makes those smaller that are too
// large. A form of pictures alone sends them one by one and shows how far each is. Without this script forms
// send their pictures at once. Pictures that an item has are sorted by dragging them, or without this script
// by buttons.
import { change } from './send.js';
import { sendImage } from './upload.js';

/** @type {HTMLInputElement | null} */
const field = document.querySelector('[type="file"][name="image"]');
const BYTES_MAX = 1e7;

/** @typedef {{ input: HTMLInputElement, form: HTMLFormElement, list: HTMLElement }} Place */

/**
 * Adds a line about a file, which is returned.
 * @param {Place} place
 * @param {File} file
 * @param {string} words
 */
function line({ list }, file, words) {
  const row = document.createElement('li');
  const state = document.createElement('span');
  state.textContent = `${file.name}: ${words}`;
  row.append(state);
  list.append(row);
  return state;
}

/**
 * The file, or a smaller picture in place of one that the server would refuse as too large. The line of the
 * file says so.
 * @param {File} file
 * @param {HTMLElement} state
 */
async function fitting(file, state) {
  if (file.size <= BYTES_MAX) return file;
  state.textContent = `${file.name}: is made smaller`;
  try {
    const { reduced } = await import('./reduce.js');
    return await reduced(file, BYTES_MAX);
  } catch {
    state.textContent = `${file.name}: not taken, because it has more than 10 MB and can’t be made smaller here`;
    return undefined;
  }
}

/**
 * Puts the files into the field of a form with other fields.
 * @param {Place} place
 * @param {File[]} files
 */
async function choose(place, files) {
  const taken = new DataTransfer();
  place.list.replaceChildren();
  for (const [file, state] of files.map((file) => /** @type {const} */ ([file, line(place, file, 'chosen')]))) {
    const fit = await fitting(file, state);
    if (!fit) continue;
    taken.items.add(fit);
    const smaller = fit === file ? '' : ', made smaller';
    state.textContent = `${file.name}: ${Math.ceil(fit.size / 1000)} kB${smaller}`;
  }
  place.input.files = taken.files;
}

/**
 * Returns the function that chooses files after those before it. The form waits for them.
 * @param {Place} place
 */
function chooser(place) {
  const { form } = place;
  let waiting = 0;
  let chosen = Promise.resolve();
  form.addEventListener('submit', (event) => {
    if (waiting === 0) return;
    event.preventDefault();
    const submitter = /** @type {HTMLElement?} */ (event.submitter);
    chosen.then(() => submitter?.click());
  });
  /** @param {() => File[]} files */
  return (files) => {
    waiting += 1;
    chosen = chosen.then(() => choose(place, files())).finally(() => {
      waiting -= 1;
    });
  };
}

/**
 * @param {Place} place
 * @param {File} chosen
 * @param {string} key
 * @returns {Promise<boolean>}
 */
async function send(place, chosen, key) {
  const state = line(place, chosen, 'uploading');
  const file = await fitting(chosen, state);
  if (!file) return false;
  const progress = Object.assign(document.createElement('progress'), { max: 100, value: 0 });
  progress.setAttribute('aria-label', file.name);
  state.after(progress);
  const answer = await sendImage(place.form.dataset.upload ?? '', file, { 'Idempotency-Key': key }, (part) => {
    progress.value = 100 * part;
    if (part < 1) return;
    state.textContent = `${file.name}: waiting for the server`;
    progress.removeAttribute('value');
  });
  progress.remove();
  const done = answer?.status === 201;
  const { details, detail = 'The server refused it. Try again.' } = answer?.document ?? {};
  const refused = answer ? details?.fields?.[0]?.message ?? detail : 'The connection broke. Try again.';
  state.textContent = `${file.name}: ${done ? 'added' : refused}`;
  return done;
}

/**
 * Returns the function that uploads files at once.
 * @param {Place} place
 */
function uploader(place) {
  const { input, form, list } = place;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('[type="submit"]'));
  const key = /** @type {HTMLInputElement} */ (form.elements.namedItem('idempotencyKey')).value;
  let sent = 0;
  /** @param {File[]} files */
  const upload = async (files) => {
    if (button.disabled) return;
    list.replaceChildren();
    button.disabled = true;
    let all = true;
    for (const file of files) {
      sent += 1;
      all = (await send(place, file, `${key}-${sent}`)) && all;
    }
    button.disabled = false;
    input.value = '';
    // What was refused stays on the page with its reason.
    if (all) location.assign(form.action);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    upload([...input.files ?? []]);
  });
  return upload;
}

/**
 * Takes files that are chosen, and those that are dropped on the form.
 * @param {Place} place
 */
function start(place) {
  const { input, form } = place;
  /** @type {(files: File[]) => unknown} */
  let dropped;
  if (form.dataset.upload) {
    dropped = uploader(place);
  } else {
    const chooseFiles = chooser(place);
    dropped = (files) => chooseFiles(() => [...input.files ?? [], ...files]);
    input.addEventListener('change', () => {
      const files = [...input.files ?? []];
      chooseFiles(() => files);
    });
  }
  for (const kind of /** @type {const} */ (['dragenter', 'dragover'])) {
    form.addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      form.classList.add('dropping');
    });
  }
  for (const kind of ['dragleave', 'drop']) {
    form.addEventListener(kind, () => form.classList.remove('dropping'));
  }
  form.addEventListener('drop', (event) => {
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length === 0) return;
    event.preventDefault();
    dropped(files);
  });
}

/** @type {HTMLElement | null | undefined} */
const uploads = field?.parentElement?.querySelector('.uploads');
if (field?.form && uploads) start({ input: field, form: field.form, list: uploads });

/**
 * Lets the rows of pictures be dragged into another order.
 * @param {HTMLElement} rows
 */
function sort(rows) {
  const refused = Object.assign(document.createElement('p'), { className: 'field-error', role: 'alert' });
  const all = () => /** @type {HTMLElement[]} */ ([...rows.children]);
  const unsorted = all();
  for (const row of all()) {
    const handle = Object.assign(document.createElement('span'), { className: 'drag', draggable: true, textContent: '⠿' });
    handle.title = 'Drag to sort';
    row.append(handle);
    handle.addEventListener('dragstart', ({ dataTransfer }) => {
      unsorted.splice(0, Infinity, ...all());
      dataTransfer?.setData('text/plain', row.dataset.id ?? '');
      dataTransfer?.setDragImage(row.querySelector('img') ?? row, 0, 0);
      row.classList.add('dragged');
    });
    handle.addEventListener('dragend', async () => {
      row.classList.remove('dragged');
      const reason = await change('PATCH', rows.dataset.order ?? '', { order: all().map(({ dataset }) => dataset.id) });
      // The rows are numbered.
      if (!reason) return location.reload();
      rows.replaceChildren(...unsorted);
      refused.textContent = `Not sorted: ${reason}`;
      rows.after(refused);
    });
  }
  rows.addEventListener('dragover', (event) => {
    const dragged = rows.querySelector('.dragged');
    const over = /** @type {Element} */ (event.target).closest('.pictures-row');
    if (!dragged || !over) return;
    event.preventDefault();
    if (over === dragged) return;
    const follows = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (follows) over.after(dragged);
    else over.before(dragged);
  });
}

const rows = document.querySelector('.pictures[data-order]');
if (rows) sort(rows);
