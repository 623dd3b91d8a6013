import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { constants, inflateSync } from 'node:zlib';

import { startGateway } from '../fixtures/gateway.ts';
import { auctionInHall, groupInHall } from '../fixtures/hall.ts';
import { makeGroup } from '../fixtures/groups.ts';
import { register } from '../fixtures/people.ts';
import { itemOfMine, picture } from '../fixtures/pictures.ts';
import { expect, registerIn, signInIn, test } from './test.ts';
import { KEYS, type Tab } from './tab.ts';

/** The address of the link in the page that has this text. */
const link = (text: string) => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')];
  return links.find((each) => each.textContent?.includes(text))?.getAttribute('href') ?? '';
};

/** Opens the demo's auction in galleons and sickles. */
async function sale(tab: Tab): Promise<void> {
  await tab.open('/auctions');
  await tab.open(await tab.run(link, 'Lantern Street charity sale'));
}

/** The path of an item of the auction with bids in galleons and sickles, which the person has joined. */
async function clock(tab: Tab): Promise<string> {
  await sale(tab);
  await tab.click('main form[action$="/join"] button');
  await tab.shows('main', 'Grandfather clock');
  const item = await tab.run(link, 'Grandfather clock');
  await tab.open(item);
  return item.replace(/[?#].*/, '');
}

test('a person registers, signs out and signs in again', async ({ start }) => {
  const tab = await start();
  const person = await registerIn(tab, 'Luna');
  await tab.open('/dashboard');
  await tab.shows('.site-header', 'Luna');
  await tab.click('.account-menu summary');
  await tab.click('form[action="/sign-out"] button');
  await tab.shows('.site-header', 'Sign in');
  await signInIn(tab, person);
  await tab.open('/dashboard');
  await tab.shows('.site-header', 'Luna');
});

test('a bid in pieces is judged while it is typed, placed, and followed in two windows', async ({ start, api }) => {
  const tab = await start();
  await registerIn(tab, 'Luna');
  const item = await clock(tab);
  await tab.shows('.least-bid:enabled');
  await tab.fill('.bid-field input[name*="SICKLE"]', '1');
  await tab.shows('.violations li');
  await tab.click('.least-bid');
  await tab.has('.violations li', 0);
  await tab.shows('.bid-total-value', /\d/);
  const second = await tab.another();
  await second.open(item);
  await second.shows('.least-bid:enabled');
  await tab.click('.bid-actions .button.primary');
  await tab.shows('.bids-list li', /You|Luna/);
  await second.shows('.bids-list li', /You|Luna/);
  await register(api, 'Ginny');
  await api.post(`/api${item.replace(/\/items\/.*/, '')}/join`, { data: {} });
  const bid = await api.post(`/api${item}/bids`, {
    data: { enteredRepresentation: [{ denomination: 'GALLEON', count: 900 }] },
  });
  expect(bid.status(), await bid.text()).toBe(201);
  for (const window of [tab, second]) await window.shows('.bids-list li', 'Ginny');
});

test('the filters of a list open and close on a phone', async ({ start, engine }) => {
  test.skip(engine === 'wpe', 'its windows are as wide as a tablet');
  const tab = await (await start()).bare();
  await registerIn(tab, 'Luna');
  await tab.resize(430, 740);
  await sale(tab);
  await tab.click('button[popovertarget=filters]:not([popovertargetaction])');
  const share = () => {
    const box = document.querySelector('#filters')!.getBoundingClientRect();
    return Math.round((100 * box.height) / window.innerHeight);
  };
  await expect.poll(() => tab.run(share)).toBeGreaterThan(10);
  expect(await tab.run(share), 'percent of the window').toBeLessThan(60);
  await tab.click('#filters button[popovertargetaction=hide]');
  await expect.poll(() => tab.run(share)).toBe(0);
});

test('pictures are uploaded', async ({ start, api }) => {
  const owner = await register(api, 'Kreacher');
  const item = await itemOfMine(api);
  const tab = await start();
  await signInIn(tab, owner);
  const folder = await mkdtemp(path.join(tmpdir(), 'farthing-pictures-'));
  const files = [path.join(folder, 'one.png'), path.join(folder, 'two.png')];
  for (const [at, file] of files.entries()) await writeFile(file, picture(320, 240, 60 * at));
  await tab.open(`${item}/pictures`);
  await tab.type('[type=file][name=image]', files.join('\n'));
  await tab.click('.add-pictures [type=submit]');
  await tab.has('.pictures-row', 2);
  await rm(folder, { recursive: true });
});

test('lots are pasted from a spreadsheet', async ({ start, api, engine }) => {
  test.skip(engine === 'wpe', 'its clipboard gives a page no text');
  const owner = await register(api, 'Colin');
  const made = await api.post('/api/auctions', { data: { name: 'Club sale', baseUnit: { name: 'Ticket' } } });
  const { id } = await made.json();
  const tickets = { code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR' };
  await api.post(`/api/auctions/${id}/currencies`, { data: tickets });
  const tab = await start();
  await signInIn(tab, owner);
  await tab.open(`/auctions/${id}/items/add`);
  const cells = Array.from({ length: 12 }, (_, at) => `Part ${at + 1}\t${at + 1}`).join('\n');
  // Copied from a text on the page, as from a spreadsheet.
  await tab.run((text) => {
    const source = document.createElement('textarea');
    source.value = text;
    document.querySelector('main')!.prepend(source);
    source.focus();
    source.select();
  }, cells);
  await tab.press('c', KEYS.Control);
  await tab.click('[name="lots.1.name"]');
  await tab.press('v', KEYS.Control);
  await tab.has('.lot-state[data-state="saved"]', 12);
  const { items } = await (await api.get(`/api/auctions/${id}/items?limit=100`)).json();
  expect(items).toHaveLength(12);
});

test('the running order changes by keys and by dragging', async ({ start, api }) => {
  const owner = await register(api, 'Minerva');
  const auction = await auctionInHall({ request: api } as never);
  for (const name of ['A globe', 'A quill']) {
    await api.post(`/api/auctions/${auction}/items`, { data: { name, isPublished: true } });
  }
  const tab = await start();
  await signInIn(tab, owner);
  await tab.open(`/auctions/${auction}/clerk/order`);
  const order = () =>
    tab.run(() => Array.from(document.querySelectorAll('.order-lots .results-lot'), ({ textContent }) => textContent).join());
  await expect.poll(order).toBe('Lot 3,Lot 4,Lot 5');
  await tab.click('.order-lot:nth-child(1) input');
  await tab.press(KEYS.ArrowDown, KEYS.Alt);
  await expect.poll(order).toBe('Lot 4,Lot 3,Lot 5');
  await tab.shows('.order-said', 'Lot 3 is number 2 of 3');
  await tab.press(KEYS.End, KEYS.Alt);
  await expect.poll(order).toBe('Lot 4,Lot 5,Lot 3');
  await tab.drag('.order-lot:nth-child(1) .order-grip', '.order-lot:nth-child(3) .order-grip');
  await expect.poll(order).not.toMatch(/^Lot 4/);
});

test('a desk sells without a network, is reloaded, and sends everything afterwards', async ({ start, api, farthing }) => {
  const gateway = await startGateway(farthing.url);
  const clerk = await register(api, 'Minerva');
  const { auction } = await groupInHall(api, 4);
  const tab = await start(gateway.url);
  await signInIn(tab, clerk);
  const sell = async (number: number, price: string) => {
    await tab.run(() => document.querySelector<HTMLElement>('[name=lot]')!.focus());
    await tab.press(KEYS.Enter);
    await tab.press(`${number}${KEYS.Enter}${price}${KEYS.Enter}`);
  };
  await tab.open(`/auctions/${auction}/clerk`);
  await tab.shows('.clerk-form.hydrated');
  await sell(2, '10');
  await tab.shows('.clerk-entry', 'Lot 1');
  const kept = () => tab.run(async (desk) => (await (await caches.match(desk))?.text()) ?? '', `/auctions/${auction}/clerk`);
  await expect.poll(kept).toContain('sold to Ada (2)');
  gateway.set('DEAD');
  await sell(3, '20');
  await tab.shows('.clerk-calls li', 'Lot 2');
  await tab.open(`/auctions/${auction}/clerk`);
  await tab.shows('.clerk-form.hydrated');
  await tab.shows('.clerk-trouble', 'No connection');
  await sell(2, '30');
  gateway.set('UP');
  await tab.has('.clerk-entry', 3);
  gateway.close();
});

test('pages are printed', async ({ start, api, engine }) => {
  test.skip(engine !== 'firefox', 'its driver has no command that prints');
  const owner = await register(api, 'Minerva');
  const item = await itemOfMine(api);
  const tab = await start();
  await signInIn(tab, owner);
  for (const page of [item, `${item.replace(/\/items.*/, '')}/share`]) {
    await tab.open(page);
    const printed = await tab.print();
    expect(printed.subarray(0, 5).toString()).toBe('%PDF-');
    expect(printed.length).toBeGreaterThan(5_000);
  }
});

const A4 = { width: 21, height: 29.7 };
const LETTER = { width: 21.59, height: 27.94 };
const LOTS = 60;
const PEOPLE = 40;

/** How many pages a print has. Their objects may be compressed. */
function pages(pdf: Buffer): number {
  const whole = pdf.toString('latin1');
  const texts = [whole];
  for (const { 0: head, index } of whole.matchAll(/stream\r?\n/g)) {
    try {
      const end = whole.indexOf('endstream', index);
      texts.push(inflateSync(pdf.subarray(index + head.length, end), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'));
    } catch {
      // Not compressed, or the end of a stream.
    }
  }
  return texts.join('\n').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Elements that are cut off by their box, and texts that stand on more than one line. */
const broken = ([boxes, texts]: [string, string]) => {
  const cut = [...document.querySelectorAll(boxes)].filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1);
  const lines = (text: Element) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const apart = texts ? [...document.querySelectorAll(texts)].filter((text) => lines(text) > 1) : [];
  return [...cut, ...apart].map((element) => element.textContent);
};

test('labels, bid sheets and cards are printed whole', async ({ start, api, engine }) => {
  const owner = await register(api, 'Pomona');
  const { auction } = await groupInHall(api, LOTS);
  const group = await makeGroup(api, Array.from({ length: PEOPLE }, (_, at) => `Person ${at + 1} of the village hall`));
  const tab = await start();
  await signInIn(tab, owner);
  const share = `/auctions/${auction}/share?print=`;
  const sizes = (selector: string) => {
    const [first, second] = [...document.querySelectorAll(selector)].map((box) => box.getBoundingClientRect());
    const mm = (pixels: number) => Math.round((pixels / 96) * 254) / 10;
    return [mm(first!.width), mm(first!.height), mm(second!.left - first!.left)];
  };
  for (const { address, boxes, texts, each, paper, margin, text, size } of [
    { address: `${share}labels&sheet=63x38&from=4`, boxes: '.lot-label', texts: '', each: (LOTS + 3) / 21, paper: A4, margin: 0, text: 210, size: [63.5, 38.1, 66] },
    { address: `${share}labels&sheet=67x25&from=4`, boxes: '.lot-label', texts: '', each: (LOTS + 3) / 30, paper: LETTER, margin: 0, text: 215.9, size: [66.7, 25.4, 69.9] },
    { address: `${share}sheets`, boxes: '.bid-sheet', texts: '', each: LOTS / 2, paper: A4, margin: 1, text: 190, size: undefined },
    { address: `/groups/${group.id}/cards`, boxes: '.group-card', texts: '.group-card dd:not(.group-card-door)', each: PEOPLE / 8, paper: A4, margin: 1, text: 190, size: undefined },
    { address: `/groups/${group.id}/cards`, boxes: '.group-card', texts: '.group-card dd:not(.group-card-door)', each: PEOPLE / 8, paper: LETTER, margin: 1, text: 195.9, size: undefined },
  ]) {
    await test.step(`${address} on ${paper === A4 ? 'A4' : 'Letter'}`, async () => {
      await tab.open(address);
      // No other driver has a command that prints.
      if (engine === 'firefox') expect(pages(await tab.print(paper, margin))).toBe(Math.ceil(each));
      await tab.layOutAsOnPaper(text);
      expect(await tab.run(broken, [boxes, texts] as [string, string])).toEqual([]);
      if (size) {
        const measured = await tab.run(sizes, boxes);
        measured.forEach((value, at) => expect(value).toBeCloseTo(size[at]!, 0));
      }
    });
  }
});

test('pages are dark where the system is', async ({ start, farthing, engine }) => {
  test.skip(engine === 'wpe', 'it has no system to ask');
  const background = (tab: Tab) => tab.run(() => getComputedStyle(document.documentElement).backgroundColor);
  const [light, dark] = [await start(farthing.url), await start(farthing.url, { dark: true })];
  for (const tab of [light, dark]) await tab.open('/sign-in');
  await expect.poll(() => background(light)).toBe('rgb(251, 249, 244)');
  await expect.poll(() => background(dark)).toBe('rgb(23, 21, 18)');
});

test('a bid is placed without JavaScript', async ({ start, farthing, api }) => {
  const bidder = await register(api, 'Cho');
  const seller = api;
  const tab = await start(farthing.url, { javaScript: false });
  await signInIn(tab, bidder);
  await tab.shows('.site-header', 'Cho');
  await register(seller, 'Kreacher');
  const item = await itemOfMine(seller);
  await tab.open(item);
  await tab.fill('.bid-form input[type=text]', '5');
  await tab.click('.bid-actions .button.primary');
  await tab.shows('.bids-list li', /You|Cho/);
});
