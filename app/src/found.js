// Pictures for lots that the auction has: files find them by their numbers or names. What would happen is
// shown before anything is sent. The script of many lots imports it with the first files.
import { request, told } from './send.js';

/**
 * @typedef {{ id: string, lotNumber: string, name: string }} Lot
 * @typedef {{ lot: Lot, files: File[] }} Found
 */

const PAGE = 100;

/** @param {string} text */
const plain = (text) => text.toLowerCase().normalize('NFC').replace(/[_\s]+/g, ' ').trim();

/**
 * The lots of an auction. Fails if not all can be read: a picture of one that is missing would make another
 * lot.
 * @param {string} auction
 */
export async function lotsOf(auction) {
  /** @type {Lot[]} */
  const lots = [];
  let cursor = '';
  do {
    const answer = await request(`/api${auction}/items?limit=${PAGE}${cursor}`);
    /** @type {{ items?: Lot[], nextCursor?: string | null } | undefined} */
    const page = answer.ok ? await told(answer) : undefined;
    if (!page?.items) throw new Error('The lots can’t be read.');
    lots.push(...page.items);
    cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
  } while (cursor);
  return lots;
}

/**
 * The lot of a file: by its whole name, then by a number that its name is or begins with, such as “12”,
 * “Lot 012”, “12 (2)” or “12_back”. Of several lots with one name it is none.
 * @param {string} stem the name of the file without its ending
 * @param {Lot[]} lots
 */
export function lotOf(stem, lots) {
  const text = plain(stem);
  const named = lots.filter(({ name }) => plain(name) === text);
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const short = text.replace(/^(lot|no\.?|nr\.?|#)\s*(?=\d)/, '');
  /** @param {string} number */
  const numbered = (number) => lots.find(({ lotNumber }) => bare(lotNumber) === bare(number));
  return numbered(short) ?? numbered(/^[^\s(.,-]*\d[^\s(.,-]*/.exec(short)?.[0] ?? '');
}

/** @param {string} number */
const bare = (number) => number.toLowerCase().replace(/^0+(?=.)/, '');

/**
 * The files by the lots that they belong to, and those of no lot.
 * @param {File[]} files
 * @param {Lot[]} lots
 * @param {(file: File) => string} stemOf
 */
export function find(files, lots, stemOf) {
  /** @type {Map<string, Found>} */
  const byLot = new Map();
  /** @type {File[]} */
  const others = [];
  for (const file of files) {
    const lot = lotOf(stemOf(file), lots);
    if (!lot) {
      others.push(file);
      continue;
    }
    const before = byLot.get(lot.id);
    if (before) before.files.push(file);
    else byLot.set(lot.id, { lot, files: [file] });
  }
  return { found: [...byLot.values()], others };
}

/**
 * Says which pictures go to which lots, with a line for each, and asks. Resolves with the lines, or with
 * nothing if all files are to make new lots.
 * @param {HTMLElement} place
 * @param {Found[]} found
 * @param {number} others
 * @returns {Promise<HTMLElement[] | undefined>}
 */
export function ask(place, found, others) {
  const count = found.reduce((sum, { files }) => sum + files.length, 0);
  /** @param {number} number */
  const pictures = (number) => `${number} ${number === 1 ? 'picture' : 'pictures'}`;
  const words = document.createElement('p');
  words.textContent = `${pictures(count)} for lots of this auction${others > 0 ? `, ${pictures(others)} for new lots` : ''}:`;
  const list = document.createElement('ul');
  const lines = found.map(({ lot, files }) => {
    const line = document.createElement('li');
    const name = document.createElement('span');
    name.textContent = `Lot ${lot.lotNumber}, ${lot.name}: ${files.map(({ name: file }) => file).join(', ')}`;
    line.append(name);
    return line;
  });
  list.append(...lines);
  const buttons = document.createElement('p');
  buttons.className = 'actions';
  /**
   * @param {string} label
   * @param {string} className
   */
  const button = (label, className) => {
    const made = Object.assign(document.createElement('button'), { type: 'button', textContent: label, className });
    buttons.append(made);
    return made;
  };
  place.replaceChildren(words, list, buttons);
  place.hidden = false;
  return new Promise((resolve) => {
    button('Add the pictures', 'button primary').addEventListener('click', () => {
      buttons.remove();
      resolve(lines);
    });
    button('Make new lots of all', 'button quiet').addEventListener('click', () => {
      place.replaceChildren();
      place.hidden = true;
      resolve(undefined);
    });
  });
}
