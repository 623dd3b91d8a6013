import { readFile } from 'node:fs/promises';

import { created } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const TABLE = `Autumn sale
Lot #,Title,Donated by,Worth
007,A vase,Ann,40
8,A lamp,Ben,
`;

test('a table is imported once it is known what its columns are', async ({ page, expectAccessible }) => {
  await register(page.request, 'Pomona');
  const auction = await created(page.request, '/api/auctions', { name: 'Club sale', currencyCode: 'EUR' });
  const items = async () => (await (await page.request.get(`/api/auctions/${auction.id}/items`)).json()).items;
  await page.goto(`/auctions/${auction.id}/items/import`);
  await page.getByLabel('Rows', { exact: true }).fill(TABLE);
  const button = page.getByRole('button', { name: 'Import', exact: true });

  await test.step('nothing is imported while a column is left out that nobody has seen', async () => {
    await button.click();
    await expect(page.getByRole('alert')).toContainText('These columns are not read: Donated by, Worth');
    await expect(page.getByText('Row 1 stands above the header')).toBeVisible();
    expect(await items()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wider, 'pixels of horizontal scrolling').toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  await test.step('a column is chosen, and the other one is left out', async () => {
    await expect(page.getByLabel('Read Lot # as')).toHaveValue('lot:Lot #');
    await page.getByLabel('Read Worth as').selectOption('Estimate');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByText('This column is not read: Donated by')).toBeVisible();
    await button.click();
    await expect(page.getByText('2 lots created, 0 changed.')).toBeVisible();
    const found = (await items()).map(({ lotNumber, name, estimate }: Record<string, unknown>) => [lotNumber, name, estimate]);
    expect(found).toEqual([['007', 'A vase', '40'], ['8', 'A lamp', null]]);
  });
});

test('the wrong rows of a table are downloaded, corrected and imported', async ({ page }) => {
  await register(page.request, 'Sybil');
  const auction = await created(page.request, '/api/auctions', { name: 'Club sale', currencyCode: 'EUR' });
  await page.goto(`/auctions/${auction.id}/items/import`);
  await page.getByLabel('Rows', { exact: true }).fill('lot,name,minimum\n1,A vase,4\n2,A lamp,four\n3,,2\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('`four` in C3')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the wrong rows' }).click();
  const wrong = await readFile(await (await download).path(), 'utf8');
  expect(wrong.replace('\u{feff}', '').split('\r\n').map((row) => row.split(',').slice(0, 3))).toEqual([
    ['lot', 'name', 'minimum'], ['2', 'A lamp', 'four'], ['3', '', '2'], [''],
  ]);
  await expect(page.getByLabel('Rows', { exact: true })).toHaveValue(/A vase,4/);

  const corrected = wrong.replace('four', '5').replace('3,,2', '3,A hat,2');
  await page.getByLabel('Or a file').setInputFiles({
    name: 'corrected.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('2 lots created, 0 changed.')).toBeVisible();
});
