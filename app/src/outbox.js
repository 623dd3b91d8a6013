// Keeps what a clerk has entered in this browser until the server has answered it, and sends it in order, one
// tab at a time, each call with its idempotency key: a lost network, a reload or an empty battery loses
// nothing, and nothing counts twice. The island of the clerk's page shows the calls and adds them.

const RETRY_MS = 3_000;
const TIMEOUT_MS = 15_000;
/** Longer than another tab takes to send a call. */
const LOCK_TIMEOUT_MS = 20_000;
/** Answered calls are shown until the page shows their outcomes. */
const SENT_MAX = 20;
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
const calls = async () => {
  const store = (await opened).transaction('calls').objectStore('calls');
  return (await settled(store.getAll())).filter((call) => call.place === place);
};

// Another tab of this browser shows and sends the same calls.
const tabs = new BroadcastChannel('outbox');
const listeners = new Set();
const sent = [];
let place;
let trouble = null;
let isSending = false;
/** Calls were added while others were sent. */
let hasMore = false;
let retry;

const state = ({ reason, attempted }) => {
  if (reason !== undefined) return 'REFUSED';
  return attempted ? 'SENDING' : 'WAITING';
};

const show = async () => {
  const kept = (await calls()).map((call) => ({ ...call, state: state(call) }));
  const all = { calls: [...kept, ...sent.map((call) => ({ ...call, state: 'SENT' }))], trouble };
  for (const listener of listeners) listener({ data: JSON.stringify(all) });
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
  const next = (await calls()).find(({ reason }) => reason === undefined);
  if (!next) return Infinity;
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
    trouble = 'OFFLINE';
    return RETRY_MS;
  }
  trouble = response.status === 401 ? 'SIGNED_OUT' : null;
  if (trouble || response.status >= 500 || TEMPORARY.includes(response.status)) {
    return Number(response.headers.get('Retry-After')) * 1_000 || RETRY_MS;
  }
  const reason = response.ok ? undefined : await reasonOf(response);
  await update(async (store) => {
    const call = await settled(store.get(order));
    if (!call) return;
    if (response.ok) {
      store.delete(order);
      sent.push(call);
      sent.splice(0, sent.length - SENT_MAX);
    } else {
      store.put({ ...call, reason });
    }
  });
  return 0;
};

/** Sends what waits, one after the other. */
const sendAll = async () => {
  clearTimeout(retry);
  hasMore = isSending;
  if (isSending) return;
  isSending = true;
  let wait = 0;
  try {
    while (wait === 0 || hasMore) {
      hasMore = false;
      if (navigator.onLine) {
        wait = await alone(sendNext);
      } else {
        trouble = 'OFFLINE';
        wait = RETRY_MS;
      }
    }
  } finally {
    isSending = false;
  }
  if (wait === Infinity) trouble = null;
  else retry = setTimeout(sendAll, wait);
  await show();
};

globalThis.outbox = {
  /** Shows the calls of a place, the auction and its clerk. Returns a function that ends this. */
  follow(of, listener) {
    place = of;
    listeners.add(listener);
    sendAll().catch(() => {});
    return () => listeners.delete(listener);
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
      if (!call || state(call) === 'SENDING') return false;
      await settled(store.delete(order));
      return true;
    });
  },
};

tabs.addEventListener('message', () => {
  show();
  if (isSending) return;
  // The other tab sends. This one goes on if that is closed.
  clearTimeout(retry);
  retry = setTimeout(sendAll, RETRY_MS);
});
addEventListener('online', () => sendAll());
addEventListener('offline', () => sendAll());
