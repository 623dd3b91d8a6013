// Keeps the number of unread notifications in the header current while the page is visible. A hidden page has no stream, so
// that many tabs do not use up the connections of the browser. A page has one stream of the user's events: this script passes
// the balance in the page's book on to the islands.
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
      if (JSON.parse(data).bookId === funds?.dataset.book) {
        // It stays there for an island that starts later.
        funds.dataset.balance = data;
        dispatchEvent(new Event('balance'));
      }
    });
  }
};

if (bell && count) {
  document.addEventListener('visibilitychange', listen);
  listen();
}
