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
