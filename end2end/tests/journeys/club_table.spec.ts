import type { Page } from '@playwright/test';

import { Effort } from '../../fixtures/effort.ts';
import { test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { picture } from '../../fixtures/pictures.ts';
import { expect } from '../../fixtures/test.ts';

const LOTS = 120;
/** Clicks of an organizer from the list of auctions until bidders see all lots with their pictures. */
const CLICKS = 20;
/** Lots that get their pictures on their own pages where there is no JavaScript. */
const ON_THEIR_PAGES = 2;

const nameOf = (lot: number) => `Box ${lot} of parts`;
const file = (lot: number) => ({ name: `${nameOf(lot)}.png`, mimeType: 'image/png', buffer: picture(32, 24, 2 * lot) });

interface Lot {
  name: string;
  isPublished: boolean;
  images: object[];
}

async function lotsOf(page: Page, auction: string): Promise<Lot[]> {
  const lots: Lot[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { items, nextCursor } = await (await page.request.get(`/api${auction}/items?limit=100${after}`)).json();
    lots.push(...items);
    cursor = nextCursor;
  }
  return lots;
}

test('a club imports 120 lots from a table, and adds their pictures', async ({ page, look, javaScriptEnabled }) => {
  const main = page.getByRole('main');
  await registerByForm(page, 'Colin');
  await page.goto('/auctions');
  const effort = new Effort(page);

  const auction = await test.step('the table is previewed and imported', async () => {
    await effort.click(main.getByRole('link', { name: 'New auction' }).first());
    await effort.click(page.getByLabel('Name', { exact: true }));
    await effort.type('Surplus sale');
    await effort.click(page.getByRole('button', { name: 'Create auction' }).last());
    await effort.click(main.getByRole('link', { name: 'Add many lots' }));
    await effort.click(main.getByRole('link', { name: 'Import a table' }));
    const rows = Array.from({ length: LOTS }, (_, at) => `${nameOf(at + 1)};${at + 1},50;KM-${at + 1}`);
    const table = `name;minimum;lot\n${rows.join('\n')}\n`;
    await effort.choose(page.getByLabel('Or a file'), { name: 'lots.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await effort.click(page.getByRole('button', { name: 'Preview' }));
    await expect(page.getByRole('status').first()).toContainText(`${LOTS} rows can be imported.`);
    await look(page, 'preview');
    await effort.click(page.getByRole('button', { name: 'Import', exact: true }));
    await expect(page.getByRole('status')).toContainText(`${LOTS} lots created`);
    await look(page, 'imported');
    return new URL(page.url()).pathname.replace(/\/items\/import$/, '');
  });

  await test.step('pictures', async () => {
    if (javaScriptEnabled) {
      await effort.click(main.getByRole('link', { name: 'Add pictures to lots' }));
      const files = Array.from({ length: LOTS }, (_, at) => file(at + 1));
      await effort.choose(page.getByLabel('Pictures', { exact: true }), files);
      await effort.click(page.getByRole('button', { name: 'Add the pictures' }));
      await expect(page.locator('.lots-sent')).toHaveText(`${LOTS} of ${LOTS} pictures sent`, { timeout: 120_000 });
      await effort.click(page.getByRole('link', { name: 'Surplus sale' }).first());
    } else {
      for (let lot = 1; lot <= ON_THEIR_PAGES; lot += 1) {
        await page.goto(`${auction}?q=${encodeURIComponent(nameOf(lot))}`);
        await page.getByRole('link', { name: nameOf(lot), exact: true }).click();
        await page.goto(`${new URL(page.url()).pathname}/pictures`);
        await page.locator('input[name="image"]').setInputFiles(file(lot));
        await page.getByRole('button', { name: 'Upload' }).click();
        await expect(page.locator('.pictures').getByRole('listitem')).toHaveCount(1);
      }
      await page.goto(auction);
    }
    await effort.click(page.getByRole('button', { name: `Show all ${LOTS} drafts` }));
    await expect(page.locator('.catalogue-row').first()).toContainText('KM-1');
    await expect(page.locator('.catalogue-picture').first()).toBeVisible();
    await look(page, 'auction-with-pictures');
  });

  const lots = await lotsOf(page, auction);
  expect(lots).toHaveLength(LOTS);
  expect(lots.every((lot) => lot.isPublished)).toBe(true);
  expect(lots.filter((lot) => lot.images.length === 1)).toHaveLength(javaScriptEnabled ? LOTS : ON_THEIR_PAGES);
  console.log(`120 lots: ${effort.clicks} clicks`);
  if (javaScriptEnabled) {
    expect(effort.clicks).toBeLessThanOrEqual(CLICKS);
  }
});
