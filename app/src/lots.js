// The table of many lots. Each row is saved on its own when it is left: it creates a lot once, and changes
// it from then on. Rows are saved one after the other, so that their lot numbers follow their order.
// Pictures are sent as soon as the lot of their row exists.
import { released } from './refresh.js';
import { request, sender, told } from './send.js';
import { sendImage } from './upload.js';

/**
 * How many pictures were chosen without those that were refused, and how many of them are sent.
 * @typedef {{ chosen: number, sent: number }} Count
 */

/**
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {number} number
 * @property {HTMLElement} state
 * @property {HTMLElement} pictureField
 * @property {File[]} files those that wait for the lot
 * @property {number} pictures number of the pictures whose sending was begun
 * @property {Count} count its pictures
 * @property {boolean} [waits] to be saved
 * @property {{ body: URLSearchParams, content: string }} [unanswered] the request without an answer
 * @property {string} [item] id of its lot
 * @property {string} [saved] its content as it was saved last
 * @property {string} [refused] the content that the server has refused
 * @property {string} [lot] number of a lot that the auction had before
 */

/**
 * The saved lot, or why it was refused.
 * @typedef {Problem & { item?: string, lotNumber?: string, errors?: Record<string, string> }} Saved
 */

const form = /** @type {HTMLFormElement} */ (document.querySelector('.lot-form'));
const list = /** @type {HTMLElement} */ (form.querySelector('.lots'));
const copied = form.querySelector('.lot-copied')?.innerHTML ?? '';
const key = /** @type {HTMLInputElement} */ (form.elements.namedItem('idempotencyKey')).value;
const { auction = '' } = form.dataset;
const BYTES_MAX = 1e7;
const ROWS_MAX = 200;
const RETRY_MS = 3000;
/** The number of the row in `copied`. */
const COPIED = 999;

/** @type {Row[]} */
const rows = [];
/** @type {Count} The pictures of all rows. */
const all = { chosen: 0, sent: 0 };
/** Number of the lots that the auction had before and that have got pictures. */
let foundLots = 0;
const sentWords = /** @type {HTMLElement} */ (form.querySelector('.lots-sent'));
const foundPlace = /** @type {HTMLElement} */ (form.querySelector('.lots-found'));
let saving = Promise.resolve();
let sending = Promise.resolve();
let spreading = Promise.resolve();

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));
/**
 * @param {Row} row
 * @returns {HTMLInputElement[]}
 */
const inputs = (row) => [...row.element.querySelectorAll('input[name]:not([type="hidden"])')]
  .map((input) => /** @type {HTMLInputElement} */ (input));
/**
 * @param {Row} row
 * @param {string} part
 * @returns {HTMLInputElement | null}
 */
const cell = (row, part) => row.element.querySelector(`[name="lots.${row.number}.${part}"]`);
/** @param {HTMLInputElement} input */
const part = (input) => input.name.split('.')[2] ?? '';
/** @param {Row} row */
const nameField = (row) => /** @type {HTMLInputElement} */ (cell(row, 'name'));
/** @param {Row} row */
const isEmpty = (row) => inputs(row).every((input) => input.value.trim() === '');
/** @param {Row} row */
const content = (row) => JSON.stringify(inputs(row).map((input) => input.value));
/** @param {Row} row */
const isSaved = (row) => content(row) === row.saved || (!row.item && isEmpty(row));
/** @param {Row} row */
const isAnswered = (row) => isSaved(row) || content(row) === row.refused;
/** @param {EventTarget | null} target */
const rowOf = (target) => {
  const element = /** @type {Element | null} */ (target)?.closest?.('.lot');
  return rows.find((row) => row.element === element);
};

/**
 * @param {Row} row
 * @param {string} words
 */
function say(row, words, state = '') {
  row.state.textContent = words;
  row.state.dataset.state = state;
}

/**
 * Makes an element with its row number a row.
 * @param {HTMLElement} element
 */
function register(element) {
  const state = /** @type {HTMLElement} */ (element.querySelector('.lot-state'));
  const pictureField = /** @type {HTMLElement} */ (element.querySelector('.lot-pictures'));
  /** @type {Row} */
  const row = { element, number: rows.length, state, pictureField, files: [], pictures: 0, count: { chosen: 0, sent: 0 } };
  showPictures(pictureField, (files) => add(row, files));
  rows.push(row);
  return row;
}

/**
 * Shows a field for pictures, and passes chosen files on.
 * @param {HTMLElement} field
 * @param {(files: File[]) => void} choose
 */
function showPictures(field, choose) {
  field.hidden = false;
  const input = /** @type {HTMLInputElement} */ (field.querySelector('input'));
  input.addEventListener('change', () => {
    choose([...input.files ?? []]);
    input.value = '';
  });
}

function addRow() {
  if (rows.length === ROWS_MAX) return undefined;
  const number = rows.length;
  const html = copied
    .replaceAll(`lots.${COPIED}.`, `lots.${number}.`)
    .replaceAll(`ot ${COPIED + 1}`, `ot ${number + 1}`);
  list.insertAdjacentHTML('beforeend', html);
  return register(/** @type {HTMLElement} */ (list.lastElementChild));
}

/**
 * The row below, which is made if there is none.
 * @param {Row} row
 */
const below = (row) => rows[row.number + 1] ?? addRow();

/**
 * Shows the errors of a row by the names of its cells.
 * @param {Row} row
 * @param {Record<string, string>} errors
 */
function showErrors(row, errors) {
  for (const input of inputs(row)) {
    const words = errors[input.name];
    const field = input.parentElement;
    field?.querySelector('.field-error')?.remove();
    field?.classList.toggle('invalid', Boolean(words));
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
    if (!words) continue;
    const error = Object.assign(document.createElement('p'), { id: `${input.id}-error`, textContent: words });
    error.className = 'field-error';
    input.after(error);
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', error.id);
  }
}

/** @param {Count} count */
const inWords = ({ chosen, sent }) => `${sent} of ${chosen} ${chosen === 1 ? 'picture' : 'pictures'} sent`;

/**
 * Shows how many pictures of a row are sent and how far the next one is, and beside the button those of all.
 * @param {Row} row
 */
function showSent({ count, number, lot, pictureField }, part = 0) {
  const shown = pictureField.querySelector('.lot-sent');
  if (count.sent === count.chosen) {
    shown?.remove();
  } else {
    const line = shown ?? Object.assign(document.createElement('p'), { className: 'lot-sent' });
    if (!shown) {
      const bar = document.createElement('progress');
      bar.setAttribute('aria-label', `Pictures of lot ${lot ?? number + 1}`);
      line.append(bar, document.createElement('span'));
      pictureField.append(line);
    }
    const [bar, words] = /** @type {[HTMLProgressElement, HTMLElement]} */ ([...line.children]);
    Object.assign(bar, { max: count.chosen, value: count.sent + part });
    if (words.textContent !== inWords(count)) words.textContent = inWords(count);
  }
  const words = all.chosen > 0 ? inWords(all) : '';
  if (sentWords.textContent !== words) sentWords.textContent = words;
}

/**
 * Counts pictures of a row.
 * @param {Row} row
 * @param {keyof Count} what
 * @param {number} by
 */
function count(row, what, by) {
  row.count[what] += by;
  all[what] += by;
  showSent(row);
}

/** @param {Row} row */
function save(row) {
  if (row.waits || isAnswered(row)) return;
  row.waits = true;
  say(row, 'Saving…');
  saving = saving.then(async () => {
    row.waits = false;
    // The request before may have told all.
    if (!isAnswered(row)) await send(row);
  });
}

/**
 * The request that saves a row as it is.
 * @param {Row} row
 */
function asRequest(row) {
  const body = new URLSearchParams();
  for (const element of row.element.querySelectorAll('input[name]')) {
    const input = /** @type {HTMLInputElement} */ (element);
    body.append(input.name, input.value);
  }
  for (const name of ['currencyCode', 'isPublished']) {
    const input = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));
    if (input && (input.type !== 'checkbox' || input.checked)) body.append(name, input.value);
  }
  if (row.item) body.append('item', row.item);
  body.append('idempotencyKey', `${key}-${row.number}`);
  return { body, content: content(row) };
}

/**
 * Whether an answer tells something. Otherwise its request is to be repeated: a connection may also break
 * within the answer.
 * @template {{ status: number, ok: boolean }} A
 * @param {A | undefined} answer
 * @param {object | undefined} document
 * @returns {answer is A}
 */
const isAnswer = (answer, document) =>
  Boolean(answer && answer.status < 500 && answer.status !== 429 && !(answer.ok && !document));

/**
 * @param {Row} row
 * @returns {Promise<void>}
 */
async function send(row) {
  // A request without an answer is repeated as it was: it may have created the lot.
  row.unanswered ??= asRequest(row);
  const { body, content: sent } = row.unanswered;
  const init = { method: 'POST', body, headers: sender };
  const answer = await request(`${location.pathname}/row`, init).catch(() => undefined);
  /** @type {Saved | undefined} */
  const result = await told(answer);
  await released();
  const isElsewhere = answer?.status === 401 || result?.code === 'OTHER_USER';
  if (!isAnswer(answer, result) || isElsewhere) {
    const why = isElsewhere ? 'sign in again in another tab.' : 'no answer. Trying again…';
    say(row, `Not saved: ${why}`, 'wrong');
    await pause();
    return send(row);
  }
  delete row.unanswered;
  if (answer.ok && result?.item) {
    row.item = result.item;
    row.saved = sent;
    delete row.refused;
    showErrors(row, {});
    say(row, `Saved: lot ${result.lotNumber}`, 'saved');
    upload(row);
  } else {
    row.refused = sent;
    const { errors, detail = 'the server refused it.' } = result ?? {};
    showErrors(row, errors ?? {});
    say(row, errors ? 'Not saved' : `Not saved: ${detail}`, 'wrong');
  }
  // What was typed meanwhile.
  if (content(row) !== sent && !row.element.contains(document.activeElement)) save(row);
}

/**
 * Adds pictures to the lot of a row. A row without a name has that of the first file.
 * @param {Row} row
 * @param {File[]} files
 */
function add(row, files) {
  const name = nameField(row);
  for (const file of files) {
    name.value ||= nameOf(file);
    row.files.push(file);
  }
  count(row, 'chosen', files.length);
  save(row);
  upload(row);
}

/** @param {Row} row */
function upload(row) {
  if (!row.item) return;
  for (const file of row.files.splice(0)) {
    row.pictures += 1;
    const number = row.pictures;
    sending = sending.then(async () => {
      const fit = await fitting(row, file);
      if (fit) await sendPicture(row, fit, `${key}-${row.number}-${number}`);
    });
  }
}

/**
 * The file, or a smaller picture in place of one that the server would refuse as too large.
 * @param {Row} row
 * @param {File} file
 */
async function fitting(row, file) {
  if (file.size <= BYTES_MAX) return file;
  try {
    const { reduced } = await import('./reduce.js');
    return await reduced(file, BYTES_MAX);
  } catch {
    note(row, `${file.name}: more than 10 MB, and it can’t be made smaller here`);
    return undefined;
  }
}

/**
 * @param {Row} row
 * @param {File} file
 * @param {string} pictureKey
 * @returns {Promise<void>}
 */
async function sendPicture(row, file, pictureKey) {
  const path = `/api${auction}/items/${row.item}/images`;
  const headers = { 'Idempotency-Key': pictureKey, ...sender };
  const answer = await sendImage(path, file, headers, (part) => showSent(row, part));
  const result = answer?.document;
  await released();
  if (!isAnswer(answer, result) || result?.code === 'OTHER_USER') {
    showSent(row);
    await pause();
    return sendPicture(row, file, pictureKey);
  }
  if (answer.ok) {
    count(row, 'sent', 1);
    row.pictureField.append(Object.assign(new Image(48, 48), { src: result?.thumbnail, alt: file.name }));
  } else {
    note(row, `${file.name}: ${result?.details?.fields?.[0]?.message ?? result?.detail ?? 'refused'}`);
  }
}

/**
 * A line about a picture that is not taken.
 * @param {Row} row
 * @param {string} words
 */
function note(row, words) {
  count(row, 'chosen', -1);
  const line = Object.assign(document.createElement('p'), { className: 'field-error', textContent: words });
  line.setAttribute('role', 'alert');
  row.pictureField.append(line);
}

/** @param {File} file */
const nameOf = (file) => file.name.replace(/\.[^.]*$/, '').replace(/[_\s]+/g, ' ').trim().slice(0, 200);

/**
 * The row with the name of a file.
 * @param {File} file
 */
function rowNamed(file) {
  const name = nameOf(file).toLowerCase();
  return rows.find((row) => nameField(row).value.trim().toLowerCase() === name);
}

/**
 * Files find the rows with their names, or else make rows.
 * @param {File[]} files
 */
function intoRows(files) {
  for (const file of files) {
    const row = rowNamed(file) ?? rows.find((one) => !one.item && isEmpty(one) && one.files.length === 0) ?? addRow();
    if (row) add(row, [file]);
  }
}

/**
 * Files find the lots of the auction by number or name, once that was shown, or else go into rows. Files that
 * are dropped while a question is open come after its answer.
 * @param {File[]} files
 */
function spread(files) {
  spreading = spreading.then(() => distribute(files));
}

/** @param {File[]} files */
async function distribute(files) {
  const mine = files.filter(rowNamed);
  const rest = files.filter((file) => !mine.includes(file));
  const read = await readLots().catch(() => undefined);
  if (!read) {
    intoRows(mine);
    return sayUnread(rest.length);
  }
  const { ask, find, lots } = read;
  const { found, others } = find(rest, lots, nameOf);
  const elsewhere = found.filter(({ lot, files: theirs }) => {
    const row = rows.find(({ item }) => item === lot.id);
    if (row) add(row, theirs);
    return !row;
  });
  const lines = elsewhere.length > 0 ? await ask(foundPlace, elsewhere, others.length) : [];
  intoRows(mine);
  intoRows(lines ? others : others.concat(elsewhere.flatMap(({ files: theirs }) => theirs)));
  lines?.forEach((line, at) => {
    const { lot, files: theirs } = /** @type {import('./found.js').Found} */ (elsewhere[at]);
    const number = COPIED + 1 + foundLots;
    foundLots += 1;
    /** @type {Row} */
    const row = { element: line, number, state: line, pictureField: line, files: theirs, pictures: 0, count: { chosen: 0, sent: 0 }, item: lot.id, lot: lot.lotNumber };
    count(row, 'chosen', theirs.length);
    upload(row);
  });
}

/** The lots of the auction, with what finds those of pictures. */
async function readLots() {
  const { ask, find, lotsOf } = await import('./found.js');
  return { ask, find, lots: await lotsOf(auction) };
}

/**
 * Says that pictures are not taken, since it is not known whose they are.
 * @param {number} pictures
 */
function sayUnread(pictures) {
  if (!pictures) return;
  const those = pictures === 1 ? '1 picture is' : `${pictures} pictures are`;
  foundPlace.textContent = `${those} not added: the lots of this auction can’t be read. Choose them again.`;
  foundPlace.hidden = false;
}

/** The first button of the question whose pictures are shown, while it is open. */
const question = () => foundPlace.querySelector('button');

/**
 * The cells of a text from a spreadsheet.
 * @param {string} text
 */
function table(text) {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  if (lines.includes('\t')) return split(lines, '\t');
  // A comma before a space is one of a sentence.
  for (const mark of [';', ',']) {
    const cells = split(lines, mark);
    const width = cells[0]?.length ?? 0;
    const isTable = width > 1 && cells.every((line) => line.length === width);
    if (isTable && !cells.some((line) => line.slice(1).some((text) => text.startsWith(' ')))) return cells;
  }
  return split(lines, '\t');
}

/**
 * Splits a text into lines of cells. In quotes stand separators, line ends and doubled quotes.
 * @param {string} text
 * @param {string} mark
 */
function split(text, mark) {
  /** @type {string[]} */
  let line = [];
  const lines = [line];
  let from = 0;
  while (from <= text.length) {
    let value = '';
    if (text[from] === '"') {
      let end = from + 1;
      const ends = () => text[end] === '"' && text[end + 1] !== '"';
      while (end < text.length && !ends()) end += text[end] === '"' ? 2 : 1;
      value = text.slice(from + 1, end).replaceAll('""', '"');
      from = end + 1;
    }
    let end = from;
    while (end < text.length && text[end] !== mark && text[end] !== '\n') end += 1;
    line.push((value + text.slice(from, end)).replace(/\s*\n\s*/g, ' '));
    if (text[end] === '\n') {
      line = [];
      lines.push(line);
    }
    from = end + 1;
  }
  return lines;
}

/**
 * Fills rows with pasted cells, from a cell on. A first line of headings says which column is which.
 * @param {Row} row
 * @param {HTMLInputElement} input
 * @param {string[][]} lines
 */
function fill(row, input, lines) {
  const columns = inputs(row).map(part);
  /** @param {HTMLInputElement} one */
  const label = (one) => one.labels?.[0]?.firstChild?.textContent?.trim().toLowerCase();
  const labels = new Map(inputs(row).map((one) => [label(one), part(one)]));
  const heads = (lines[0] ?? []).map((text) => labels.get(text.trim().toLowerCase()));
  const hasHeads = heads.length > 0 && heads.every(Boolean);
  const parts = hasHeads ? heads : columns.slice(columns.indexOf(part(input)));
  const filled = [];
  /** @type {Row | undefined} */
  let at = row;
  for (const line of hasHeads ? lines.slice(1) : lines) {
    if (!at) break;
    for (const [index, text] of line.entries()) {
      const name = parts[index];
      const target = name && cell(at, name);
      if (!target) continue;
      const isTime = target.type === 'datetime-local';
      target.value = isTime ? text.trim().replace(' ', 'T').slice(0, 16) : text.trim();
      if (isTime && text.trim() && !target.value) {
        showErrors(at, { [target.name]: `“${text.trim()}” is no time such as 2026-12-31 18:00.` });
      }
    }
    filled.push(at);
    at = below(at);
  }
  filled.forEach(save);
}

for (const element of list.querySelectorAll('.lot')) register(element);
for (const field of form.querySelectorAll('.lot-files')) showPictures(field, spread);
for (const help of document.querySelectorAll('.lot-help')) help.hidden = false;
document.querySelector('.lot-later')?.remove();

/** The column in which a row of Tabs began, to which Enter returns. */
let column = 'name';
let byTab = false;
list.addEventListener('keydown', (event) => {
  byTab = event.key === 'Tab';
  const row = rowOf(event.target);
  const { type } = /** @type {HTMLInputElement} */ (event.target);
  if (event.key !== 'Enter' || event.isComposing || !row || type === 'file') return;
  event.preventDefault();
  const next = below(row);
  byTab = true;
  if (next) cell(next, column)?.focus();
});
list.addEventListener('focusin', (event) => {
  const row = rowOf(event.target);
  if (!row) return;
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (!byTab && input.name) column = part(input);
  byTab = false;
  if (row === rows.at(-1)) addRow();
});
list.addEventListener('focusout', (event) => {
  const row = rowOf(event.target);
  if (row && !row.element.contains(/** @type {Node | null} */ (event.relatedTarget))) save(row);
});
list.addEventListener('paste', (event) => {
  const row = rowOf(event.target);
  const input = /** @type {HTMLInputElement} */ (event.target);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!row || !input.name || !/[\t\n]/.test(text.trimEnd())) return;
  event.preventDefault();
  fill(row, input, table(text));
});

for (const kind of /** @type {const} */ (['dragenter', 'dragover'])) {
  form.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    form.querySelector('.dropping')?.classList.remove('dropping');
    (rowOf(event.target)?.element ?? list).classList.add('dropping');
  });
}
form.addEventListener('drop', (event) => {
  form.querySelector('.dropping')?.classList.remove('dropping');
  const files = [...event.dataTransfer?.files ?? []];
  if (files.length === 0) return;
  event.preventDefault();
  const row = rowOf(event.target);
  if (row) add(row, files);
  else spread(files);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  rows.forEach(save);
  // Its pictures would be lost.
  if (question()) return question()?.focus();
  await spreading;
  await saving;
  await sending;
  const wrong = form.querySelector('[aria-invalid]');
  if (wrong) wrong.focus();
  else if (rows.every(isSaved) && !form.querySelector('.field-error')) location.assign(auction);
});
addEventListener('beforeunload', (event) => {
  if (!rows.every(isSaved) || all.sent < all.chosen || question()) event.preventDefault();
});
