// The service worker of the clerk's page of one auction. It keeps the newest page with the files that the
// page loads, so that a reload without a network shows the desk. The network is asked first, and a page that
// the server refuses is forgotten. With the page of a large sale it keeps the document of the lots and
// members that the page has no room for. Other pages are not in its scope, or are left to the browser.

/** How long the server may take before the kept page is shown. */
const TIMEOUT_MS = 8_000;
/** The first status of a gateway whose server is down. Farthing's own 503 says that it can't answer now. */
const DOWN = 502;
/** The server shows this user no such page. */
const REFUSED = [401, 403, 404];
/** Kept pages of different auctions. */
const PAGES_MAX = 5;

/** This script is no module, and has no other global scope. */
const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { pathname: page } = new URL(scope.registration.scope);
const lists = `${page}/desk`;
/** Names of caches are `clerk {auction_id} {user_id}`; `page.js` deletes those of other users. */
const CLERK = 'clerk ';
const OWN = `${CLERK}${page.split('/')[2]} `;

/** @param {string[]} names */
const forget = async (names) => Promise.all(names.map((name) => caches.delete(name)));

/** Names of the caches of kept pages, the oldest first. */
const kept = async () => (await caches.keys()).filter((name) => name.startsWith(CLERK));

/**
 * Keeps a page instead of the one before, and removes files that only that one needs.
 * @param {Response} answer
 */
const keep = async (answer) => {
  const text = await answer.text();
  const [head = '', body] = text.split('</head>', 2);
  const clerk = / data-viewer="([^"]+)"/.exec(head)?.[1];
  // A page without a desk, such as that of a correction, is not kept.
  if (!clerk || !body?.includes('id="island-state"')) return;
  const cache = await caches.open(OWN + clerk);
  const files = [...head.matchAll(/"(\/pkg\/[^"]+)"/g)].map(([, file = '']) => file);
  for (const file of files) if (!await cache.match(file)) await cache.add(file);
  // The page requests it again from time to time.
  if (body.includes(`"document":"${lists}"`) && !await cache.match(lists)) await cache.add(lists);
  const headers = new Headers(answer.headers);
  // They describe the body as it was sent.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  await cache.put(page, new Response(text.replace('<html', '<html data-kept'), { headers }));
  for (const request of await cache.keys()) {
    if (![page, lists, ...files].includes(new URL(request.url).pathname)) await cache.delete(request);
  }
  const others = (await kept()).filter((name) => name !== OWN + clerk);
  const ofAuction = others.filter((name) => name.startsWith(OWN));
  await forget([...ofAuction, ...others.filter((name) => !name.startsWith(OWN)).slice(0, 1 - PAGES_MAX)]);
};

/**
 * Keeps the page of an answer, or forgets the kept one if this user may not see it any more.
 * @param {Response} answer
 */
const note = async (answer) => {
  // A redirect leads to signing in.
  const isRedirected = answer.type === 'opaqueredirect' || answer.redirected;
  if (isRedirected || REFUSED.includes(answer.status)) {
    await forget((await kept()).filter((name) => name.startsWith(OWN)));
  } else if (answer.status === 200) {
    await keep(answer);
  }
};

/**
 * Keeps the lists of an answer beside the kept page.
 * @param {Response} answer
 */
const keepLists = async (answer) => {
  const own = (await kept()).find((name) => name.startsWith(OWN));
  if (own && answer.status === 200) await (await caches.open(own)).put(lists, answer);
};

let turn = Promise.resolve();
let requests = 0;
/** @type {Map<string, number>} */
const newest = new Map();
/**
 * Requests a page or its lists, and notes the answer, unless that of a later request is noted already: it is
 * newer.
 * @param {Request | string} request
 * @param {string} path
 */
const askAndNote = (request, path) => {
  const order = ++requests;
  const asked = fetch(request);
  const noted = asked.then((answer) => {
    // Copied before the browser reads it.
    const copy = answer.clone();
    turn = turn.then(async () => {
      if (order < (newest.get(path) ?? 0)) return;
      newest.set(path, order);
      await (path === page ? note(copy) : keepLists(copy));
    }).catch(() => {});
    return turn;
  }).catch(() => {});
  return { asked, noted };
};

/**
 * The answer of the server. If there is none, what is kept; but not for a request of news of the page.
 * @param {FetchEvent} event
 * @param {Promise<Response>} asked
 * @param {string} path
 */
const answerOf = async ({ request }, asked, path) => {
  const copy = (request.mode === 'navigate' || path === lists) && await caches.match(path);
  if (!copy) return asked;
  /** @type {Promise<undefined>} */
  const late = new Promise((resolve) => setTimeout(() => resolve(undefined), TIMEOUT_MS));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  return answer && answer.status < DOWN ? answer : copy;
};

scope.addEventListener('install', (event) => {
  scope.skipWaiting();
  event.waitUntil(fetch(page).then(note));
});

// The page that has registered this worker is followed, too. What it has shown between the installation and
// now is kept by another request, for which the first requests of the page do not wait.
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim().then(() => {
  askAndNote(page, page);
})));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if ([page, lists].includes(pathname)) {
    const { asked, noted } = askAndNote(request, pathname);
    event.waitUntil(noted);
    event.respondWith(answerOf(event, asked, pathname));
  } else if (pathname.startsWith('/pkg/')) {
    // Its name has the hash of its contents.
    event.respondWith(caches.match(pathname).then((file) => file ?? fetch(request)));
  }
});
