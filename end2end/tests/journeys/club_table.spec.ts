import { created, test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { picture } from '../../fixtures/pictures.ts';
import { expect } from '../../fixtures/test.ts';

const LOTS = 120;
/** Lots with a picture: those that are dropped at once, each named after its lot. */
const PICTURES = 12;

const nameOf = (lot: number) => `Box ${lot} of parts`;

test('a club imports 120 lots from a table, and adds their pictures', async ({ page, look, javaScriptEnabled }) => {
  const main = page.getByRole('main');
  await registerByForm(page, 'Colin');
  const { id } = await created(page.request, '/api/auctions', { name: 'Surplus sale', itemEndMode: 'AUCTION_END', currencyCode: 'EUR' });
  const auction = `/auctions/${id}`;
  const images = async (lot: number): Promise<object[]> => {
    const { items } = await (await page.request.get(`/api${auction}/items?q=${encodeURIComponent(nameOf(lot))}`)).json();
    return items.find((item: { name: string }) => item.name === nameOf(lot)).images;
  };

  await test.step('the table is previewed and imported', async () => {
    await page.goto(auction);
    await main.getByRole('link', { name: 'Add many lots' }).click();
    await main.getByRole('link', { name: 'Import a table' }).click();
    const rows = Array.from({ length: LOTS }, (_, at) => `${nameOf(at + 1)};${at + 1},50;KM-${at + 1};yes`);
    const table = `name;minimum;lot;published\n${rows.join('\n')}\n`;
    const file = { name: 'lots.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    await page.getByLabel('Or a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('status').first()).toContainText(`${LOTS} rows can be imported.`);
    await look(page, 'preview');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('status')).toContainText(`${LOTS} lots created`);
    await page.getByRole('link', { name: 'Show the auction' }).click();
    await expect(page.locator('.catalogue-row').first()).toContainText('KM-1');
    await look(page, 'auction');
  });

  await test.step('pictures', async () => {
    const file = (lot: number) => ({ name: `${nameOf(lot)}.png`, mimeType: 'image/png', buffer: picture(320, 240, 20 * lot) });
    for (let lot = 1; lot <= (javaScriptEnabled ? PICTURES : 2); lot += 1) {
      await page.goto(`${auction}?q=${encodeURIComponent(nameOf(lot))}`);
      await page.getByRole('link', { name: nameOf(lot), exact: true }).click();
      await page.goto(`${new URL(page.url()).pathname}/pictures`);
      await page.locator('input[name="image"]').setInputFiles(file(lot));
      await page.getByRole('button', { name: 'Upload' }).click();
      await expect(page.locator('.pictures').getByRole('listitem')).toHaveCount(1);
      expect(await images(lot)).toHaveLength(1);
    }
    await page.goto(auction);
    await expect(page.locator('.catalogue-picture').first()).toBeVisible();
    await look(page, 'auction-with-pictures');
  });
});
