import type { Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

interface Card {
  code: string;
  number: string;
  pin: string;
}

test('a teacher prints a card for each child, and the children bid with them', async ({
  page,
  stranger,
  look,
  javaScriptEnabled,
}) => {
  const main = page.getByRole('main');
  await registerByForm(page, 'Minerva');

  const cards = await test.step('the teacher makes a group from a list of names', async () => {
    await page.goto('/groups');
    await look(page, 'groups-none');
    await main.getByRole('link', { name: 'New group' }).first().click();
    await look(page, 'group-new');
    await page.getByLabel('Name', { exact: true }).fill('Class 4b');
    await page.getByRole('button', { name: 'Create group' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Class 4b' })).toBeVisible();
    await look(page, 'group-empty');
    await page.getByLabel('Names').fill('Ada Lovelace\nBen\nCleo');
    await page.getByRole('button', { name: 'Add and show the cards' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Cards' })).toBeVisible();
    await look(page, 'cards');
    const cards = await main.locator('.group-card').evaluateAll((found) =>
      found.map((card) => [...card.querySelectorAll('dd')].map((cell) => cell.textContent!.trim())),
    );
    await page.emulateMedia({ media: 'print' });
    await expect(main.getByRole('link', { name: 'Back to the group' })).toBeHidden();
    await page.screenshot({ path: test.info().outputPath('printed.png'), fullPage: true });
    await page.emulateMedia({ media: null });
    // The PINs are shown only here: the page asks before it is left.
    const asked = javaScriptEnabled ? page.waitForEvent('dialog') : undefined;
    const left = main.getByRole('link', { name: 'Back to the group' }).click();
    await (await asked)?.accept();
    await left;
    await look(page, 'group');
    return cards.map(([, code, number, pin]) => ({ code, number, pin }) as Card);
  });
  expect(cards.map((card) => card.number)).toEqual(['1', '2', '3']);

  const auction = await test.step('the group is chosen for an auction', async () => {
    const baseUnit = { name: 'Ticket', symbol: 'T' };
    const { id } = await created(page.request, '/api/auctions', { name: 'Spring fair', baseUnit });
    const path = `/auctions/${id}`;
    const currency = await created(page.request, `/api${path}/currencies`, {
      code: 'TICKET', name: 'Ticket', inputMode: 'SCALAR', rateToBase: 1,
    });
    const minBidConstraint = { currencyProfileId: currency.id, amount: 8 };
    await created(page.request, `/api${path}/items`, { name: 'Cake', isPublished: true, minBidConstraint });
    await page.goto(`${path}/settings?subject=people`);
    await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Class 4b' });
    await look(page, 'settings');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('status')).toContainText('saved');
    await page.goto(path);
    await expect(main.getByText('Class 4b')).toBeVisible();
    await look(page, 'auction-of-group');
    return path;
  });

  async function child({ code, number, pin }: Card): Promise<Page> {
    const theirs = await stranger();
    if (javaScriptEnabled) {
      await theirs.goto(`/go#${code}.${number}.${pin}`);
      await expect(theirs.getByLabel('PIN')).toHaveValue(pin);
    } else {
      await theirs.goto('/go');
      await theirs.getByLabel('Code').fill(code);
      await theirs.getByLabel('Number').fill(number);
      await theirs.getByLabel('PIN').fill(pin);
    }
    await look(theirs, `go-${number}`);
    await theirs.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(theirs).not.toHaveURL(/\/go/);
    return theirs;
  }

  async function bid(theirs: Page, tickets: number): Promise<void> {
    await theirs.goto(auction);
    await theirs.getByRole('link', { name: 'Cake' }).click();
    const form = new BidForm(theirs);
    await form.field('Amount').fill(String(tickets));
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
  }

  await test.step('children sign in with their cards, and bid', async () => {
    const ada = await child(cards[0]!);
    await expect(ada).toHaveURL(auction);
    await look(ada, 'auction-of-child');
    await bid(ada, 9);
    await ada.goto('/account');
    await look(ada, 'account-of-child');
    const ben = await child(cards[1]!);
    await bid(ben, 12);
    await look(ben, 'item');
    await expect(new BidForm(ben).bids.nth(1)).toContainText('Ada Lovelace');
  });

  await test.step('a lost PIN is replaced', async () => {
    await page.goto('/groups');
    await main.getByRole('link', { name: 'Class 4b' }).click();
    await page.getByRole('checkbox', { name: 'New PIN for number 3' }).check();
    await page.getByRole('button', { name: 'New PINs for the ticked' }).click();
    await expect(main.locator('.group-card')).toHaveCount(1);
    const pin = await main.locator('.group-card dd').nth(3).textContent();
    await child({ ...cards[2]!, pin: pin!.trim() });
  });
});
