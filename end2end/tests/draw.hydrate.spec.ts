import { expect, test } from '../fixtures/test.ts';

test('a draw is repeated as its facts are typed, without a request', async ({ page }) => {
  await page.goto('/draw');
  await expect(page.locator('form.hydrated')).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const winners = page.getByRole('status', { name: 'Winners' });
  await expect(winners).toHaveText('Enter the seed and the tickets.');
  await page.getByLabel('Tickets').fill('Ada 999999\nBo 1');
  await page.getByLabel('Item').fill('lot');
  await page.getByLabel('Seed').fill('0001');
  await expect(winners).toHaveText('Seed: enter its 64 digits, 0–9 and a–f.');
  const bytes = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  await page.getByLabel('Seed').fill(bytes.join(''));
  const rows = winners.getByRole('row');
  await expect(rows).toHaveText(['CopyTicketHolder', '1238852Ada']);
  await page.getByLabel('Copies').fill('3');
  await expect(rows).toHaveText(['CopyTicketHolder', '1238852Ada', '21000000Bo']);
  await expect(winners).toContainText('630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd');
  await page.getByLabel('After a win').selectOption('only the drawn ticket leaves');
  await expect(rows).toHaveCount(4);
  await page.getByLabel('Copies').press('Enter');
  expect(asked).toEqual([]);
});
