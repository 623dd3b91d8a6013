// The field for pictures takes files that are dropped on its form, and makes those smaller that are too
// large. A form of pictures alone sends them one by one and shows how far each is. Without this script forms
// send their pictures at once. Pictures that an item has are sorted by dragging them, or without this script
// by buttons.
const input = document.querySelector('[type="file"][name="image"]');
const form = input?.form;
const list = input?.parentElement.querySelector('.uploads');
const BYTES_MAX = 1e7;

/** Adds a line about a file, which is returned. */
function line(file, words) {
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
 */
async function fitting(file, state) {
  if (file.size <= BYTES_MAX) return file;
  state.textContent = `${file.name}: is made smaller`;
  try {
    const { reduced } = await import(input.dataset.reduce);
    return await reduced(file, BYTES_MAX);
  } catch {
    state.textContent = `${file.name}: not taken, because it has more than 10 MB and can’t be made smaller here`;
    return undefined;
  }
}

/** Puts the files into the field of a form with other fields. */
async function choose(files) {
  const taken = new DataTransfer();
  list.replaceChildren();
  const lines = files.map((file) => [file, line(file, 'chosen')]);
  for (const [file, state] of lines) {
    const fit = await fitting(file, state);
    if (!fit) continue;
    taken.items.add(fit);
    const smaller = fit === file ? '' : ', made smaller';
    state.textContent = `${file.name}: ${Math.ceil(fit.size / 1000)} kB${smaller}`;
  }
  input.files = taken.files;
}

/** Returns the function that chooses files after those before it. The form waits for them. */
function chooser() {
  let waiting = 0;
  let chosen = Promise.resolve();
  form.addEventListener('submit', (event) => {
    if (waiting === 0) return;
    event.preventDefault();
    const { submitter } = event;
    chosen.then(() => form.requestSubmit(submitter));
  });
  return (files) => {
    waiting += 1;
    chosen = chosen.then(() => choose(files())).finally(() => {
      waiting -= 1;
    });
  };
}

async function send(chosen, number, key) {
  const state = line(chosen, 'uploading');
  const file = await fitting(chosen, state);
  if (!file) return false;
  const progress = Object.assign(document.createElement('progress'), { max: 100, value: 0 });
  progress.setAttribute('aria-label', file.name);
  state.after(progress);
  const body = new FormData();
  body.append('image', file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const end = (words, done) => {
      state.textContent = `${file.name}: ${words}`;
      progress.remove();
      resolve(done);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      progress.value = (100 * loaded) / total;
      if (loaded === total) {
        state.textContent = `${file.name}: waiting for the server`;
        progress.removeAttribute('value');
      }
    };
    request.onload = () => {
      if (request.status === 201) return end('added', true);
      let detail = 'The server refused it. Try again.';
      try {
        const problem = JSON.parse(request.responseText);
        detail = problem.details?.fields?.[0]?.message ?? problem.detail;
      } catch {}
      end(detail, false);
    };
    request.onerror = () => end('The connection broke. Try again.', false);
    request.open('POST', form.dataset.upload);
    request.setRequestHeader('Idempotency-Key', `${key}-${number}`);
    request.send(body);
  });
}

/** Returns the function that uploads files at once. */
function uploader() {
  const button = form.querySelector('[type="submit"]');
  const key = form.elements.idempotencyKey.value;
  let sent = 0;
  const upload = async (files) => {
    if (button.disabled) return;
    list.replaceChildren();
    button.disabled = true;
    let all = true;
    for (const file of files) {
      sent += 1;
      all = (await send(file, sent, key)) && all;
    }
    button.disabled = false;
    input.value = '';
    // What was refused stays on the page with its reason.
    if (all) location.assign(form.action);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    upload([...input.files]);
  });
  return upload;
}

if (form) {
  let dropped;
  if (form.dataset.upload) {
    dropped = uploader();
  } else {
    const chooseFiles = chooser();
    dropped = (files) => chooseFiles(() => [...input.files, ...files]);
    input.addEventListener('change', () => {
      const files = [...input.files];
      chooseFiles(() => files);
    });
  }
  for (const kind of ['dragenter', 'dragover']) {
    form.addEventListener(kind, (event) => {
      if (![...event.dataTransfer.types].includes('Files')) return;
      event.preventDefault();
      form.classList.add('dropping');
    });
  }
  for (const kind of ['dragleave', 'drop']) {
    form.addEventListener(kind, () => form.classList.remove('dropping'));
  }
  form.addEventListener('drop', (event) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    dropped(files);
  });
}

const rows = document.querySelector('.pictures[data-order]');
const sorted = Object.assign(document.createElement('p'), { className: 'field-error', role: 'alert' });
let unsorted;
for (const row of rows?.children ?? []) {
  const handle = Object.assign(document.createElement('span'), { className: 'drag', draggable: true, textContent: '⠿' });
  handle.title = 'Drag to sort';
  row.append(handle);
  handle.addEventListener('dragstart', ({ dataTransfer }) => {
    unsorted = [...rows.children];
    dataTransfer.setData('text/plain', row.dataset.id);
    dataTransfer.setDragImage(row.querySelector('img'), 0, 0);
    row.classList.add('dragged');
  });
  handle.addEventListener('dragend', async () => {
    row.classList.remove('dragged');
    const order = [...rows.children].map(({ dataset }) => dataset.id);
    // Nothing is done in the session of another user, who signed in since.
    const sender = document.documentElement.dataset.viewer;
    const headers = { 'Content-Type': 'application/json', 'Farthing-For': sender };
    const init = { method: 'PATCH', headers, body: JSON.stringify({ order }), keepalive: true };
    const answer = await fetch(rows.dataset.order, init).catch(() => undefined);
    // The rows are numbered.
    if (answer?.ok) return location.reload();
    const told = await answer?.json().catch(() => undefined);
    rows.replaceChildren(...unsorted);
    sorted.textContent = `Not sorted: ${told?.detail ?? 'no answer. Try again.'}`;
    rows.after(sorted);
  });
}
rows?.addEventListener('dragover', (event) => {
  const dragged = rows.querySelector('.dragged');
  const over = event.target.closest('.pictures-row');
  if (!dragged || !over) return;
  event.preventDefault();
  if (over === dragged) return;
  const follows = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
  if (follows) over.after(dragged);
  else over.before(dragged);
});
