import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { TestBench, auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';

test('the bench shows the value of a bid and the result of every rule at each keystroke', async ({ page }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Galleons, sickles, knuts/);
  await page.getByRole('link', { name: /^Required denomination/ }).click();
  await page.getByLabel('Denomination', { exact: true }).selectOption('Sickle');
  await page.getByLabel('Minimum count').fill('2');
  await page.getByRole('button', { name: 'Save rule' }).click();

  const bench = new TestBench(page);
  await expect(bench.form.getByRole('button', { name: 'Least bid' })).toBeEnabled();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await bench.field('Galleon').fill('3');
  await expect(bench.normalized).toContainText('1479 Knuts');
  await expect(bench.violations).toHaveText(['Add 2 Sickles (at least 2 needed).']);
  await expect(bench.rules.nth(1)).toContainText('At least 2 Sickles broken');
  await bench.field('Sickle').fill('2');
  await expect(bench.violations).toHaveCount(0);
  await expect(bench.rules.nth(1)).toContainText('kept');

  await bench.field('Highest bid so far').fill('2000');
  await expect(bench.rules.nth(0)).toContainText('broken');
  await bench.form.getByRole('button', { name: 'Least bid' }).click();
  await expect(bench.violations).toHaveCount(0);
  await expect(bench.rules.nth(0)).toContainText('kept');
  expect(asked).toEqual([]);
});

test('a bid between two steps is told the next one, and the least bid is on a step', async ({ page, pageConsole }) => {
  await register(page.request, 'Godric');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Tickets/);
  await page.getByRole('link', { name: /^Steps/ }).click();
  await page.getByLabel('Tiers').check();
  await page.getByLabel('Tier 1: step').fill('5');
  await page.getByLabel('Tier 2: from').fill('100');
  pageConsole.allow(/status of 422/);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByText('Tier 2: enter the step as a number above 0.').first()).toBeVisible();
  await expect(page.getByLabel('Tier 1: step')).toHaveValue('5');
  await page.getByLabel('Tier 2: step').fill('25');
  await page.getByRole('button', { name: 'Save rule' }).click();
  const words = 'Bids go up in steps of 5 Tickets (5 Knuts), then of 25 Tickets (25 Knuts) from 100 Tickets (100 Knuts) up';
  await expect(page.getByRole('main').locator('.rules').getByRole('listitem')).toContainText([words]);

  const bench = new TestBench(page);
  await expect(bench.form.getByRole('button', { name: 'Least bid' })).toBeEnabled();
  await bench.field('Amount').fill('13');
  await expect(bench.violations).toHaveText(['Add 2 Tickets (2 Knuts): the next step is 15 Tickets (15 Knuts).']);
  await expect(bench.rules.nth(1)).toContainText('broken');
  await bench.field('Highest bid so far').fill('99');
  await bench.form.getByRole('button', { name: 'Least bid' }).click();
  await expect(bench.field('Amount')).toHaveValue('100');
  await expect(bench.violations).toHaveCount(0);
  await bench.field('Highest bid so far').fill('100');
  await bench.form.getByRole('button', { name: 'Least bid' }).click();
  await expect(bench.field('Amount')).toHaveValue('125');
  await expect(bench.rules.nth(1)).toContainText('kept');
});

test('a stepper changes the count by one', async ({ page }) => {
  await register(page.request, 'Helga');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Gold, silver, copper/);
  const bench = new TestBench(page);
  await expect(bench.form.getByRole('button', { name: 'Least bid' })).toBeEnabled();
  const more = bench.form.getByRole('button', { name: 'One more' }).nth(1);
  await more.click();
  await more.click();
  await expect(bench.field('Silver')).toHaveValue('2');
  await expect(bench.normalized).toContainText('200');
  await bench.form.getByRole('button', { name: 'One fewer' }).nth(1).click();
  await expect(bench.field('Silver')).toHaveValue('1');
});
