import { register } from '../fixtures/people.ts';
import { bidBy, openItem } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';

test('results say prices as they were bid, and base units on request', async ({ page, farthing, expectAccessible }) => {
  await register(page.request, 'Griphook');
  const { auction, item } = await openItem(page.request);
  await bidBy(farthing.url, auction, 'Ada', [[item, 3, 2]]);
  expect((await page.request.post(`/api${auction}/close`, { data: {} })).status()).toBe(200);
  await page.goto(`${auction}/results`);
  const knuts = page.getByText(/1.?537.Knuts/);
  await expect(page.getByText('3 Galleons').first()).toBeVisible();
  await expect(knuts.filter({ visible: true })).toHaveCount(0);
  await page.getByLabel('Show Knuts too').check();
  await expect(knuts.filter({ visible: true })).not.toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`${auction}/results?winner=${await page.locator('option', { hasText: 'Ada' }).getAttribute('value')}`);
  await expect(knuts.filter({ visible: true })).toHaveCount(0);
  await page.getByLabel('Show Knuts too').check();
  await expect(knuts.filter({ visible: true })).not.toHaveCount(0);
});
