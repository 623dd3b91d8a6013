// The table of many lots. Each row is saved on its own when it is left: it creates a lot once, and changes
// it from then on. Rows are saved one after the other, so that their lot numbers follow their order.
// Pictures are sent as soon as the lot of their row exists.
const form = document.querySelector('.lot-form');
const list = form.querySelector('.lots');
const copied = form.querySelector('.lot-copied').innerHTML;
const key = form.elements.idempotencyKey.value;
const auction = form.dataset.auction;
const BYTES_MAX = 1e7;
const ROWS_MAX = 200;
const RETRY_MS = 3000;
const TIMEOUT = 15_000;
/** The number of the row in `copied`. */
const COPIED = 999;

const rows = [];
let saving = Promise.resolve();
let sending = Promise.resolve();

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));
const inputs = (row) => [...row.element.querySelectorAll('input[name]:not([type="hidden"])')];
const cell = (row, part) => row.element.querySelector(`[name="lots.${row.number}.${part}"]`);
const part = (input) => input.name.split('.')[2];
const isEmpty = (row) => inputs(row).every((input) => input.value.trim() === '');
const content = (row) => JSON.stringify(inputs(row).map((input) => input.value));
const isSaved = (row) => content(row) === row.saved || (!row.item && isEmpty(row));
const rowOf = (element) => rows.find((row) => row.element === element?.closest?.('.lot'));

function say(row, words, state = '') {
  row.state.textContent = words;
  row.state.dataset.state = state;
}

/** Makes an element with its row number a row. */
function register(element) {
  const state = element.querySelector('.lot-state');
  const row = { element, number: rows.length, state, files: [], pictures: 0 };
  const field = element.querySelector('.lot-pictures');
  field.hidden = false;
  const input = field.querySelector('input');
  input.addEventListener('change', () => {
    add(row, input.files);
    input.value = '';
  });
  rows.push(row);
  return row;
}

function addRow() {
  if (rows.length === ROWS_MAX) return undefined;
  const number = rows.length;
  const html = copied
    .replaceAll(`lots.${COPIED}.`, `lots.${number}.`)
    .replaceAll(`ot ${COPIED + 1}`, `ot ${number + 1}`);
  list.insertAdjacentHTML('beforeend', html);
  return register(list.lastElementChild);
}

/** The row below, which is made if there is none. */
const below = (row) => rows[row.number + 1] ?? addRow();

/** Shows the errors of a row by the names of its cells. */
function showErrors(row, errors) {
  for (const input of inputs(row)) {
    const words = errors[input.name];
    const field = input.parentElement;
    field.querySelector('.field-error')?.remove();
    field.classList.toggle('invalid', Boolean(words));
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

function save(row) {
  if (row.waits || isSaved(row) || content(row) === row.refused) return;
  row.waits = true;
  say(row, 'Saving…');
  saving = saving.then(() => {
    row.waits = false;
    return send(row);
  });
}

/** The request that saves a row as it is. */
function request(row) {
  const body = new URLSearchParams();
  for (const input of row.element.querySelectorAll('input[name]')) body.append(input.name, input.value);
  for (const name of ['currencyCode', 'isPublished']) {
    const input = form.elements[name];
    if (input && (input.type !== 'checkbox' || input.checked)) body.append(name, input.value);
  }
  if (row.item) body.append('item', row.item);
  body.append('idempotencyKey', `${key}-${row.number}`);
  return { body, content: content(row) };
}

/** Names the viewer, so that nothing is done in the session of another user, who signed in since. */
const sender = { 'Farthing-For': document.documentElement.dataset.viewer };

/** Whether a request is to be repeated. A connection may also break within the answer. */
const isUnanswered = (answer, told) =>
  !answer || answer.status >= 500 || answer.status === 429 || (answer.ok && !told);

async function send(row) {
  // A request without an answer is repeated as it was: it may have created the lot.
  row.unanswered ??= request(row);
  const { body, content: sent } = row.unanswered;
  const init = { method: 'POST', body, headers: sender, signal: AbortSignal.timeout?.(TIMEOUT) };
  const answer = await fetch(`${location.pathname}/row`, init).catch(() => undefined);
  const told = await answer?.json().catch(() => undefined);
  const isElsewhere = answer?.status === 401 || told?.code === 'OTHER_USER';
  if (isUnanswered(answer, told) || isElsewhere) {
    const why = isElsewhere ? 'sign in again in another tab.' : 'no answer. Trying again…';
    say(row, `Not saved: ${why}`, 'wrong');
    await pause();
    return send(row);
  }
  row.unanswered = undefined;
  if (answer.ok) {
    row.item = told.item;
    row.saved = sent;
    row.refused = undefined;
    showErrors(row, {});
    say(row, `Saved: lot ${told.lotNumber}`, 'saved');
    upload(row);
  } else {
    row.refused = sent;
    showErrors(row, told?.errors ?? {});
    say(row, told?.errors ? 'Not saved' : `Not saved: ${told?.detail ?? 'the server refused it.'}`, 'wrong');
  }
  // What was typed meanwhile.
  if (content(row) !== sent && !row.element.contains(document.activeElement)) save(row);
}

/** Adds pictures to the lot of a row. A row without a name has that of the first file. */
function add(row, files) {
  const name = cell(row, 'name');
  for (const file of files) {
    name.value ||= nameOf(file);
    row.files.push(file);
  }
  save(row);
  upload(row);
}

function upload(row) {
  while (row.item && row.files.length > 0) {
    const file = row.files.shift();
    row.pictures += 1;
    const number = row.pictures;
    sending = sending.then(async () => {
      const fit = await fitting(row, file);
      if (fit) await sendPicture(row, fit, `${key}-${row.number}-${number}`);
    });
  }
}

/** The file, or a smaller picture in place of one that the server would refuse as too large. */
async function fitting(row, file) {
  if (file.size <= BYTES_MAX) return file;
  try {
    const { reduced } = await import(form.dataset.reduce);
    return await reduced(file, BYTES_MAX);
  } catch {
    note(row, `${file.name}: more than 10 MB, and it can’t be made smaller here`);
    return undefined;
  }
}

async function sendPicture(row, file, pictureKey) {
  const body = new FormData();
  body.append('image', file);
  const path = `/api${auction}/items/${row.item}/images`;
  const init = { method: 'POST', body, headers: { 'Idempotency-Key': pictureKey, ...sender } };
  const answer = await fetch(path, init).catch(() => undefined);
  const told = await answer?.json().catch(() => undefined);
  if (isUnanswered(answer, told) || told?.code === 'OTHER_USER') {
    await pause();
    return sendPicture(row, file, pictureKey);
  }
  if (answer.ok) {
    const picture = Object.assign(new Image(48, 48), { src: told.thumbnail, alt: file.name });
    row.element.querySelector('.lot-pictures').append(picture);
  } else {
    note(row, `${file.name}: ${told?.details?.fields?.[0]?.message ?? told?.detail ?? 'refused'}`);
  }
}

/** A line about a picture that is not taken. */
function note(row, words) {
  const line = Object.assign(document.createElement('p'), { className: 'field-error', textContent: words });
  line.setAttribute('role', 'alert');
  row.element.querySelector('.lot-pictures').append(line);
}

const nameOf = (file) => file.name.replace(/\.[^.]*$/, '').replace(/[_\s]+/g, ' ').trim().slice(0, 200);

/** Files find the rows with their names, or else make rows. */
function spread(files) {
  for (const file of files) {
    const name = nameOf(file).toLowerCase();
    const named = rows.find((row) => cell(row, 'name').value.trim().toLowerCase() === name);
    const row = named ?? rows.find((one) => !one.item && isEmpty(one) && one.files.length === 0) ?? addRow();
    if (row) add(row, [file]);
  }
}

/** The cells of a text from a spreadsheet. */
function table(text) {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  if (lines.includes('\t')) return split(lines, '\t');
  // A comma before a space is one of a sentence.
  for (const mark of [';', ',']) {
    const cells = split(lines, mark);
    const isTable = cells[0].length > 1 && cells.every((line) => line.length === cells[0].length);
    if (isTable && !cells.some((line) => line.slice(1).some((text) => text.startsWith(' ')))) return cells;
  }
  return split(lines, '\t');
}

/** Splits a text into lines of cells. In quotes stand separators, line ends and doubled quotes. */
function split(text, mark) {
  const lines = [[]];
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
    lines.at(-1).push((value + text.slice(from, end)).replace(/\s*\n\s*/g, ' '));
    if (text[end] === '\n') lines.push([]);
    from = end + 1;
  }
  return lines;
}

/** Fills rows with pasted cells, from a cell on. A first line of headings says which column is which. */
function fill(row, input, lines) {
  const columns = inputs(row).map(part);
  const label = (one) => one.labels[0].firstChild.textContent.trim().toLowerCase();
  const labels = new Map(inputs(row).map((one) => [label(one), part(one)]));
  const heads = lines[0].map((text) => labels.get(text.trim().toLowerCase()));
  const hasHeads = heads.length > 0 && heads.every(Boolean);
  const parts = hasHeads ? heads : columns.slice(columns.indexOf(part(input)));
  const filled = [];
  let at = row;
  for (const line of hasHeads ? lines.slice(1) : lines) {
    if (!at) break;
    for (const [index, text] of line.entries()) {
      const target = parts[index] && cell(at, parts[index]);
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

list.querySelectorAll('.lot').forEach(register);
form.querySelectorAll('.lot-files').forEach((field) => {
  field.hidden = false;
  const input = field.querySelector('input');
  input.addEventListener('change', () => {
    spread(input.files);
    input.value = '';
  });
});
document.querySelector('.lot-help').hidden = false;
document.querySelector('.lot-later').remove();

/** The column in which a row of Tabs began, to which Enter returns. */
let column = 'name';
let byTab = false;
list.addEventListener('keydown', (event) => {
  byTab = event.key === 'Tab';
  const row = rowOf(event.target);
  if (event.key !== 'Enter' || event.isComposing || !row || event.target.type === 'file') return;
  event.preventDefault();
  const next = below(row);
  byTab = true;
  if (next) cell(next, column).focus();
});
list.addEventListener('focusin', (event) => {
  const row = rowOf(event.target);
  if (!row) return;
  if (!byTab && event.target.name) column = part(event.target);
  byTab = false;
  if (row === rows.at(-1)) addRow();
});
list.addEventListener('focusout', (event) => {
  const row = rowOf(event.target);
  if (row && !row.element.contains(event.relatedTarget)) save(row);
});
list.addEventListener('paste', (event) => {
  const row = rowOf(event.target);
  const text = event.clipboardData.getData('text/plain');
  if (!row || !event.target.name || !/[\t\n]/.test(text.trimEnd())) return;
  event.preventDefault();
  fill(row, event.target, table(text));
});

for (const kind of ['dragenter', 'dragover']) {
  form.addEventListener(kind, (event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    form.querySelector('.dropping')?.classList.remove('dropping');
    (rowOf(event.target)?.element ?? list).classList.add('dropping');
  });
}
form.addEventListener('drop', (event) => {
  form.querySelector('.dropping')?.classList.remove('dropping');
  const files = [...event.dataTransfer.files];
  if (files.length === 0) return;
  event.preventDefault();
  const row = rowOf(event.target);
  if (row) add(row, files);
  else spread(files);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  rows.forEach(save);
  await saving;
  await sending;
  const wrong = form.querySelector('[aria-invalid]');
  if (wrong) wrong.focus();
  else if (rows.every(isSaved) && !form.querySelector('.field-error')) location.assign(auction);
});
addEventListener('beforeunload', (event) => {
  if (!rows.every((row) => isSaved(row) && row.files.length === 0)) event.preventDefault();
});
