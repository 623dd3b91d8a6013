import type { Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm, registerHere, unregistered } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const POUNDS = { code: 'GBP', name: 'Pounds', symbol: '£', rateToBase: 1, precision: 2, inputMode: 'SCALAR' };

test('a club sells its members’ lots in steps, from registration to the last “collected”', async ({
  page,
  another,
  stranger,
  look,
  refresh,
  javaScriptEnabled,
  pageConsole,
}) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  const main = page.getByRole('main');
  const status = page.getByRole('status');
  await registerByForm(page, 'Colin');
  const { id } = await created(page.request, '/api/auctions', {
    name: 'Surplus sale',
    joinMode: 'LINK',
    baseUnit: { name: 'Pound', symbol: '£' },
  });
  const auction = `/auctions/${id}`;
  const currency = await created(page.request, `/api${auction}/currencies`, POUNDS);

  await test.step('bids go up in steps that depend on the amount', async () => {
    await page.goto(`${auction}/currencies`);
    await main.getByRole('link', { name: /^Steps/ }).click();
    await page.getByLabel('Tiers').check();
    await page.getByLabel('Tier 1: step').fill('0.50');
    await page.getByLabel('Tier 2: from').fill('10');
    await page.getByLabel('Tier 2: step').fill('1');
    await look(page, 'rule-new');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(page.getByText('The rule is saved.')).toBeVisible();
    await expect(main.locator('.rules').getByRole('listitem')).toContainText('then of 1 Pound');
    await look(page, 'currencies');
  });

  const { inviteToken } = await (await page.request.get(`/api${auction}`)).json();
  const [sal, una, bert] = await Promise.all(
    ['Sal', 'Una', 'Bert'].map(async (name) => {
      const member = (await another(name)).page;
      await created(member.request, `/api${auction}/join`, { inviteToken });
      return member;
    }),
  ) as [Page, Page, Page];

  await test.step('a member becomes a seller', async () => {
    await page.goto(`${auction}/members`);
    const member = main.getByRole('listitem').filter({ hasText: 'Sal' });
    await member.getByText('Change', { exact: true }).click();
    await look(page, 'members');
    await page.getByLabel('Role of Sal').selectOption('Seller: adds items');
    await member.getByRole('button', { name: 'Change role' }).click();
    await expect(status).toHaveText('The role is changed.');
    await expect(member).toContainText(/Sal\s*Seller/);
  });

  const ann = await stranger();
  await test.step('an admin is invited, and registers with the invitation', async () => {
    const person = unregistered('Ann');
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Role', { exact: true }).selectOption('Admin: manages all');
    await page.getByRole('button', { name: 'Invite' }).click();
    await expect(status).toContainText('The invitation is ready');
    await look(page, 'members-invited');
    await ann.goto(await page.getByLabel(`Link for ${person.email}`).inputValue());
    await expect(ann.getByText('Colin invites you to this auction as an admin.')).toBeVisible();
    await look(ann, 'invite');
    await ann.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await registerHere(ann, person);
    await ann.getByRole('button', { name: 'Join this auction' }).click();
    await expect(ann.getByRole('heading', { level: 1, name: 'Surplus sale' })).toBeVisible();
  });

  const radio = await test.step('a lot has a number and a seller', async () => {
    await page.goto(auction);
    await main.getByRole('link', { name: 'Add the first item' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Crystal radio');
    await page.getByLabel('Amount').fill('8');
    await page.getByLabel('Lot number').fill('12');
    await page.getByLabel('Seller').selectOption('Sal');
    await page.getByRole('button', { name: 'Create item' }).click();
    await expect(main).toContainText('Lot 12');
    await expect(main).toContainText('Sold by Sal');
    return new URL(page.url()).pathname;
  });

  await test.step('a seller sells, and can’t bid on an item of their own', async () => {
    await sal.goto(auction);
    await sal.getByRole('main').getByRole('link', { name: 'New item' }).click();
    await sal.getByLabel('Name', { exact: true }).fill('Oscilloscope');
    await sal.getByLabel('Amount').fill('20');
    await expect(sal.getByLabel('Lot number')).toHaveCount(0);
    await look(sal, 'item-new-seller');
    await sal.getByRole('button', { name: 'Create item' }).click();
    await expect(sal.getByRole('main')).toContainText('Lot 13');
    await sal.goto(radio);
    await expect(sal.getByText('This is your item: you can’t bid on it.')).toBeVisible();
    await expect(sal.getByRole('form', { name: 'Place a bid' })).toHaveCount(0);
    await look(sal, 'item-own');
  });

  await test.step('a bid between two steps is refused with what to do', async () => {
    await una.goto(radio);
    const form = new BidForm(una);
    await form.field('Amount').fill('10.20');
    if (!javaScriptEnabled) {
      await form.placeBid.click();
    }
    await expect(form.violations).toHaveCount(1);
    await expect(form.violations).toContainText('0.8');
    await look(una, 'item-refused');
    await form.field('Amount').fill('11');
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
    await bert.goto(`${auction}`);
    await bert.getByRole('link', { name: 'Oscilloscope' }).click();
    const his = new BidForm(bert);
    await his.field('Amount').fill('20');
    await his.placeBid.click();
    await expect(his.bids.first()).toContainText('You');
  });

  await test.step('an item with bids is edited', async () => {
    await page.goto(radio);
    await main.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByLabel('Amount')).toHaveCount(0);
    await page.getByLabel('Description').fill('With *headphones*.');
    await look(page, 'item-edit');
    await page.getByRole('button', { name: 'Save item' }).click();
    await expect(main).toContainText('With headphones.');
  });

  await test.step('a broken item is cancelled with a reason', async () => {
    const minBidConstraint = { currencyProfileId: currency.id, amount: 1 };
    const add = (name: string) => created(page.request, `/api${auction}/items`, { name, isPublished: true, minBidConstraint });
    const amplifier = await add('Amplifier');
    await add('Box of cables');
    await page.goto(`${auction}/items/${amplifier.id}`);
    const closing = page.getByRole('region', { name: 'Close the item' });
    await closing.getByText('Cancel item').click();
    await closing.getByLabel('Reason').fill('It smokes.');
    await look(page, 'item-cancel');
    await closing.getByRole('button', { name: 'Cancel the item' }).click();
    await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('It smokes.');
    await expect(page.getByText('Be the first to bid.')).toHaveCount(0);
    await look(page, 'item-cancelled');
  });

  await test.step('the settings are changed, and the auction is copied for the next sale', async () => {
    await page.goto(`${auction}/settings?subject=people`);
    await page.getByLabel('Members may invite bidders').check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(status).toHaveText('The settings are saved.');
    await page.goto(`${auction}/settings?subject=copy`);
    await page.getByLabel('Name of the copy').fill('Autumn sale');
    await page.getByLabel('Copy the items, too').check();
    await page.getByRole('button', { name: 'Copy the auction' }).click();
    await expect(status).toContainText('This is the copy.');
    await look(page, 'settings-copy');
    await page.getByRole('link', { name: 'Autumn sale' }).click();
    await expect(page.locator('.catalogue').getByRole('listitem')).toHaveCount(4);
    await expect(page.getByRole('heading', { name: 'Next steps' })).toHaveCount(0);
    await look(page, 'auction-copy');
  });

  await test.step('the auction gets a new owner, who closes it', async () => {
    await page.goto(`${auction}/members`);
    await page.getByRole('combobox', { name: 'New owner' }).selectOption('Ann');
    await page.getByRole('button', { name: 'Transfer the auction' }).click();
    await expect(status).toContainText('You are now an admin.');
    await ann.goto(`${auction}/settings?subject=close`);
    await ann.getByRole('checkbox', { name: 'Yes, end bidding on every item' }).check();
    await ann.getByRole('button', { name: 'Close the auction now' }).click();
    await expect(ann.getByRole('status')).toHaveText('The auction is closed.');
    await refresh(una);
    await expect(una.getByRole('region', { name: 'Bidding' })).toContainText('Hammer price');
  });

  await test.step('the results lead to the last mark', async () => {
    await page.goto(`${auction}/results`);
    await expect(main).toContainText(/Total\s*31/);
    await expect(main.getByRole('listitem').filter({ hasText: 'Box of cables' })).toContainText('Not sold');
    await expect(main.getByRole('listitem').filter({ hasText: 'Amplifier' })).toContainText('It smokes.');
    await look(page, 'results');
    await page.getByRole('link', { name: 'To pay', exact: true }).click();
    for (const item of ['Crystal radio', 'Oscilloscope']) {
      await page.getByRole('button', { name: `Mark paid: ${item}` }).click();
    }
    await page.getByRole('link', { name: 'Paid, to collect' }).click();
    for (const item of ['Crystal radio', 'Oscilloscope']) {
      await page.getByRole('button', { name: `Mark collected: ${item}` }).click();
    }
    await expect(page.getByText('No item is in this state.')).toBeVisible();
    await look(page, 'results-to-collect');
    await expect(page.getByRole('row', { name: /Una/ })).toContainText('Paid, collected');
    await expect(page.getByRole('row', { name: /Bert/ })).toContainText('Paid, collected');
  });
});
