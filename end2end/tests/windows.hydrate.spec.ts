import type { APIRequestContext, Page } from '@playwright/test';

import { bookOfMine } from '../fixtures/books.ts';
import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { type Gateway, startGateway } from '../fixtures/gateway.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { register, signIn } from '../fixtures/people.ts';
import { test as base, expect } from '../fixtures/test.ts';

/** Several windows of one browser, over plain HTTP/1.1: a browser opens six connections to a server. */
const test = base.extend<{ gateway: Gateway }>({
  gateway: async ({ farthing }, use) => {
    const gateway = await startGateway(farthing.url);
    await use(gateway);
    gateway.close();
  },

  baseURL: async ({ gateway }, use) => use(gateway.url),
});

const unread = (page: Page) => page.locator('#bell .bell-count');

/** Returns what notifies the viewer: an entry in a new book of the sender's. */
function granter(sender: Page, viewer: APIRequestContext): () => Promise<void> {
  return async () => {
    const book = await bookOfMine(sender.request);
    const { inviteToken } = await api<{ inviteToken: string }>(sender.request, 'GET', `/api${book}`);
    await api(viewer, 'POST', `/api${book}/join`, { inviteToken });
    const entry = { holders: 'ALL', amount: 5, reason: 'a prize' };
    await api(sender.request, 'POST', `/api${book}/entries`, entry, { 'Idempotency-Key': 'prize' });
  };
}

test('six windows of a hall occupy one connection, and the desk still sends', async ({ page, context, gateway }) => {
  await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 5);
  const { screenToken } = await api<{ screenToken: string }>(page.request, 'POST', `/api/auctions/${auction}/screen`);
  const open = async (path: string) => {
    const window = await context.newPage();
    await window.goto(path);
    return window;
  };
  const screen = await open(`/screen/${screenToken}`);
  const results = await open(`/auctions/${auction}/results?number=2`);
  const order = await open(`/auctions/${auction}/clerk/order`);
  const item = await open(`/auctions/${auction}/items/${items[0]}`);
  const list = await open(`/auctions/${auction}`);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await expect.poll(gateway.streams).toBe(1);
  await desk.sell(undefined, 2, '10');
  await expect(desk.called.first()).toContainText('Lot 1');
  await expect(results.getByRole('main')).toContainText('Basket 1');
  await expect(item.getByRole('main')).toContainText(/Sold|Hammer price/);
  await expect(list.locator('.catalogue').getByRole('listitem').first()).toContainText('Hammer price');
  await expect(order.getByRole('main')).not.toContainText('Basket 1');
  await api(page.request, 'PUT', `/api/auctions/${auction}/block`, { itemId: items[1] });
  await expect(screen.getByRole('heading', { level: 1 })).toHaveText('Lot 2 Basket 2');
  await expect.poll(gateway.streams).toBe(1);
  await Promise.all([screen, results, order, item, list].map((window) => window.close()));
  await desk.sell(undefined, 3, '10');
  await expect(desk.called).toHaveCount(2);
  await expect.poll(gateway.streams).toBe(1);
});

test('a window that dies takes no event with it', async ({ page, context, another, pageConsole }) => {
  pageConsole.allow(/crash/i);
  await register(page.request, 'Ada');
  const grant = granter((await another('Bob')).page, page.request);
  // The first window starts what the others share.
  await page.goto('/books');
  const windows = [await context.newPage(), await context.newPage()];
  for (const window of windows) await window.goto('/books');
  await grant();
  for (const window of windows) await expect(unread(window)).toHaveText('1');
  const crashed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  session.send('Page.crash').catch(() => {});
  await crashed;
  await grant();
  for (const window of windows) await expect(unread(window)).toHaveText('2');
  await windows[0]!.close();
  await grant();
  await expect(unread(windows[1]!)).toHaveText('3');
});

test('windows share nothing where the browser has no shared workers', async ({ page, context, gateway, another }) => {
  await context.addInitScript(() => delete (globalThis as { SharedWorker?: unknown }).SharedWorker);
  await register(page.request, 'Ada');
  const grant = granter((await another('Bob')).page, page.request);
  await page.goto('/books');
  await expect.poll(gateway.streams).toBe(1);
  const second = await context.newPage();
  await second.goto('/books');
  await expect.poll(gateway.streams).toBe(2);
  await grant();
  for (const window of [page, second]) await expect(unread(window)).toHaveText('1');
});

test('no window shows the events of another user', async ({ page, context, another }) => {
  await register(page.request, 'Ada');
  await page.goto('/books');
  const others = await context.newPage();
  const { person: cho, context: elsewhere } = await another('Cho');
  const grant = granter((await another('Bob')).page, elsewhere.request);
  await signIn(page.request, cho);
  await others.goto('/books');
  await grant();
  await expect(unread(others)).toHaveText('1');
  await expect(unread(page)).toBeHidden();
  await page.reload();
  await expect(unread(page)).toHaveText('1');
});

test('each event is heard once by a window that is hidden and shown again', async ({ page, another }) => {
  await register(page.request, 'Ada');
  const grant = granter((await another('Bob')).page, page.request);
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, hidden);
  await page.goto('/books');
  await setHidden(true);
  await grant();
  await setHidden(false);
  await expect(unread(page)).toHaveText('1');
  await setHidden(true);
  await setHidden(false);
  await grant();
  await expect(unread(page)).toHaveText('2');
});
