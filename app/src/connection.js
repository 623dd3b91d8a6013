// The connection over which all windows of a browser follow their streams: over HTTP/1.1 a browser has six
// connections to a server, of which each window would occupy one. It runs as a shared worker, which lives as
// long as any window, so that the windows elect no leader, and a window that dies takes no stream with it.
// Browsers have shared workers without https too, where they have no Web Locks. Where there is none (Chrome
// of Android, Safari before 16) each visible window runs this script itself.

const KINDS = ['notification', 'balance', 'item', 'bid', 'withdrawn', 'gone', 'reset', 'block', 'order', 'change', 'run', 'message', 'end'];
/** Before a broken connection or an ended stream is asked for again. */
const RETRY_MS = 1_000;
/** Before a refused stream is asked for again. */
const REFUSED_MS = 5_000;
/** The streams of a page begin together. */
const TOGETHER_MS = 10;
/** How long a stream that no window follows any more may stay in the connection. */
const UNUSED_MS = 10_000;
/** A window says every 300 ms what it follows. One that has died does not say so. */
const SILENT_MS = 10_000;
/** As many as the server combines. */
const STREAMS_MAX = 32;

/**
 * A stream that a window follows, and its address from the last event on that the window was told of.
 * @typedef {{ port: MessagePort, number: number, address: string, isRefused?: boolean }} Followed
 */

/** @type {Map<MessagePort, { heard: number, streams: Map<number, Followed> }>} */
const windows = new Map();
/** @type {EventSource | undefined} */
let source;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let due = 0;

const all = () => [...windows.values()].flatMap(({ streams }) => [...streams.values()]);

/** @param {string[]} addresses */
const url = (addresses) => `/api/events?${new URLSearchParams(addresses.map((address) => ['stream', address]))}`;

/**
 * Tells windows of an event of a stream that they still follow.
 * @param {Followed[]} streams
 * @param {object} event
 */
const tell = (streams, event) => {
  for (const stream of streams) {
    const { port, number } = stream;
    if (windows.get(port)?.streams.get(number) === stream) port.postMessage({ number, ...event });
  }
};

/** @param {number} delay */
const connectIn = (delay) => {
  const at = Date.now() + delay;
  if (timer && due <= at) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(connect, delay);
};

/**
 * @param {Followed[]} streams
 * @param {number} [status]
 */
const refuse = (streams, status) => {
  for (const stream of streams) stream.isRefused = true;
  tell(streams, { type: 'error', isRefused: true, status });
};

/** Opens the connection anew, with the streams that windows follow now. Each goes on where it was. */
const connect = () => {
  timer = undefined;
  source?.close();
  source = undefined;
  const followed = all().filter(({ isRefused }) => !isRefused);
  const addresses = [...new Set(followed.map(({ address }) => address))].slice(0, STREAMS_MAX);
  if (!addresses.length) return;
  const carried = addresses.map((address) => followed.filter((stream) => stream.address === address));
  const opened = new EventSource(url(addresses));
  source = opened;
  opened.onopen = () => tell(followed, { type: 'open' });
  opened.onerror = () => {
    // The browser would ask from where the connection began.
    const isRefused = opened.readyState === EventSource.CLOSED;
    opened.close();
    if (isRefused) return refuse(followed);
    tell(followed.filter((stream) => !stream.isRefused), { type: 'error' });
    connectIn(RETRY_MS);
  };
  /** @param {MessageEvent<string>} event */
  const hear = ({ type, data: lines, lastEventId }) => {
    const [number = ''] = lines.split('\n', 1);
    const streams = carried[Number(number)] ?? [];
    const data = lines.slice(number.length + 1);
    if (type === 'end' && data) return refuse(streams, Number(data));
    if (type === 'end') {
      tell(streams, { type: 'error' });
      return connectIn(RETRY_MS);
    }
    for (const stream of streams) {
      if (lastEventId) stream.address = stream.address.replace(/after=.*/, `after=${lastEventId}`);
    }
    tell(streams, { type, data, lastEventId });
  };
  for (const kind of KINDS) opened.addEventListener(kind, hear);
};

/** Asks for the refused streams again, without beginning them. */
const retryRefused = async () => {
  const refused = all().filter(({ isRefused }) => isRefused).slice(0, STREAMS_MAX);
  if (!refused.length) return;
  const answer = await fetch(url(refused.map(({ address }) => address)), { method: 'HEAD' }).catch(() => undefined);
  if (!answer?.ok) return;
  for (const stream of refused) stream.isRefused = false;
  connectIn(0);
};

/**
 * Takes note of what a window follows: numbers that it gives once, and addresses.
 * @param {MessagePort} port
 * @param {[number, string][]} wanted
 */
const note = (port, wanted) => {
  const { streams } = windows.get(port) ?? { streams: new Map() };
  const left = [...streams.keys()].filter((number) => wanted.every(([other]) => other !== number));
  for (const number of left) streams.delete(number);
  const begun = wanted.filter(([number]) => !streams.has(number));
  for (const [number, address] of begun) streams.set(number, { port, number, address });
  if (wanted.length) windows.set(port, { heard: Date.now(), streams });
  else windows.delete(port);
  port.postMessage({});
  if (begun.length) connectIn(TOGETHER_MS);
  else if (left.length) connectIn(windows.size ? UNUSED_MS : 0);
};

const forgetSilent = () => {
  const silent = [...windows].filter(([, { heard }]) => heard + SILENT_MS < Date.now());
  for (const [port] of silent) windows.delete(port);
  if (silent.length) connectIn(0);
};

globalThis.onconnect = ({ ports: [port] }) => {
  if (port) port.onmessage = ({ data }) => note(port, data);
};
setInterval(retryRefused, REFUSED_MS);
setInterval(forgetSilent, SILENT_MS);
