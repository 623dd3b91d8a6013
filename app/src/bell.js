// Keeps the number of unread notifications in the header current while the page is visible. A hidden page has no stream, so
// that many tabs do not use up the connections of the browser. A page has one stream of the user's events: this script also
// keeps current what the viewer has in the page's book, and tells the islands.
const bell = document.querySelector('.bell');
const funds = document.getElementById('own-funds');
const count = bell?.querySelector('.bell-count');
let after = bell?.dataset.after;
let unread = Number(bell?.dataset.count);
let stream;

const listen = () => {
  if (document.hidden || !after) {
    stream?.close();
    stream = undefined;
  } else if (!stream) {
    stream = new EventSource(`/api/user/events?after=${after}`);
    stream.addEventListener('notification', (event) => {
      after = event.lastEventId;
      unread += 1;
      count.textContent = unread > 99 ? '99+' : unread;
      count.hidden = false;
      bell.setAttribute('aria-label', `Notifications, ${count.textContent} unread`);
    });
    stream.addEventListener('balance', ({ data }) => {
      const { bookId, balance, committed, available } = JSON.parse(data);
      const shown = [balance, committed, available].join(' ');
      if (bookId === funds?.dataset.book && shown !== funds.dataset.shown) {
        funds.dataset.shown = shown;
        // For an island that starts later.
        funds.dataset.changed = '';
        dispatchEvent(new Event('balance'));
        showFunds(shown).catch(() => {});
      }
    });
  }
};

// The server puts amounts into words. The answer to an older event is not shown.
const showFunds = async (shown) => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  const newer = page.getElementById('own-funds');
  if (newer && funds.dataset.shown === shown) {
    funds.replaceChildren(...newer.childNodes);
  }
};

if (bell && count) {
  document.addEventListener('visibilitychange', listen);
  listen();
}
