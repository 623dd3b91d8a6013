// Keeps what a clerk has entered in this browser until the server has answered it, and sends it in order, one
// tab at a time, each call with its idempotency key: a lost network, a reload or an empty battery loses
// nothing, and nothing counts twice. The island of the clerk's page shows the calls and adds them; on other
// pages `unsent.js` says how many there are.

const RETRY_MS = 3_000;
const TIMEOUT_MS = 15_000;
/** Longer than another tab takes to send a call. */
const LOCK_TIMEOUT_MS = 20_000;
/** Answered calls are kept until a page shows their outcomes. */
const SENT_MAX = 20;
/** The first status of a gateway whose server is down. */
const DOWN = 502;
/** The server does not show the page to this user. */
const REFUSED = [401, 403, 404];
/** The server may answer later what it answers so now. */
const TEMPORARY = [408, 425, 429];

const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const opened = (() => {
  const opening = indexedDB.open('outbox', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('calls', { keyPath: 'order', autoIncrement: true });
  };
  return settled(opening);
})();
// Who adds a call learns of the failure.
opened.catch(() => {});

/** Runs `work` in a transaction. Resolves with its result once that is on the disk. */
const change = async (work) => {
  const transaction = (await opened).transaction('calls', 'readwrite', { durability: 'strict' });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const [result] = await Promise.all([work(transaction.objectStore('calls')), done]);
  return result;
};

/** The calls of the page, in order. */
const mine = async (store) => (await settled(store.getAll())).filter(({ place }) => isMine(place));
const calls = async () => mine((await opened).transaction('calls').objectStore('calls'));

// Another tab of this browser shows and sends the same calls.
const tabs = new BroadcastChannel('outbox');
const listeners = new Set();
const root = document.documentElement;
/** Id of the user whose page this is. Without one nothing is sent. */
const { viewer } = root.dataset;
const isOfViewer = (of) => of.endsWith(` ${viewer}`);
/** Where calls are added: an auction and its clerk. */
let place;
/** Whether the calls of a place belong to the page. */
let isMine = () => false;
/** Whether the page is the copy that the browser has kept (`worker.js`). */
let isKept = 'kept' in root.dataset;
let pageTrouble = isKept ? 'OFFLINE' : null;
let sendTrouble = null;
let isSending = false;
/** Calls were added while others were sent. */
let hasMore = false;
let retry;

const state = ({ reason, attempted, isSent }) => {
  if (isSent) return 'SENT';
  if (reason !== undefined) return 'REFUSED';
  return attempted ? 'SENDING' : 'WAITING';
};

const show = async () => {
  const kept = (await calls()).map((call) => ({ ...call, state: state(call) }));
  const data = JSON.stringify({ calls: kept, trouble: sendTrouble ?? pageTrouble });
  for (const listener of listeners) listener({ data });
};

/** Changes calls, and shows the change here and in other tabs. */
const update = async (work) => {
  const result = await change(work);
  tabs.postMessage('changed');
  await show();
  return result;
};

/** The words of a refusal. */
const reasonOf = async (response) => {
  const { detail, details } = await response.json().catch(() => ({}));
  const words = details?.violations?.map(({ message }) => message)
    ?? details?.fields?.map(({ path, message }) => `${path} ${message}`);
  return words?.length ? words.join(' ') : detail ?? `The server answered ${response.status}.`;
};

const troubleOf = (status) => {
  if (status === 401) return 'SIGNED_OUT';
  return status === 0 || status >= DOWN ? 'OFFLINE' : null;
};

/** Whether the user of the page is signed in again. */
const isBack = async () => {
  const response = await fetch('/api/user', { signal: AbortSignal.timeout?.(TIMEOUT_MS) }).catch(() => null);
  return response?.ok && (await response.json()).user.id === viewer;
};

/** Runs `work` while no other tab sends a call. */
const alone = async (work) => {
  // Only secure origins have locks. Elsewhere two tabs may send the same call, which counts once.
  if (!navigator.locks) return work();
  const signal = AbortSignal.timeout?.(LOCK_TIMEOUT_MS);
  try {
    return await navigator.locks.request('outbox', { signal }, work);
  } catch (error) {
    if (error !== signal?.reason) throw error;
    // The browser has suspended the tab that holds the lock.
    return work();
  }
};

/** Sends the first call that waits. Returns in how many milliseconds the next one is to be sent. */
const sendNext = async () => {
  const next = (await calls()).find((call) => ['WAITING', 'SENDING'].includes(state(call)));
  if (!next) return Infinity;
  if (sendTrouble === 'SIGNED_OUT' && !await isBack()) return RETRY_MS;
  const { order, path, key, body } = next;
  const isKept = await update(async (store) => {
    const call = await settled(store.get(order));
    if (call) store.put({ ...call, attempted: true });
    return Boolean(call);
  });
  // It was taken back.
  if (!isKept) return 0;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const signal = AbortSignal.timeout?.(TIMEOUT_MS);
  let response;
  try {
    response = await fetch(path, { method: 'POST', headers, body, signal });
  } catch {
    sendTrouble = 'OFFLINE';
    return RETRY_MS;
  }
  sendTrouble = troubleOf(response.status);
  if (sendTrouble || response.status >= 500 || TEMPORARY.includes(response.status)) {
    return Number(response.headers.get('Retry-After')) * 1_000 || RETRY_MS;
  }
  const reason = response.ok ? undefined : await reasonOf(response);
  await update(async (store) => {
    const call = await settled(store.get(order));
    if (call) store.put({ ...call, reason, isSent: response.ok });
    const sent = (await mine(store)).filter(({ isSent }) => isSent);
    for (const old of sent.slice(0, -SENT_MAX)) store.delete(old.order);
  });
  return 0;
};

/** Sends what waits, one after the other. */
const sendAll = async () => {
  clearTimeout(retry);
  hasMore = isSending;
  if (isSending) return;
  isSending = true;
  let wait = viewer ? 0 : Infinity;
  try {
    while (wait === 0 || hasMore) {
      hasMore = false;
      if (navigator.onLine) {
        wait = await alone(sendNext);
      } else {
        sendTrouble = 'OFFLINE';
        wait = RETRY_MS;
      }
    }
  } catch {
    wait = RETRY_MS;
  }
  isSending = false;
  if (wait === Infinity) sendTrouble = null;
  else retry = setTimeout(sendAll, wait);
  // A browser that keeps nothing has nothing to show.
  await show().catch(() => {});
};

/** Shows calls to the listener, forgets answered ones that no kept page lacks, and sends those that wait. */
const start = async (listener, isShown) => {
  listeners.add(listener);
  await update(async (store) => {
    for (const { order, place, isSent } of await settled(store.getAll())) {
      if (isSent && (isShown(place) || !isOfViewer(place))) store.delete(order);
    }
  });
  await sendAll();
};

globalThis.outbox = {
  /** Shows the calls of a place, the auction and its clerk. Returns a function that ends this. */
  follow(own, listener) {
    place = own;
    isMine = (other) => other === own;
    // A page that is not the kept one was requested after the answers.
    start(listener, (other) => !isKept && isMine(other)).catch(() => {});
    return () => listeners.delete(listener);
  },
  /** Shows the calls of the viewer of a page without a desk; without a viewer those of all users. */
  async watch(listener) {
    isMine = (other) => !viewer || isOfViewer(other);
    await start(listener, () => false);
  },
  /** Keeps a call: JSON with its `path`, `key` and `body`. Resolves once it is on the disk. */
  async add(call) {
    await update((store) => settled(store.add({ ...JSON.parse(call), place })));
    sendAll();
  },
  /** Takes a call back. Resolves to whether the server can't have it. */
  async remove(order) {
    return update(async (store) => {
      const call = await settled(store.get(order));
      if (!call || !['WAITING', 'REFUSED'].includes(state(call))) return false;
      await settled(store.delete(order));
      return true;
    });
  },
};

tabs.addEventListener('message', () => {
  show().catch(() => {});
  if (isSending) return;
  // The other tab sends. This one goes on if that is closed.
  clearTimeout(retry);
  retry = setTimeout(sendAll, RETRY_MS);
});
addEventListener('online', () => sendAll());
addEventListener('offline', () => sendAll());
// `live.js` has requested the page again.
addEventListener('refreshed', ({ detail: status }) => {
  // The kept page is not for this session any more.
  if (isKept && REFUSED.includes(status)) return location.reload();
  if (status === 200) isKept = false;
  pageTrouble = troubleOf(status);
  sendAll();
});
// A kept page is that of the clerk's path alone.
if (isKept) history.replaceState(null, '', location.pathname);

// A reload without a network shows the kept page. Only secure origins have workers.
const { worker } = document.querySelector('[data-worker]')?.dataset ?? {};
if (worker) navigator.serviceWorker?.register(worker, { scope: location.pathname }).catch(() => {});
