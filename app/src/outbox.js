// Keeps what a clerk has entered in this browser until the server has answered it, and sends it in order, one
// tab at a time, each call with its idempotency key: a lost network, a reload or an empty battery loses
// nothing, and nothing counts twice. The island of the clerk's page shows the calls and adds them; on other
// pages `unsent.js` says how many there are.

import { reasonOf, request, told } from './send.js';

const RETRY_MS = 3_000;
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
/** Why calls wait for the session of the user who entered them. */
/** @type {(Trouble | null)[]} */
const WITHOUT_SESSION = ['SIGNED_OUT', 'OTHER_USER'];

/**
 * @template T
 * @param {IDBRequest<T>} asked
 * @returns {Promise<T>}
 */
const settled = (asked) => new Promise((resolve, reject) => {
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
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

/**
 * Runs `work` in a transaction. Resolves with its result once that is on the disk.
 * @template T
 * @param {(store: IDBObjectStore) => Promise<T>} work
 */
const change = async (work) => {
  const transaction = (await opened).transaction('calls', 'readwrite', { durability: 'strict' });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error);
  });
  const [result] = await Promise.all([work(transaction.objectStore('calls')), done]);
  return result;
};

/**
 * All calls, in order.
 * @returns {Promise<KeptCall[]>}
 */
const all = async () => settled((await opened).transaction('calls').objectStore('calls').getAll());
/**
 * The calls of the page, in order.
 * @template {KeptCall} C
 * @param {C[]} calls
 */
const mine = (calls) => calls.filter(({ place }) => isMine(place));

// Another tab of this browser shows and sends the same calls.
const tabs = new BroadcastChannel('outbox');
/** @type {Set<CallsListener>} */
const listeners = new Set();
const root = document.documentElement;
/** Id of the user whose page this is. Without one nothing is sent. */
const { viewer } = root.dataset;
/**
 * Id of the user who entered the calls of a place.
 * @param {string} place
 */
const clerkOf = (place) => place.split(' ')[1] ?? '';
/** @param {string} of */
const isOfViewer = (of) => clerkOf(of) === viewer;
/**
 * Where the desk of the page adds calls: an auction and its clerk.
 * @type {string | undefined}
 */
let place;
/**
 * Whether the page shows and sends the calls of a place.
 * @param {string} of
 */
const isMine = (of) => place ? of === place : isOfViewer(of);
/** Whether the page is the copy that the browser has kept (`worker.js`). */
let isKept = 'kept' in root.dataset;
/** @type {Trouble | null} */
let pageTrouble = isKept ? 'OFFLINE' : null;
/** @type {Trouble | null} */
let sendTrouble = null;
let isSending = false;
/** Calls were added while others were sent. */
let hasMore = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;

/**
 * @param {KeptCall} call
 * @returns {CallState}
 */
const state = ({ reason, attempted, isSent }) => {
  if (isSent) return 'SENT';
  if (reason !== undefined) return 'REFUSED';
  return attempted ? 'SENDING' : 'WAITING';
};

const show = async () => {
  const calls = (await all()).map((call) => ({ ...call, state: state(call) }));
  const trouble = sendTrouble ?? pageTrouble;
  for (const listener of listeners) listener(calls, trouble);
};

/**
 * Changes calls, and shows the change here and in other tabs.
 * @template T
 * @param {(store: IDBObjectStore) => Promise<T>} work
 */
const update = async (work) => {
  const result = await change(work);
  tabs.postMessage('changed');
  await show();
  return result;
};

/**
 * @param {number} status
 * @returns {Trouble | null}
 */
const troubleOf = (status) => {
  if (status === 401) return 'SIGNED_OUT';
  return status === 0 || status >= DOWN ? 'OFFLINE' : null;
};

/**
 * Sends a request for the user who entered the call: the server refuses it in the session of another one.
 * @param {string} clerk
 * @param {string} path
 * @param {RequestInit} [init]
 */
const send = (clerk, path, init = {}) => request(path, {
  ...init,
  headers: { Accept: 'application/json', ...init.headers, 'Farthing-For': clerk },
});

/**
 * Whether the server has refused the session, since it is that of another user.
 * @param {Response} response
 */
const isOther = async (response) => {
  if (response.status !== 409) return false;
  /** @type {Problem | undefined} */
  const problem = await told(response.clone());
  return problem?.code === 'OTHER_USER';
};

/**
 * Whether the user who entered the call is signed in again. Says otherwise what the session is now.
 * @param {string} clerk
 */
const isBack = async (clerk) => {
  const answer = await send(clerk, '/api/user').catch(() => null);
  if (answer && !answer.ok) sendTrouble = await isOther(answer) ? 'OTHER_USER' : troubleOf(answer.status) ?? sendTrouble;
  return answer?.ok;
};

/**
 * Runs `work` while no other tab sends a call.
 * @template T
 * @param {() => Promise<T>} work
 */
const alone = async (work) => {
  // Only secure origins have locks. Elsewhere two tabs may send the same call, which counts once.
  if (!navigator.locks) return work();
  /** @type {AbortSignal | undefined} */
  const signal = AbortSignal.timeout?.(LOCK_TIMEOUT_MS);
  try {
    return await navigator.locks.request('outbox', signal ? { signal } : {}, work);
  } catch (error) {
    if (error !== signal?.reason) throw error;
    // The browser has suspended the tab that holds the lock.
    return work();
  }
};

/** Sends the first call that waits. Returns in how many milliseconds the next one is to be sent. */
const sendNext = async () => {
  const next = mine(await all()).find((call) => ['WAITING', 'SENDING'].includes(state(call)));
  if (!next) return Infinity;
  const { order, path, key, body } = next;
  const clerk = clerkOf(next.place);
  if (WITHOUT_SESSION.includes(sendTrouble) && !await isBack(clerk)) return RETRY_MS;
  const isKept = await update(async (store) => {
    /** @type {KeptCall | undefined} */
    const call = await settled(store.get(order));
    if (call) store.put({ ...call, attempted: true });
    return Boolean(call);
  });
  // It was taken back.
  if (!isKept) return 0;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  let response;
  try {
    response = await send(clerk, path, { method: 'POST', headers, body });
  } catch {
    sendTrouble = 'OFFLINE';
    return RETRY_MS;
  }
  sendTrouble = await isOther(response) ? 'OTHER_USER' : troubleOf(response.status);
  if (sendTrouble || response.status >= 500 || TEMPORARY.includes(response.status)) {
    return Number(response.headers.get('Retry-After')) * 1_000 || RETRY_MS;
  }
  const reason = response.ok ? undefined : await reasonOf(response);
  await update(async (store) => {
    /** @type {KeptCall | undefined} */
    const call = await settled(store.get(order));
    if (call) store.put({ ...call, reason, isSent: response.ok });
    /** @type {KeptCall[]} */
    const kept = await settled(store.getAll());
    const sent = mine(kept).filter(({ isSent }) => isSent);
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

/**
 * Shows calls to the listener, forgets answered ones that no kept page lacks, and sends those that wait.
 * @param {CallsListener} listener
 * @param {(place: string) => boolean} isShown
 */
const start = async (listener, isShown) => {
  listeners.add(listener);
  await update(async (store) => {
    /** @type {KeptCall[]} */
    const kept = await settled(store.getAll());
    for (const { order, place, isSent } of kept) {
      if (isSent && (isShown(place) || !isOfViewer(place))) store.delete(order);
    }
  });
  await sendAll();
};

/**
 * Passes the calls of all users to the listener, those that the page shows itself apart.
 * @param {(calls: ShownCall[]) => void} listener
 */
export const watch = async (listener) => {
  await start((calls) => listener(place ? calls.filter((call) => !isMine(call.place)) : calls), () => false);
};

/** The clerk of this page, and its service worker. */
const clerk = document.querySelector('meta[name="outbox"]')?.dataset;

globalThis.outbox = {
  /** Shows the calls of a place, the auction and its clerk. Returns a function that ends this. */
  follow(own, onState) {
    place = own;
    /** @type {CallsListener} */
    const listener = (calls, trouble) => onState({ data: JSON.stringify({ calls: mine(calls), trouble }) });
    // A page that is not the kept one was requested after the answers.
    start(listener, (other) => !isKept && isMine(other)).catch(() => {});
    return () => void listeners.delete(listener);
  },
  /** Keeps a call: JSON with its `path`, `key` and `body`. Resolves once it is on the disk. */
  async add(call) {
    /** @type {Pick<KeptCall, 'path' | 'key' | 'body'>} */
    const entered = JSON.parse(call);
    await update((store) => {
      const added = settled(store.add({ ...entered, place, clerk: clerk?.clerk }));
      // A page that is left before the answer would take the call along.
      store.transaction.commit();
      return added;
    });
    sendAll();
  },
  /** Takes a call back. Resolves to whether the server can't have it. */
  async remove(order) {
    return update(async (store) => {
      /** @type {KeptCall | undefined} */
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
addEventListener('refreshed', (event) => {
  const { detail: status } = /** @type {CustomEvent<number>} */ (event);
  // The kept page is not for this session any more.
  if (isKept && REFUSED.includes(status)) return location.reload();
  if (status === 200) isKept = false;
  pageTrouble = troubleOf(status);
  sendAll();
});
// A kept page is that of the clerk's path alone.
if (isKept) history.replaceState(null, '', location.pathname);

// A reload without a network shows the kept page. Only secure origins have workers.
if (clerk?.worker) navigator.serviceWorker?.register(clerk.worker, { scope: location.pathname }).catch(() => {});
