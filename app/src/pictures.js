// Sends chosen or dropped pictures one by one and shows how far each is. Without this script the form sends them all at once.
const form = document.querySelector('form[data-upload]');
const input = form.querySelector('[type="file"]');
const list = form.querySelector('.uploads');
const button = form.querySelector('[type="submit"]');
const key = form.elements.idempotencyKey.value;
let sent = 0;

function send(file, number) {
  const progress = Object.assign(document.createElement('progress'), { max: 100, value: 0 });
  const row = document.createElement('li');
  const state = document.createElement('span');
  state.textContent = `${file.name}: uploading`;
  progress.setAttribute('aria-label', file.name);
  row.append(state, progress);
  list.append(row);
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

async function upload(files) {
  list.replaceChildren();
  button.disabled = true;
  let all = true;
  for (const file of files) {
    sent += 1;
    all = (await send(file, sent)) && all;
  }
  button.disabled = false;
  input.value = '';
  // What was refused stays on the page with its reason.
  if (all) location.assign(form.action);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!button.disabled) upload([...input.files]);
});
for (const kind of ['dragenter', 'dragover']) {
  form.addEventListener(kind, (event) => {
    event.preventDefault();
    form.classList.add('dropping');
  });
}
for (const kind of ['dragleave', 'drop']) {
  form.addEventListener(kind, () => form.classList.remove('dropping'));
}
form.addEventListener('drop', (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length > 0 && !button.disabled) upload(files);
});
