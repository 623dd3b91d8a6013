// Says on a page without a desk how many calls of a clerk are not sent yet, with a link to the desk.
// `page.js` loads it, after `outbox.js`, in the browser of a clerk only.

const notice = document.createElement('p');
notice.className = 'unsent-notice';
notice.setAttribute('role', 'status');

const inWords = (calls) => {
  const waiting = calls.filter(({ state }) => state !== 'REFUSED').length;
  const refused = calls.length - waiting;
  const words = [];
  if (waiting) words.push(waiting === 1 ? '1 call is not sent yet' : `${waiting} calls are not sent yet`);
  if (refused) words.push(refused === 1 ? '1 call was refused' : `${refused} calls were refused`);
  return words.join(', ');
};

globalThis.outbox.watch(({ data }) => {
  const unsent = JSON.parse(data).calls.filter(({ state }) => state !== 'SENT');
  const auctions = new Set(unsent.map(({ place }) => place.split(' ')[0]));
  notice.replaceChildren(...Array.from(auctions, (auction) => {
    const link = document.createElement('a');
    link.href = `/auctions/${auction}/clerk`;
    link.textContent = inWords(unsent.filter(({ place }) => place.startsWith(`${auction} `)));
    return link;
  }));
  if (!unsent.length) notice.remove();
  else if (!notice.isConnected) document.querySelector('.site-header')?.prepend(notice);
});
