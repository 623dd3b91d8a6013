import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { TestBench, auctionOfMine } from '../fixtures/currencies.ts';

test('a guessed plural is seen and can be changed, and a piece need not be written', async ({ page }) => {
  await register(page.request, 'Pomona');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/currencies/new?template=own`);
  await page.getByLabel('By denomination').check();
  const plural = page.getByLabel('Denomination 1: several');
  const guesses = { Penny: 'Pennies', Cross: 'Crosses', Boy: 'Boys', Grosz: 'Groszes', Points: '' };
  for (const [name, guess] of Object.entries(guesses)) {
    await page.getByLabel('Denomination 1: name').fill(name);
    await expect(plural).toHaveValue(guess);
  }
  await page.getByLabel('Denomination 1: name').fill('Penny');
  await plural.fill('Pence');
  await page.getByLabel('Denomination 1: name').fill('Old penny');
  await expect(plural, 'what was typed stays').toHaveValue('Pence');
  await page.getByLabel('Denomination 1: worth').fill('1');
  await page.getByLabel('Denomination 2: name').fill('Guinea');
  await page.getByLabel('Denomination 2: worth').fill('252');
  await page.getByLabel('Denomination 2: not used in writing').check();
  await page.getByLabel('Name', { exact: true }).fill('Old money');
  await page.getByLabel('What one is worth').fill('1');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await expect(page.getByText('The currency is saved.')).toBeVisible();
  const [currency] = (await (await page.request.get(`/api${auction}/currencies`)).json()).currencies;
  expect(currency.denominations).toMatchObject([
    { name: 'Old penny', plural: 'Pence', written: true },
    { name: 'Guinea', plural: 'Guineas', written: false },
  ]);
  await page.getByRole('link', { name: 'Edit Old money' }).click();
  await expect(page.getByLabel('Denomination 2: not used in writing')).toBeChecked();
});

test('a template is tried in the test bench with the names of its pieces', async ({ page }) => {
  await register(page.request, 'Garrick');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/currencies/new`);
  await page.getByRole('link', { name: /^Pounds, shillings, pence/ }).click();
  const bench = new TestBench(page);
  await bench.field('Pound').fill('£1 2s 6d');
  await expect(bench.normalized).toContainText('270');
  await bench.field('Shilling').fill('3');
  await expect(bench.violations).not.toHaveCount(0);
  await bench.field('Pound').fill('1');
  await expect(bench.violations).toHaveCount(0);
  await expect(bench.normalized).toContainText('276');
  await page.getByRole('link', { name: 'Use this' }).click();
  await expect(page.getByLabel('Denomination 2: name')).toHaveValue('Pound');
});

test('the number typed in one currency does not become one in another', async ({ page, another }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionOfMine(page.request);
  for (const [code, name, rateToBase] of [['GOLD', 'Gold', 20], ['SILVER', 'Silver', 5]] as const) {
    const made = { code, name, rateToBase, inputMode: 'SCALAR' };
    expect((await page.request.post(`/api${auction}/currencies`, { data: made })).status()).toBe(201);
  }
  const item = await page.request.post(`/api${auction}/items`, { data: { name: 'A cauldron', isPublished: true } });
  const bidder = (await another('Seamus')).page;
  await bidder.goto(`${auction}/items/${(await item.json()).id}`);
  const amount = bidder.getByRole('textbox', { name: 'Amount' });
  const currency = bidder.getByLabel('Currency');
  await expect(bidder.locator('.bid-form.hydrated')).toBeVisible();
  await amount.fill('40');
  await currency.selectOption('Silver');
  await expect(amount).toHaveValue('');
  await amount.fill('7');
  await currency.selectOption('Gold');
  await expect(amount).toHaveValue('40');
});
