import { request } from '@playwright/test';

import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { openAs, register, signIn } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('one tab of a browser at a time sends calls, in the order of their entry', async ({ page, context, pageConsole }) => {
  // The page is requested again, too, directly or by the worker.
  pageConsole.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/);
  await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 6);
  const first = new ClerkDesk(page);
  const second = new ClerkDesk(await context.newPage());
  await first.open(auction);
  await second.open(auction);
  await page.bringToFront();

  await context.setOffline(true);
  for (const lot of [3, 1, 2]) {
    await first.lot.fill('');
    await first.sell(lot, 2, '7');
  }
  await expect(second.unsent).toHaveCount(3);
  await second.page.bringToFront();
  await second.lot.fill('');
  await second.sell(5, 3, '8');
  await expect(first.unsent).toHaveCount(4);

  // Slow enough for both tabs to send the same call.
  const sent: string[] = [];
  await context.route('**/hammer', async (route) => {
    sent.push(/items\/([^/]+)/.exec(route.request().url())![1]!);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await context.setOffline(false);
  await expect(second.called).toHaveCount(4);
  await expect(first.unsent).toHaveCount(0);
  await expect(second.unsent).toHaveCount(0);
  expect(sent).toEqual([3, 1, 2, 5].map((lot) => items[lot - 1]));
});

test('every page says what a clerk has not sent, and sends it', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const clerk = await register(page.request, 'Minerva');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/auctions');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(loaded.filter((url) => /outbox|unsent/.test(url)), 'scripts for clerks').toEqual([]);

  const { auction, items } = await groupInHall(page.request, 4);
  const notice = page.locator('.unsent-notice');
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await context.route('**/hammer', (route) => route.abort());
  for (const lot of [1, 2, 3]) {
    await desk.lot.fill('');
    await desk.sell(lot, 2, '7');
  }
  await expect(desk.unsent).toHaveCount(3);
  await expect(notice).toHaveCount(0);

  await page.goto('/dashboard');
  await expect(notice).toHaveText('3 calls are not sent yet');
  await page.goto('about:blank');
  await context.clearCookies();
  await register(page.request, 'Draco');
  await page.goto('/dashboard');
  await expect(notice).toHaveText(
    '3 calls are not sent yet, entered in this browser by Minerva, who sends them by signing in.',
  );
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto('/');
  await expect(notice, 'without a session').toContainText('by Minerva');

  // Another session passes lot 2 meanwhile.
  await openAs(page, clerk, '/auctions');
  await expect(notice).toHaveText('3 calls are not sent yet');
  await api(page.request, 'POST', `/api/auctions/${auction}/items/${items[1]}/hammer`, { result: 'PASSED' }, {
    'Idempotency-Key': 'passed-elsewhere',
  });
  await context.unroute('**/hammer');
  await expect(notice).toHaveText('1 call was refused');
  await notice.getByRole('link').click();
  await expect(desk.unsent).toHaveCount(1);
  await expect(desk.unsent).toContainText('Lot 2');
  await expect(desk.called).toHaveCount(3);
});

test('calls wait for the clerk who entered them', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const clerk = await register(page.request, 'Minerva');
  const { auction } = await groupInHall(page.request, 2);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await context.clearCookies();
  await desk.sell(undefined, 2, '7');
  await expect(page.locator('.clerk-trouble')).toContainText('You are signed out.');
  // Another user signs in, in another tab.
  await register(context.request, 'Draco');
  await expect(page.locator('.clerk-trouble')).toContainText('Another user is signed in.');
  await context.clearCookies();
  await signIn(context.request, clerk);
  await expect(desk.called).toContainText(['Sold to']);
});

test('what is typed stays when the lists are out of date since the session has ended', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const clerk = await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 2);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  const elsewhere = await request.newContext({ baseURL: new URL(page.url()).origin });
  await signIn(elsewhere, clerk);
  await desk.type(undefined, 2, '7');
  await context.clearCookies();
  await api(elsewhere, 'PUT', `/api/auctions/${auction}/block`, { itemId: items[1] });
  await expect(page.locator('.clerk-trouble')).toContainText('You are signed out.');
  await expect(desk.number).toHaveValue('2');
  await expect(desk.price).toHaveValue('7');
});

test('calls are sent in the session of their clerk, also where another clerk is signed in', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const clerk = await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 2);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await context.route('**/hammer', (route) => route.abort());
  await desk.sell(undefined, 2, '7');
  await expect(desk.unsent).toHaveCount(1);
  // The other clerk signs in in another tab, and the network is back.
  await register(context.request, 'Draco');
  const refused = page.waitForResponse((response) => response.url().endsWith('/hammer'));
  await context.unroute('**/hammer');
  expect((await refused).status()).toBe(409);
  await expect(page.locator('.clerk-trouble')).toContainText('Another user is signed in.');
  await expect(desk.unsent).toHaveCount(1);
  await context.clearCookies();
  await signIn(context.request, clerk);
  await expect(desk.called).toContainText(['Sold to']);
  const path = `/api/auctions/${auction}/items/${items[0]}`;
  const sold = await api<{ outcome: { by: { name: string } } }>(page.request, 'GET', path);
  expect(sold.outcome.by.name).toBe('Minerva');
});

test('two clerks of a browser each send their own calls', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const minerva = await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 2);
  const path = `/api/auctions/${auction}`;
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  const elsewhere = await request.newContext({ baseURL: new URL(page.url()).origin });
  const pomona = await register(elsewhere, 'Pomona');
  await api(elsewhere, 'POST', `${path}/join`, {});
  const { user } = await api<{ user: { id: string } }>(elsewhere, 'GET', '/api/user');
  await api(page.request, 'PATCH', `${path}/members/${user.id}`, { role: 'CLERK' });
  const soldBy = async (lot: number) => {
    type Item = { outcome: { by: { name: string } } | null };
    const item = await api<Item>(elsewhere, 'GET', `${path}/items/${items[lot - 1]}`);
    return item.outcome?.by.name;
  };

  await context.route('**/hammer', (route) => route.abort());
  await desk.sell(undefined, 2, '7');
  await expect(desk.unsent).toHaveCount(1);
  await openAs(page, pomona, '/dashboard');
  await expect(page.locator('.unsent-notice')).toContainText('entered in this browser by Minerva');
  await desk.open(auction);
  await desk.lot.fill('');
  await desk.sell(2, 3, '8');
  await context.unroute('**/hammer');
  await expect.poll(() => soldBy(2)).toBe('Pomona');
  expect(await soldBy(1), 'the call of the other clerk waits').toBeUndefined();

  await openAs(page, minerva, `/auctions/${auction}/clerk`);
  await expect.poll(() => soldBy(1)).toBe('Minerva');
  expect(await soldBy(2)).toBe('Pomona');
});
