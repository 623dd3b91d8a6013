// Keeps the number of unread notifications in the header current while the page is visible. A hidden page has no stream, so
// that many tabs do not use up the connections of the browser. A page has one stream of the user's events: this script also
// keeps current what the viewer has in the page's book, and tells the islands.
const bell = document.getElementById('bell');
const funds = document.getElementById('own-funds');
const count = bell?.querySelector('.bell-count');
let after = bell?.dataset.after;
let unread = Number(bell?.dataset.count);
let newest = funds?.dataset.shown;
let heard = 0;
let stream;

const listen = () => {
  if (document.hidden || !after) {
    stream?.close();
    stream = undefined;
  } else if (!stream) {
    stream = new EventSource(`/api/user/events?after=${after}`);
    for (const kind of ['open', 'error', 'notification', 'balance']) stream.addEventListener(kind, tell);
    stream.addEventListener('notification', (event) => {
      after = event.lastEventId;
      unread += 1;
      count.textContent = unread > 99 ? '99+' : unread;
      count.hidden = false;
      bell.setAttribute('aria-label', `Notifications, ${count.textContent} unread`);
    });
    stream.addEventListener('balance', ({ data }) => {
      const { bookId, balance, committed, available } = JSON.parse(data);
      const current = [balance, committed, available].join(' ');
      if (bookId === funds?.dataset.book && current !== newest) {
        newest = current;
        showFunds(current).catch(() => (newest = undefined));
      }
    });
  }
};

// Attributes say how many events there were, and whether the page may have missed some: an island may start later.
const tell = ({ type, data }) => {
  if (data) bell.dataset.heard = heard += 1;
  bell.toggleAttribute('data-stale', type === 'error');
  dispatchEvent(new Event('own-events'));
  // The browser does not reconnect after a refusal.
  if (type === 'error' && stream?.readyState === 2) {
    stream = undefined;
    setTimeout(listen, 30_000);
  }
};

// The server puts amounts into words, and says what is available for the item of the page. An answer is not shown once there
// was another event.
const showFunds = async (current) => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  const newer = page.getElementById('own-funds');
  if (newer && newest === current) {
    funds.replaceChildren(...newer.childNodes);
    // It stays there for an island that starts later.
    Object.assign(funds.dataset, newer.dataset);
    dispatchEvent(new Event('balance'));
  }
};

if (bell && count) {
  document.addEventListener('visibilitychange', listen);
  listen();
}
