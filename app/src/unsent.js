// Says how many calls of a clerk are not sent yet: those of the viewer with a link to the desk, those of
// another user of this browser with the name. `page.js` loads it in the browser of a clerk only. A desk shows
// the calls of its auction itself.
import { watch } from './outbox.js';
import { released } from './refresh.js';

const { viewer } = document.documentElement.dataset;
const notice = document.createElement('p');
notice.className = 'unsent-notice';
notice.setAttribute('role', 'status');

/** @param {ShownCall[]} calls */
const inWords = (calls) => {
  const waiting = calls.filter(({ state }) => state !== 'REFUSED').length;
  const refused = calls.length - waiting;
  const words = [];
  if (waiting) words.push(waiting === 1 ? '1 call is not sent yet' : `${waiting} calls are not sent yet`);
  if (refused) words.push(refused === 1 ? '1 call was refused' : `${refused} calls were refused`);
  return words.join(', ');
};

/**
 * The calls of one auction and one clerk, in a sentence.
 * @param {ShownCall[]} calls
 */
const line = (calls) => {
  const [first] = calls;
  const [auction, user] = first?.place.split(' ') ?? [];
  if (user === viewer) {
    const link = document.createElement('a');
    link.href = `/auctions/${auction}/clerk`;
    link.textContent = inWords(calls);
    return link;
  }
  const words = document.createElement('span');
  words.textContent = `${inWords(calls)}, entered in this browser by ${first?.clerk}, who sends them by signing in.`;
  return words;
};

watch(async (calls) => {
  await released();
  const unsent = calls.filter(({ state }) => state !== 'SENT');
  const places = new Set(unsent.map(({ place }) => place));
  const byPlace = Array.from(places, (of) => unsent.filter(({ place }) => place === of));
  notice.replaceChildren(...byPlace.map((of) => line(of)));
  if (!unsent.length) notice.remove();
  else if (!notice.isConnected) document.querySelector('.site-header')?.prepend(notice);
});
