import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { TestBench, auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';

test('a currency is created from a template, rules are added and ordered, and both are deleted', async ({ page, pageConsole }) => {
  await register(page.request, 'Rowena');
  const auction = await auctionOfMine(page.request);

  await test.step('a template is tried in the test bench and fills in the form', async () => {
    await page.goto(`${auction}/currencies`);
    await page.getByRole('link', { name: /^Galleons, sickles, knuts/ }).click();
    await expect(new TestBench(page).field('Galleon')).toBeVisible();
    await page.getByRole('link', { name: 'Use this' }).click();
    await expect(page.getByLabel('Denomination 1: name')).toHaveValue('Galleon');
    await expect(page.getByLabel('Denomination 2: worth')).toHaveValue('29');
    await page.getByRole('button', { name: 'Save currency' }).click();
    await expect(page.getByRole('heading', { level: 3, name: /Wizarding money/ })).toBeVisible();
    await expect(page.getByText('493 Knuts', { exact: true })).toBeVisible();
    await expect(page.getByText('Default currency')).toBeVisible();
  });

  const rules = page.getByRole('main').locator('.rules').getByRole('listitem');
  await test.step('rules are listed as sentences', async () => {
    await page.getByRole('link', { name: /^Share of the value/ }).click();
    await page.getByLabel('Denomination', { exact: true }).selectOption('Galleon');
    await page.getByLabel('Minimum share').fill('50');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(rules).toHaveCount(1);
    await page.getByRole('link', { name: /^Minimum increment/ }).click();
    await page.getByRole('textbox', { name: 'Amount' }).first().fill('5');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(rules.nth(0)).toContainText('At least half of the value in Galleons');
    await expect(rules.nth(1)).toContainText('At least 5 Knuts above the highest bid');
  });

  await test.step('rules can be ordered and switched off', async () => {
    await page.getByRole('button', { name: 'Move up: At least 5 Knuts above the highest bid' }).click();
    await expect(rules.nth(0)).toContainText('At least 5 Knuts');
    await page.getByRole('button', { name: /^Switch off: At least half/ }).click();
    await expect(rules.nth(1)).toContainText('switched off');
    await page.getByRole('button', { name: /^Switch on: At least half/ }).click();
    await expect(rules.nth(1)).not.toContainText('switched off');
  });

  await test.step('a currency that a rule refers to can’t be deleted', async () => {
    pageConsole.allow(/status of 409/);
    await page.getByRole('link', { name: 'Edit Wizarding money' }).click();
    await page.getByRole('button', { name: 'Delete Wizarding money' }).click();
    await expect(page.getByRole('alert')).toContainText('rule');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Wizarding money');
    await page.getByRole('link', { name: 'Cancel' }).click();
  });

  await test.step('a rule and a currency can be deleted', async () => {
    for (const words of [/^Edit: At least half/, /^Edit: At least 5/]) {
      await page.getByRole('link', { name: words }).click();
      await page.getByRole('button', { name: 'Delete rule' }).click();
      await expect(page.getByText('The rule is deleted.')).toBeVisible();
    }
    await expect(page.getByText('No rules yet')).toBeVisible();
    await page.getByRole('link', { name: 'Edit Wizarding money' }).click();
    await page.getByRole('button', { name: 'Delete Wizarding money' }).click();
    await expect(page.getByText('Without its own currency')).toBeVisible();
  });
});

test('the form of an invalid currency keeps the typed values', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of (422|409)/);
  await register(page.request, 'Helga');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/currencies/new?template=own`);
  await page.getByLabel('Name', { exact: true }).fill('House money');
  await page.getByLabel('By denomination').check();
  await page.getByLabel('Denomination 2: name').fill('Badge');
  await page.getByLabel('Denomination 2: worth').fill('a lot');
  await page.getByLabel('What one is worth').fill('1');
  await page.getByRole('button', { name: 'Save currency' }).click();

  await expect(page.getByRole('alert').getByRole('link', { name: /^Denomination 2/ })).toBeVisible();
  await expect(page.getByLabel('Denomination 2: worth')).toHaveValue('a lot');
  await expect(page.getByLabel('Denomination 2: worth')).toHaveAttribute('aria-invalid', 'true');
  const kept = await (await page.request.get(`/api${auction}/currencies`)).json();
  expect(kept.currencies).toEqual([]);

  await page.getByLabel('Denomination 2: worth').fill('10');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await expect(page.getByText('The currency is saved.')).toBeVisible();
  const [currency] = (await (await page.request.get(`/api${auction}/currencies`)).json()).currencies;
  expect(currency).toMatchObject({ code: 'HOUSE_MONEY', denominations: [{ code: 'BADGE', factor: '10' }] });
});

test('the steps of a ladder are typed in one field', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Sybill');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Points/);
  await page.getByRole('link', { name: /^Auctioneer’s steps/ }).click();
  const ladder = page.getByLabel('Values');
  await expect(ladder).toHaveValue(/100.*120.*150/);
  await ladder.fill('100 90');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByRole('alert').getByRole('link', { name: /amounts that rise/ })).toBeVisible();
  await expect(ladder).toHaveValue('100 90');
  await ladder.fill('100, 200, 500');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByText('The rule is saved.')).toBeVisible();
  const [rule] = (await (await page.request.get(`/api${auction}/currency-rules`)).json()).rules;
  expect(rule.params).toEqual({ ladder: ['100', '200', '500'] });
});

test('currencies and rules are copied from another auction and from a file, after a preview', async ({ page }) => {
  await register(page.request, 'Filius');
  const first = await auctionOfMine(page.request);
  await makeCurrency(page, first, /^Pounds, shillings, pence/);
  const second = await auctionOfMine(page.request);
  await page.goto(`${second}/currencies`);
  await page.getByRole('link', { name: 'Copy or import' }).click();
  const preview = page.getByRole('button', { name: 'Preview', exact: true });
  await preview.click();
  await expect(page.getByText('Nothing can be added: Choose an auction of the list.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Auction' }).selectOption({ index: 1 });
  await preview.click();
  await expect(page.getByText('Nothing is written yet')).toBeVisible();
  await expect(new TestBench(page).field('Pound')).toBeVisible();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('The currencies and rules are added.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as JSON' }).click();
  const file = await (await download).path();
  const third = await auctionOfMine(page.request);
  await page.goto(`${third}/currencies/import`);
  await page.getByLabel('Or a file').setInputFiles(file);
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('heading', { level: 3, name: /Old money/ })).toBeVisible();
});

test('the second of two concurrent changes of a currency is refused', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 412/);
  await register(page.request, 'Godric');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Tickets/);
  await page.getByRole('link', { name: 'Edit Ticket' }).click();
  const id = new URL(page.url()).pathname.split('/').pop();
  const patched = await page.request.patch(`/api${auction}/currencies/${id}`, { data: { symbol: 'tkt' } });
  expect(patched.status()).toBe(200);
  await page.getByLabel('Name', { exact: true }).fill('Raffle ticket');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Raffle ticket');
  const [currency] = (await (await page.request.get(`/api${auction}/currencies`)).json()).currencies;
  expect(currency).toMatchObject({ name: 'Ticket', symbol: 'tkt' });
});

test('an ISO currency has its own fraction digits', async ({ page }) => {
  await register(page.request, 'Salazar');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/currencies`);
  await page.getByRole('link', { name: /^Any ISO currency/ }).click();
  await page.getByLabel('Currency').selectOption('KWD');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Digits after the point')).toHaveValue('3');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await expect(page.getByText('3 digits after the point')).toBeVisible();
});

test('the minimum of an item is entered in the auction’s currency', async ({ page }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Pounds, shillings, pence/);
  await page.goto(`${auction}/items/new`);
  await page.getByLabel('Name').fill('A tea caddy');
  await page.getByLabel('Pound').fill('2');
  await page.getByLabel('Penny').fill('6');
  await page.getByRole('button', { name: 'Create item' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A tea caddy' })).toBeVisible();
  const item = await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json();
  expect(item.minBidNormalized).toBe('486');
});

test('a bidder sees currencies and rules but can’t change them', async ({ page, another }) => {
  const owner = await another('Albus');
  const auction = await auctionOfMine(owner.page.request);
  await makeCurrency(owner.page, auction, /^Points/);
  await register(page.request, 'Cho');
  await page.goto(`${auction}/currencies`);
  await expect(page.getByRole('heading', { level: 3, name: /Point/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Edit|New currency|Minimum increment/ })).toHaveCount(0);
  const answer = await page.request.get(`${auction}/currencies/new?template=points`);
  expect(await answer.text()).not.toContain('Save currency');
});

test('the base unit is named on the currencies page', async ({ page }) => {
  await register(page.request, 'Pomona');
  const answer = await page.request.post('/api/auctions', { data: { name: 'Attic finds' } });
  const auction = `/auctions/${(await answer.json()).id}`;
  await makeCurrency(page, auction, /^Points/);
  // The template has named it.
  await page.getByText('Every bid is compared in Points').click();
  await page.getByLabel('Unit name').fill('House point');
  await page.getByLabel('Several of them').fill('House points');
  await page.getByRole('button', { name: 'Save the unit' }).click();
  await expect(page.getByText('Every bid is compared in House points')).toBeVisible();
  await expect(page.getByText('1 House point', { exact: true })).toBeVisible();
});
