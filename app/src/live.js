// What changes on a page by itself. Streams of server-sent events are opened here only: islands follow theirs
// through `liveEvents`. Without an island, the bell counts notifications, and parts of class `live`, which
// only the server can render, are copied from a newer version of the page.
import { copyParts, requestPage } from './refresh.js';

const KINDS = ['open', 'error', 'notification', 'balance', 'item', 'bid', 'withdrawn', 'gone', 'reset', 'block', 'order', 'change', 'run'];
const RETRY_EVERY = 5_000;

/**
 * Keeps a stream open while the page is visible: many hidden tabs would use up the connections of the
 * browser. The listener gets its events, and `open` and `error` of each connection. Returns a function that
 * ends it.
 * @param {string} url
 * @param {StreamListener} listener
 */
export const follow = (url, listener) => {
  /** @type {EventSource | undefined} */
  let stream;
  /** @type {StreamListener} */
  const hear = (event) => {
    // A later connection begins after the last event.
    if (event.lastEventId) url = url.replace(/after=.*/, `after=${event.lastEventId}`);
    listener(event);
  };
  const close = () => {
    stream?.close();
    stream = undefined;
  };
  const connect = () => {
    if (document.hidden) {
      close();
    } else if (!stream || stream.readyState === EventSource.CLOSED) {
      stream = new EventSource(url);
      for (const kind of KINDS) stream.addEventListener(kind, hear);
    }
  };
  connect();
  document.addEventListener('visibilitychange', connect);
  // The browser itself reconnects a broken stream, but not a refused one.
  const retry = setInterval(connect, RETRY_EVERY);
  return () => {
    close();
    document.removeEventListener('visibilitychange', connect);
    clearInterval(retry);
  };
};

const news = document.getElementById('live-news');
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
      ({ status } = response);
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
const hearOwn = ({ type, data }) => {
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
