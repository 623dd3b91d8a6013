import type { Locator, Page } from '@playwright/test';

import { auctionOfMine } from '../fixtures/currencies.ts';
import { created } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

/** In the order of their lot numbers. */
const ITEMS = [
  { name: 'Zebra print', startingBid: 30, endDate: inHours(3) },
  { name: 'apple press', startingBid: 20, endDate: inHours(1) },
  { name: 'Mirror', description: 'Frame of 100% silver', startingBid: 10, endDate: inHours(2) },
  { name: 'Old clock', startingBid: 5, endDate: inHours(4) },
  { name: 'Lamp of tomorrow', startingBid: 50, startsAt: inHours(5) },
];

/** The orders by their words, each with the first names of the list. */
const ORDERS: [label: string, names: string[]][] = [
  ['Lot number', ['Zebra print', 'apple press', 'Mirror', 'Old clock', 'Lamp of tomorrow']],
  ['Ending first', ['apple press', 'Mirror', 'Zebra print', 'Old clock', 'Lamp of tomorrow']],
  ['Lowest price', ['Old clock', 'Mirror', 'apple press', 'Zebra print', 'Lamp of tomorrow']],
  ['Name', ['apple press', 'Lamp of tomorrow', 'Mirror', 'Old clock', 'Zebra print']],
  ['Newest', ['Lamp of tomorrow', 'Old clock', 'Mirror', 'apple press', 'Zebra print']],
  ['Most bids', ['Mirror', 'apple press']],
];

const names = (page: Page): Locator => page.locator('.catalogue').getByRole('heading', { level: 3 });

/** Applies what was chosen or typed. With JavaScript a choice applies at once, and words with Enter. */
async function show(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Show', exact: true });
  if (await button.isVisible()) {
    await button.click();
  } else {
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter');
  }
}

test('items are found by words, order, status and watch list, in a list and in a grid', async ({ page, another }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);
  const items: string[] = [];
  for (const item of ITEMS) {
    const { id } = await created(page.request, `/api${auction}/items`, { ...item, currencyCode: 'GBP', isPublished: true });
    items.push(`/api${auction}/items/${id}`);
  }
  await created(page.request, `${items[3]}/close`, {});
  const ginny = (await another('Ginny')).page;
  await created(ginny.request, `/api${auction}/join`, {});
  for (const [item, amount] of [[1, 20], [2, 10], [2, 12]] as const) {
    await created(ginny.request, `${items[item]}/bids`, { amount });
  }
  await ginny.goto(auction);
  const sort = ginny.getByLabel('Sort by');
  const status = ginny.getByLabel('Status');
  const search = ginny.getByRole('searchbox', { name: 'Search' });

  for (const [label, expected] of ORDERS) {
    await test.step(`by ${label.toLowerCase()}`, async () => {
      await sort.selectOption(label);
      await show(ginny);
      await expect(sort.locator('option:checked')).toHaveText(label);
      expect((await names(ginny).allTextContents()).slice(0, expected.length)).toEqual(expected);
    });
  }

  await test.step('words are searched as they are, in names and descriptions', async () => {
    await search.fill('100% SILVER');
    await show(ginny);
    await expect(names(ginny)).toHaveText(['Mirror']);
    await expect(search).toHaveValue('100% SILVER');
    await expect(sort.locator('option:checked')).toHaveText('Most bids');
    await search.fill('100_');
    await show(ginny);
    await expect(ginny.getByText('No items match')).toBeVisible();
    await ginny.getByRole('link', { name: 'Show all items' }).click();
    await expect(names(ginny)).toHaveCount(5);
  });

  await test.step('by status', async () => {
    for (const [label, expected] of [
      ['Open', ['Zebra print', 'apple press', 'Mirror']],
      ['Starts later', ['Lamp of tomorrow']],
      ['Closed', ['Old clock']],
    ] as const) {
      await status.selectOption(label);
      await show(ginny);
      await expect(names(ginny)).toHaveText([...expected]);
    }
    await expect(status.getByRole('option', { name: 'Draft' })).toHaveCount(0);
  });

  await test.step('the grid keeps the filter, and a watched item is marked without losing the place', async () => {
    await status.selectOption('Open');
    await show(ginny);
    await ginny.getByRole('link', { name: 'Grid' }).click();
    await expect(ginny.locator('.catalogue.grid')).toBeVisible();
    await expect(names(ginny)).toHaveCount(3);
    const place = ginny.url();
    await ginny.getByRole('button', { name: 'Watch Mirror' }).click();
    await expect(ginny.getByRole('button', { name: 'Watch Mirror' })).toHaveAttribute('aria-pressed', 'true');
    expect(ginny.url().split('#')[0]).toBe(place);
  });

  await test.step('only what is watched', async () => {
    await status.selectOption('All');
    await ginny.getByLabel('Watched').check();
    await show(ginny);
    await expect(names(ginny)).toHaveText(['Mirror']);
    await expect(ginny.locator('.catalogue.grid')).toBeVisible();
    await ginny.getByRole('button', { name: 'Watch Mirror' }).click();
    await expect(ginny.getByText('No items match')).toBeVisible();
  });
});

test('pages of a long catalogue keep their place', async ({ page }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);
  const numbers = Array.from({ length: 52 }, (_, at) => at + 1);
  await Promise.all(
    numbers.map((lotNumber) => {
      const item = { name: `Jar ${lotNumber}`, lotNumber, currencyCode: 'GBP', isPublished: true };
      return created(page.request, `/api${auction}/items`, item);
    }),
  );
  await page.goto(auction);
  await expect(names(page)).toHaveCount(50);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(names(page)).toHaveText(['Jar 51', 'Jar 52']);
  const place = page.url();

  await test.step('“Back” returns to the page', async () => {
    await page.getByRole('link', { name: 'Jar 52' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Jar 52' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(place);
    await expect(names(page)).toHaveText(['Jar 51', 'Jar 52']);
  });

  await test.step('a button returns to the page', async () => {
    await page.getByRole('button', { name: 'Watch Jar 51' }).click();
    await expect(page.getByRole('button', { name: 'Watch Jar 51' })).toHaveAttribute('aria-pressed', 'true');
    await expect(names(page)).toHaveText(['Jar 51', 'Jar 52']);
  });

  await test.step('another order has pages of its own', async () => {
    await page.getByRole('link', { name: 'First page' }).click();
    await expect(names(page)).toHaveCount(50);
    await page.getByLabel('Sort by').selectOption('Newest');
    await show(page);
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(names(page)).toHaveCount(2);
    await expect(page.getByLabel('Sort by').locator('option:checked')).toHaveText('Newest');
  });
});
