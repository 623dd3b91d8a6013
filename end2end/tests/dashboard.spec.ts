import type { Page } from '@playwright/test';

import { ITEMS, busyBidder } from '../fixtures/dashboard.ts';
import { register, signInByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

/** Pixels of a row: those of its picture with its edges. On a phone a line with the name is above. */
const ROWS = [
  { viewport: { width: 390, height: 844 }, most: 77 },
  { viewport: { width: 1280, height: 900 }, most: 74 },
];

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a user sees what to do next and bids the least that leads again', async ({ page }) => {
  const luna = await register(page.request, 'Luna');
  await page.goto('/dashboard');
  await expect(page.getByRole('main')).toContainText('Nothing here yet');
  // The dashboard follows its user's bids and reloads itself, which would abort the next navigation.
  await page.goto('about:blank');
  await busyBidder(page.request);
  await page.context().clearCookies();
  await signInByForm(page, luna);
  await expect(page).toHaveURL(/\/dashboard$/);

  for (const [name, item] of [
    ['Outbid', ITEMS.outbid],
    ['Ends soon', ITEMS.leading],
    ['Leading', ITEMS.leading],
    ['Won', ITEMS.won],
    ['Watched', ITEMS.watched],
    ['Selling', 'Garden gnome'],
  ] as const) {
    await expect(section(page, name).getByRole('heading', { level: 3 }), name).toHaveText([item]);
  }
  await expect(section(page, 'Won')).toContainText('To pay');
  await section(page, 'Outbid').getByRole('link', { name: /^Bid 25 Guild gold on Brass lamp/ }).click();
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('25');
  await page.getByRole('button', { name: 'Place bid' }).click();
  await expect(page.getByRole('main')).toContainText(/leads|You lead/);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(section(page, 'Leading').getByRole('heading', { level: 3 })).toHaveText([ITEMS.outbid, ITEMS.leading]);
  await expect(section(page, 'Outbid')).toHaveCount(0);

  await page.getByRole('link', { name: 'All my bids' }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(3);
  await page.getByRole('link', { name: 'Won', exact: true }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([ITEMS.won]);
});

test('a row is as high as its picture, on a phone and on a desktop', async ({ page }) => {
  await register(page.request, 'Luna');
  await busyBidder(page.request);
  for (const { viewport, most } of ROWS) {
    await page.setViewportSize(viewport);
    await page.goto('/dashboard');
    const rows = await page.locator('.own-row').evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(rows.length).toBeGreaterThan(4);
    for (const height of rows) {
      expect(height, `pixels at a width of ${viewport.width}`).toBeGreaterThanOrEqual(72);
      expect(height, `pixels at a width of ${viewport.width}`).toBeLessThanOrEqual(most);
    }
  }
});
