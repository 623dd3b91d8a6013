import type { Page } from '@playwright/test';

import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { type Gateway, startGateway } from '../fixtures/gateway.ts';
import { type Hall, groupInHall } from '../fixtures/hall.ts';
import { test as base } from '../fixtures/journey.ts';
import { type Person, register, signIn } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

interface Outcome {
  itemId: string;
  bid: { normalizedAmount: string } | null;
}

interface KeptFixtures {
  /** Between the browser and the server. */
  gateway: Gateway;
  clerk: Person;
  hall: Hall;
}

const test = base.extend<KeptFixtures>({
  gateway: async ({ farthing }, use) => {
    const gateway = await startGateway(farthing.url);
    await use(gateway);
    gateway.close();
  },

  baseURL: async ({ gateway }, use) => use(gateway.url),

  clerk: async ({ page, pageConsole }, use) => {
    // What the browser says while there is no server.
    pageConsole.allow(/Failed to load resource|net::ERR_|EventSource/);
    await use(await register(page.request, 'Minerva'));
  },

  hall: async ({ page, clerk: _ }, use) => use(await groupInHall(page.request, 5)),
});

// A server that is silent is waited for.

/** Waits until the browser keeps the page of this auction with all of these words, or keeps none. */
async function expectKept(page: Page, auction: string, words: string[] | undefined): Promise<void> {
  const kept = () =>
    page.evaluate(async (path) => (await caches.match(path))?.text(), `/auctions/${auction}/clerk`);
  if (words) {
    for (const word of words) await expect.poll(kept, { message: `the kept page has ${word}` }).toContain(word);
  } else {
    await expect.poll(kept, { message: 'the kept page' }).toBeUndefined();
  }
}

/** Waits until the worker follows the page, and has kept what the page has shown before. */
async function expectFollowed(page: Page): Promise<void> {
  const noted = async () => page.context().serviceWorkers()[0]?.evaluate<number>('newest.size');
  await expect.poll(noted, { message: 'pages that the worker has noted' }).toBeGreaterThan(0);
}

/** Why the page of the clerk can't be opened. */
async function failureOf(page: Page, auction: string): Promise<string> {
  const opened = page.goto(`/auctions/${auction}/clerk`);
  return opened.then(() => 'it was opened', (error: Error) => error.message);
}

const NO_CONNECTION = 'No connection: this is the page of';

for (const state of ['DEAD', 'BAD', 'SILENT'] as const) {
  test(`a desk is reloaded without a server, and goes on: ${state}`, async ({ page, hall, gateway, look }) => {
    const { auction, items } = hall;
    const desk = new ClerkDesk(page);
    const trouble = page.locator('.clerk-trouble');
    await desk.open(auction);
    await expectKept(page, auction, ['Basket 5']);
    await desk.sell(undefined, 2, '10');
    await expect(desk.called).toHaveCount(1);
    await expect(desk.unsent).toHaveCount(0);
    await expectKept(page, auction, ['sold to Ada (2)']);
    await expect(trouble).toBeEmpty();

    await test.step('a call is kept, and the page is loaded again', async () => {
      gateway.set(state);
      await desk.sell(2, 3, '20');
      await expect(desk.unsent).toHaveCount(1);
      await page.reload();
      await expect(page.locator('.clerk-form.hydrated')).toBeVisible();
      await expect(trouble).toContainText(NO_CONNECTION);
      await expect(desk.unsent).toHaveCount(1);
      await expect(desk.lot).toBeFocused();
      await look(page, 'desktop');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await look(page, 'phone');
      await page.setViewportSize({ width: 1280, height: 720 });
      await desk.lot.fill('2');
      await expect(desk.answer('lot')).toContainText('entered already');
      await desk.lot.fill('1');
      await expect(desk.answer('lot')).toContainText('sold to Ada (2)');
    });

    await test.step('the next lot is called', async () => {
      await desk.lot.fill('');
      await desk.sell(3, 2, '30');
      await expect(desk.lot).toHaveValue('4');
      await expect(desk.unsent).toHaveCount(2);
    });

    await test.step('calls are sent once the server is back, and the page follows it', async () => {
      gateway.set('UP');
      await expect(desk.called).toHaveCount(3);
      await expect(desk.unsent).toHaveCount(0);
      await expect(trouble).toBeEmpty();
      await api(page.request, 'POST', `/api/auctions/${auction}/items/${items[3]}/hammer`, { result: 'PASSED' }, {
        'Idempotency-Key': 'passed-elsewhere',
      });
      await expect(desk.called.first()).toContainText('Not sold');
      const { outcomes } = await api<{ outcomes: Outcome[] }>(page.request, 'GET', `/api/auctions/${auction}/outcomes`);
      const amounts = outcomes.map(({ itemId, bid }) => [items.indexOf(itemId) + 1, bid?.normalizedAmount ?? null]);
      expect(amounts).toEqual([[1, '10'], [2, '20'], [3, '30'], [4, null]]);
    });
  });
}

test('a desk knows more lots than its page has room for, also without a server', async ({ page, hall, gateway }) => {
  const { auction } = hall;
  const names = Array.from({ length: 595 }, (_, at) => `A box of books with the number ${at + 6},yes\n`);
  const imported = await page.request.post(`/api/auctions/${auction}/items/import`, {
    data: `name,published\n${names.join('')}`,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'boxes' },
  });
  expect(imported.status(), await imported.text()).toBe(201);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await desk.lot.fill('599');
  await expect(desk.answer('lot')).toContainText('number 599');
  await desk.sell(undefined, 2, '10');
  await expect(desk.lot).toHaveValue('600');
  await expect(desk.called).toHaveCount(1);
  await expect(desk.unsent).toHaveCount(0);
  await desk.lot.fill('599');
  await expect(desk.answer('lot')).toContainText('sold to Ada (2)');

  await test.step('a lot that the page has no room for is called without a server', async () => {
    await expectKept(page, auction, ['sold to Ada (2)']);
    const lists = () => page.evaluate(async (path) => (await caches.match(path))?.status, `/auctions/${auction}/clerk/desk`);
    await expect.poll(lists).toBe(200);
    gateway.set('DEAD');
    await page.reload();
    await expect(page.locator('.clerk-trouble')).toContainText(NO_CONNECTION);
    await desk.lot.fill('550');
    await expect(desk.answer('lot')).toContainText('number 550');
    await desk.sell(undefined, 3, '20');
    await expect(desk.unsent).toHaveCount(1);
    await expect(desk.lot).toHaveValue('551');
  });

  await test.step('it is sold once the server is back, and can be corrected', async () => {
    gateway.set('UP');
    await expect(desk.called).toHaveCount(2);
    await expect(desk.unsent).toHaveCount(0);
    await desk.lot.fill('');
    await page.keyboard.press('F9');
    await expect(desk.lot).toHaveValue('550');
    await expect(desk.price).toHaveValue('20');
  });
});

test('an answered call is not offered again by a page that was kept before', async ({ page, context, hall, gateway }) => {
  const { auction } = hall;
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await expectFollowed(page);
  await expectKept(page, auction, ['Basket 5']);
  // The page is not requested again after the answer.
  await context.route('**/clerk', (route) => route.abort());
  await desk.sell(undefined, 2, '10');
  await expect(desk.unsent).toContainText('Sent.');
  gateway.set('DEAD');
  await context.unroute('**/clerk');
  await page.reload();
  await expect(page.locator('.clerk-trouble')).toContainText(NO_CONNECTION);
  await desk.lot.fill('1');
  await expect(desk.answer('lot')).toContainText('entered already');
});

test('signing out deletes the kept page', async ({ page, hall, gateway }) => {
  const { auction } = hall;
  await new ClerkDesk(page).open(auction);
  await expectFollowed(page);
  await expectKept(page, auction, ['Ada']);
  await page.locator('.account-menu summary').click();
  // The answer to the form is lost.
  await page.route('**/sign-out', async (route) => {
    await route.fetch({ maxRedirects: 0 });
    gateway.set('DEAD');
    await route.abort();
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/chrome-error/);
  expect(await failureOf(page, auction)).toContain('net::ERR_FAILED');
});

test('a page is kept for its clerk only', async ({ page, context, clerk, hall, gateway }) => {
  const { auction } = hall;
  await new ClerkDesk(page).open(auction);
  await expectFollowed(page);
  await expectKept(page, auction, ['Ada']);

  await test.step('a session that has ended elsewhere', async () => {
    await page.goto('about:blank');
    await context.clearCookies();
    await page.goto(`/auctions/${auction}/clerk`);
    await expect(page).toHaveURL(/\/sign-in/);
    await expectKept(page, auction, undefined);
  });

  await test.step('another user, who opens any page', async () => {
    await signIn(page.request, clerk);
    await new ClerkDesk(page).open(auction);
    await expectKept(page, auction, ['Ada']);
    await page.goto('about:blank');
    await context.clearCookies();
    await register(page.request, 'Draco');
    await page.goto('/auctions');
    await expectKept(page, auction, undefined);
    gateway.set('DEAD');
    expect(await failureOf(page, auction)).toContain('net::ERR_FAILED');
  });
});

test('a desk without https says that it can’t be reloaded without a network', async ({ page, hall }) => {
  const warning = page.getByText('Without https this page can’t be reloaded');
  const desk = new ClerkDesk(page);
  await desk.open(hall.auction);
  await expect(warning).toBeHidden();
  await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
  await desk.open(hall.auction);
  await expect(warning).toBeVisible();
});
