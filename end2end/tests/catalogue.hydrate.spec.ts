import type { APIRequestContext, Locator, Page } from '@playwright/test';

import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { auctionOfMine } from '../fixtures/currencies.ts';

/** Other people's actions are visible within this time. */
const SOON = { timeout: 5_000 };

/** Creates an item and returns its path in the API. */
async function sell(request: APIRequestContext, auction: string, name: string): Promise<string> {
  const data = { name, currencyCode: 'GBP', isPublished: true };
  const answer = await request.post(`/api${auction}/items`, { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return `/api${auction}/items/${(await answer.json()).id}`;
}

async function bid(request: APIRequestContext, item: string, amount: number): Promise<void> {
  const answer = await request.post(`${item}/bids`, { data: { amount } });
  expect(answer.status(), await answer.text()).toBe(201);
}

function row(page: Page, name: string): Locator {
  return page.locator('.catalogue').getByRole('listitem').filter({ hasText: name });
}

/** Hides or shows the page, like switching browser tabs. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

test('the list of items follows other people’s actions', async ({ page, another, expectAccessible }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);
  const lamp = await sell(page.request, auction, 'Lamp');
  await sell(page.request, auction, 'Mirror');
  const ginny = await another('Ginny');
  const hers = ginny.context.request;
  await ginny.page.setViewportSize({ width: 360, height: 740 });
  expect((await hers.post(`/api${auction}/join`, { data: {} })).ok()).toBe(true);
  for (const each of [page, ginny.page]) {
    await each.goto(auction);
    await expect(row(each, 'Lamp')).toContainText('No bids yet');
    await expect(each.getByRole('link', { name: 'show' })).toBeHidden();
  }

  await test.step('a bid changes the price without moving anything', async () => {
    const below = () => Promise.all([page, ginny.page].map((each) => row(each, 'Mirror').boundingBox()));
    const drawn = await below();
    await bid(hers, lamp, 5);
    await expect(row(page, 'Lamp')).toContainText('1 bid', SOON);
    await expect(row(page, 'Lamp')).toContainText(/Highest bid\s*£5\.00/);
    await expect(row(page, 'Lamp')).not.toContainText('You lead');
    await expect(row(ginny.page, 'Lamp')).toContainText('You lead', SOON);
    expect(await below()).toEqual(drawn);
    await expectAccessible(page);
  });

  await test.step('a hidden page makes no requests and catches up later', async () => {
    await setHidden(page, true);
    await bid(hers, lamp, 7);
    await expect(row(ginny.page, 'Lamp')).toContainText('2 bids', SOON);
    await expect(row(page, 'Lamp')).toContainText('1 bid');
    await setHidden(page, false);
    await expect(row(page, 'Lamp')).toContainText('2 bids', SOON);
  });

  await test.step('a new item is announced, and shown on demand', async () => {
    await sell(page.request, auction, 'Cauldron');
    const news = ginny.page.getByRole('status').filter({ hasText: '1 new item' });
    await expect(news).toBeVisible(SOON);
    await expect(row(ginny.page, 'Cauldron')).toHaveCount(0);
    await expectAccessible(ginny.page);
    await news.getByRole('link', { name: 'show' }).click();
    await expect(row(ginny.page, 'Cauldron')).toBeVisible();
    await expect(news).toHaveCount(0);
  });

  await test.step('the end is shown too', async () => {
    expect((await page.request.post(`/api${auction}/close`, { data: {} })).ok()).toBe(true);
    await expect(row(page, 'Lamp')).toContainText('Hammer price', SOON);
    await expect(row(ginny.page, 'Lamp')).toContainText('You won', SOON);
  });
});

test('a filtered list follows its own items, and announces no others', async ({ page, another }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);
  const lamp = await sell(page.request, auction, 'Lamp');
  const mirror = await sell(page.request, auction, 'Mirror');
  const hers = (await another('Ginny')).context.request;
  await page.goto(`${auction}?q=lamp`);
  await sell(page.request, auction, 'Lamp shade');
  await bid(hers, mirror, 5);
  await bid(hers, lamp, 7);
  await expect(row(page, 'Lamp')).toContainText(/Highest bid\s*£7\.00/, SOON);
  await expect(page.getByRole('status').filter({ hasText: 'new item' })).toHaveCount(0);
  await expect(page.locator('.catalogue').getByRole('listitem')).toHaveCount(1);
});
