// What changes on a page by itself. Streams of server-sent events are followed here only, over the connection
// of the browser (`connection.js`): islands follow theirs through `liveEvents`. Without an island, the bell
// counts notifications, and parts of class `live`, which only the server can render, are copied from a newer
// version of the page.
import { copyParts, requestPage } from './refresh.js';

const { viewer } = document.documentElement.dataset;
const keepsCalls = document.querySelector('meta[name="outbox"]') !== null;

/** How often a visible window says what it follows, which the connection answers. */
const BEAT_MS = 300;
/** Beats without an answer: the connection is dead, such as after a crash of its process. */
const UNANSWERED_MAX = 3;
/** Connections that never answer: the browser can't share one. */
const SILENT_MAX = 10;
/** Within this time the pages of an item that closes request themselves. */
const SPREAD_MS = 500;
/** Another user has signed in. */
const OTHER_USER = 409;
/** Nobody is signed in. */
const SIGNED_OUT = 401;

/** @type {Set<{ url: string, listener: StreamListener }>} */
const followed = new Set();
/**
 * By the numbers that the connection knows them by. A stream that it is told of again gets another number:
 * what is still on its way under the first one is sent again.
 * @type {Map<number, { url: string, listener: StreamListener }>}
 */
let streams = new Map();
let lastNumber = 0;
/** @type {MessagePort | undefined} */
let port;
let unanswered = 0;
let silent = 0;
let isShared = 'SharedWorker' in globalThis;

const say = () => port?.postMessage(Array.from(streams, ([number, { url }]) => [number, viewer ? `${viewer} ${url}` : url]));

/** Follows everything anew, or nothing while the page is hidden: many hidden pages would cost the server. */
const sayAgain = () => {
  const shown = document.hidden ? [] : [...followed];
  streams = new Map(shown.map((stream) => [(lastNumber += 1), stream]));
  say();
};

/** @param {SharedEvent} event */
const hear = ({ number = 0, type, data, lastEventId, isRefused, status }) => {
  unanswered = 0;
  silent = 0;
  const stream = streams.get(number);
  if (!stream) return;
  // A later connection begins after the last event.
  if (lastEventId) stream.url = stream.url.replace(/after=.*/, `after=${lastEventId}`);
  if (status === OTHER_USER && news) changes += 1;
  // Only the server knows what the end means for the viewer. All who look on do not ask in one moment.
  if (panel && data?.includes('"status":"CLOSED"')) setTimeout(show, SPREAD_MS * Math.random(), type, data);
  if (type !== 'message') stream.listener({ type, data, lastEventId, target: { readyState: isRefused ? 2 : 0, url: stream.url } });
};

/** @param {MessagePort} next */
const use = (next) => {
  port?.postMessage([]);
  port?.close();
  port = next;
  port.onmessage = ({ data }) => next === port && hear(data);
  sayAgain();
};

const connect = async () => {
  unanswered = 0;
  isShared &&= (silent += 1) <= SILENT_MAX;
  try {
    if (isShared) {
      const worker = new SharedWorker(new URL('./connection.js', import.meta.url));
      worker.onerror = () => (isShared = false);
      return use(worker.port);
    }
  } catch {
    isShared = false;
  }
  await import('./connection.js');
  const { port1, port2 } = new MessageChannel();
  globalThis.onconnect({ ports: [port2] });
  use(port1);
};

const beat = async () => {
  if (!streams.size) return;
  if (unanswered >= UNANSWERED_MAX) return connect();
  unanswered += 1;
  say();
};

/**
 * Follows a stream while the page is visible. The listener gets its events, and `open` and `error` of each
 * connection. Returns a function that ends it.
 * @param {string} url
 * @param {StreamListener} listener
 */
export const follow = (url, listener) => {
  const stream = { url, listener };
  if (!followed.size) {
    document.addEventListener('visibilitychange', sayAgain);
    setInterval(() => beat().catch(() => {}), BEAT_MS);
    connect().catch(() => {});
  }
  followed.add(stream);
  if (!document.hidden) streams.set((lastNumber += 1), stream);
  say();
  return () => {
    followed.delete(stream);
    for (const [number, other] of streams) if (other === stream) streams.delete(number);
    say();
  };
};

const news = document.getElementById('live-news');
const panel = document.querySelector('.bid-panel');
const bell = document.getElementById('bell');
const count = bell?.querySelector('.bell-count');
const funds = document.getElementById('own-funds');
let unread = Number(bell?.dataset.count);
let lastFunds = funds?.dataset.shown;
let lastRun = news?.dataset.shown;

// The number of changes that there were, and of those that the page shows. A page that the browser has kept
// may lack some.
let changes = 'kept' in document.documentElement.dataset ? 1 : 0;
let shown = 0;
let isRefreshing = false;
/** @type {string | undefined} */
let islandState;
/** @type {Set<StateListener>} */
const listeners = new Set();

/**
 * Passes the state of the page's island to the listener after each refresh, and at once if there was one: an
 * island may start later. Returns a function that ends this.
 * @param {StateListener} listener
 */
const onRefresh = (listener) => {
  listeners.add(listener);
  if (islandState) listener({ data: islandState });
  return () => void listeners.delete(listener);
};

/** @param {boolean} isStale */
const showStale = (isStale) => {
  if (news) news.textContent = isStale ? news.dataset.stale ?? '' : '';
};

/** Requests the page until it shows all changes. The event `refreshed` has the status of the answer, or 0. */
const refresh = async () => {
  if (isRefreshing) return;
  isRefreshing = true;
  /** @type {number | undefined} */
  let status;
  try {
    while (shown < changes) {
      const newest = changes;
      const asked = location.href;
      status = 0;
      const { response, newer } = await requestPage();
      // The desk of a clerk whose session has ended keeps what is typed, and says why it is out of date.
      status = keepsCalls && response.redirected ? SIGNED_OUT : response.status;
      if (status === SIGNED_OUT) throw new Error('The session has ended.');
      // What it shows has ended.
      if (status === 404 && news?.dataset.stream) return location.reload();
      if (!response.ok) throw new Error(response.statusText);
      // Another user has signed in.
      const { viewer } = newer.documentElement.dataset;
      if (viewer && viewer !== document.documentElement.dataset.viewer) return location.reload();
      // The page shows something else by now.
      if (location.href !== asked) continue;
      shown = newest;
      // Parts have come or gone. On other pages a reload would lose what is typed.
      if (!copyParts(newer) && news) location.reload();
      islandState = newer.getElementById('island-state')?.textContent ?? undefined;
      if (islandState) for (const listener of listeners) listener({ data: islandState });
    }
    showStale(false);
  } catch {
    showStale(true);
  }
  isRefreshing = false;
  if (status !== undefined) dispatchEvent(new CustomEvent('refreshed', { detail: status }));
};

/**
 * @param {string} type
 * @param {unknown} isChange
 */
const show = (type, isChange) => {
  if (type === 'error') return showStale(true);
  if (isChange) changes += 1;
  refresh();
};

const countNotification = () => {
  unread += 1;
  if (!bell || !count) return;
  count.textContent = unread > 99 ? '99+' : `${unread}`;
  count.hidden = false;
  bell.setAttribute('aria-label', `Notifications, ${count.textContent} unread`);
};

/**
 * Whether the heading of the page shows another balance.
 * @param {string} data
 */
const changesFunds = (data) => {
  /** @type {{ bookId: string, balance: string, committed: string, available: string }} */
  const { bookId, balance, committed, available } = JSON.parse(data);
  const newest = [balance, committed, available].join(' ');
  if (bookId !== funds?.dataset.book || newest === lastFunds) return false;
  lastFunds = newest;
  return true;
};

/** @type {StreamListener} */
const hearOwn = ({ type, data = '' }) => {
  if (type === 'notification') countNotification();
  if (news && !news.dataset.run) show(type, data);
  else if (type === 'balance') show(type, changesFunds(data));
};

/**
 * The first event of each connection is the current state of the run.
 * @type {StreamListener}
 */
const hearRun = ({ type, data, lastEventId }) => {
  show(type, data && lastEventId !== lastRun);
  if (data) lastRun = lastEventId;
};

/**
 * A broken connection may have lost a change, or the page may be gone.
 * @type {StreamListener}
 */
const hearStream = ({ type, data }) => {
  if (type === news?.dataset.ignores || !document.querySelector('.live')) return;
  if (type === 'error') showStale(true);
  if (data || type === 'error') changes += 1;
  refresh();
};

globalThis.liveEvents = { follow, onRefresh };
if (bell?.dataset.after) follow(`/api/user/events?after=${bell.dataset.after}`, hearOwn);
if (news?.dataset.run) follow(news.dataset.run, hearRun);
if (news?.dataset.every) {
  setInterval(() => document.hidden || show('every', true), Number(news.dataset.every) * 1_000);
}
if (news?.dataset.stream) follow(news.dataset.stream, hearStream);
