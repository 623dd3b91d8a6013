import type { Page } from '@playwright/test';

import { test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { created } from '../fixtures/journey.ts';
import { expect } from '../fixtures/test.ts';

const LOTS = 60;
const USED = 3;
const PIXELS_PER_MM = 96 / 25.4;

/** How many pages the print has. */
async function pages(page: Page, format: string, margin: string): Promise<number> {
  const margins = { top: margin, right: margin, bottom: margin, left: margin };
  const pdf = await page.pdf({ format, margin: margins, preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** The place of a label on its sheet, and its size, in millimetres. */
async function place(page: Page, lot: number) {
  const label = page.locator('.lot-label').filter({ has: page.getByRole('img', { name: `QR code of lot ${lot}`, exact: true }) });
  const [sheet, box] = [await label.locator('xpath=ancestor::ul').boundingBox(), await label.boundingBox()];
  const mm = (pixels: number) => Math.round((pixels / PIXELS_PER_MM) * 10) / 10;
  return { x: mm(box!.x - sheet!.x), y: mm(box!.y - sheet!.y), width: mm(box!.width), height: mm(box!.height) };
}

test('all lots are printed at once, on sheets of labels from the first free one', async ({ page, look }) => {
  await register(page.request, 'Pomona');
  const { id } = await created(page.request, '/api/auctions', { name: 'Antiques club', joinMode: 'LINK', currencyCode: 'EUR' });
  for (let lot = 1; lot <= LOTS; lot += 1) {
    const name = lot === 5 ? 'A mantel clock of carved oak with a movement of brass, which strikes the hours and the quarters' : `Basket ${lot}`;
    const item = { name, estimate: '40 to 60 €', description: 'Oak. '.repeat(60), currencyCode: 'EUR', isPublished: true };
    await created(page.request, `/api/auctions/${id}/items`, item);
  }
  await page.goto(`/auctions/${id}/share?print=labels`);
  await expect(page.locator('.lot-label')).toHaveCount(LOTS);
  await look(page, 'plain');

  for (const [choice, name, perSheet, first, fourth] of [
    ['Labels of 63.5 × 38.1 mm: 21 on A4', 'a4', 21, { x: 7.2, y: 53.2, width: 63.5, height: 38.1 }, { x: 73.2, y: 53.2 }],
    ['Labels of 66.7 × 25.4 mm: 30 on Letter', 'letter', 30, { x: 4.8, y: 38.1, width: 66.7, height: 25.4 }, { x: 74.6, y: 38.1 }],
  ] as const) {
    await test.step(choice, async () => {
      await page.getByLabel('Sheets').selectOption(choice);
      await page.getByLabel('First free label').fill(String(USED + 1));
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByText('Print at 100 %')).toBeVisible();
      await expect(page.getByLabel('First free label')).toHaveValue(String(USED + 1));
      await look(page, `${name}-form`);
      const sheets = Math.ceil((USED + LOTS) / perSheet);
      expect(await pages(page, 'A4', '0')).toBe(sheets);
      await page.emulateMedia({ media: 'print' });
      // The fourth place is the first one of the second row.
      expect(await place(page, 1)).toEqual(first);
      expect(await place(page, 2)).toMatchObject(fourth);
      const beyond = await page.locator('.lot-label').evaluateAll((labels) =>
        labels.filter((label) => label.scrollHeight > label.clientHeight + 1 || label.scrollWidth > label.clientWidth + 1).length);
      expect(beyond, 'labels that are too small for their words').toBe(0);
      await page.emulateMedia({ media: null });
    });
  }

  await test.step('two bid sheets are on a page', async () => {
    await page.getByRole('link', { name: 'Bid sheets' }).click();
    await expect(page.locator('.bid-sheet')).toHaveCount(LOTS);
    expect(await pages(page, 'A4', '1cm')).toBe(LOTS / 2);
    expect(await pages(page, 'Letter', '1.27cm')).toBe(LOTS / 2);
    await page.emulateMedia({ media: 'print' });
    const cut = await page.locator('.bid-sheet').evaluateAll((sheets) => sheets.filter((sheet) => sheet.scrollHeight > sheet.clientHeight + 1).length);
    expect(cut, 'bid sheets of which something is cut off').toBe(0);
  });
});
