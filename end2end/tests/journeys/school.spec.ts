import type { Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { created, localTime, test } from '../../fixtures/journey.ts';
import { registerByForm, registerHere, unregistered } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const HOUR = 3_600_000;

test('a school sells for raffle tickets, from registration to the last “collected”', async ({
  page,
  stranger,
  look,
  refresh,
}) => {
  const main = page.getByRole('main');
  await registerByForm(page, 'Olive');

  await test.step('the organizer makes an auction whose items end together', async () => {
    await page.goto('/auctions');
    await look(page, 'auctions-none');
    await main.getByRole('link', { name: 'New auction' }).first().click();
    await page.getByRole('link', { name: 'All settings' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Spring fair');
    await page.getByLabel('Description').fill('Cakes and crafts. **Every ticket** pays for the school garden.');
    await expect(page.getByLabel('Anyone with the link')).toBeChecked();
    await page.getByLabel('End of the auction').fill(localTime(Date.now() + HOUR).slice(0, 16));
    await page.getByLabel('Unit name').fill('Raffle ticket');
    await page.getByLabel('Several of them').fill('Raffle tickets');
    await page.getByText('More settings').click();
    await page.getByLabel('All with the auction').check();
    await look(page, 'auction-new');
    await page.getByRole('button', { name: 'Create auction' }).click();
    await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible();
    await look(page, 'next-steps');
  });
  const auction = new URL(page.url()).pathname;

  await test.step('its currency comes from a template', async () => {
    await page.getByRole('link', { name: /^Tickets, points, coins/ }).click();
    await look(page, 'templates');
    await page.getByRole('link', { name: /^Tickets/ }).click();
    await page.getByRole('link', { name: 'Use this' }).click();
    await look(page, 'currency-new');
    await page.getByLabel('Name', { exact: true }).fill('Raffle ticket');
    await page.getByLabel('Several of them').fill('Raffle tickets');
    await page.getByRole('button', { name: 'Save currency' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible();
    await look(page, 'currencies');
    await page.getByRole('link', { name: 'Spring fair' }).click();
  });

  await test.step('items are added', async () => {
    await page.getByRole('link', { name: 'Add the first item' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Chocolate cake');
    await page.getByLabel('Amount').fill('8');
    await expect(page.getByLabel('End', { exact: true })).toHaveCount(0);
    await look(page, 'item-new');
    await page.getByRole('button', { name: 'Create item' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Chocolate cake' })).toBeVisible();
    await look(page, 'item-of-mine');
    const { currencies } = await (await page.request.get(`/api${auction}/currencies`)).json();
    for (const name of ['Knitted owl', 'Bird house']) {
      const minBidConstraint = { currencyProfileId: currencies[0].id, amount: 8 };
      await created(page.request, `/api${auction}/items`, { name, isPublished: true, minBidConstraint });
    }
  });

  const link = await test.step('the link and its code are shown in the room', async () => {
    await page.goto(auction);
    await main.getByRole('link', { name: 'Members' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the link to join' })).toBeVisible();
    await look(page, 'members');
    return page.getByLabel('Link to join', { exact: true }).inputValue();
  });

  /** A pupil registers through the link and joins. */
  async function pupil(name: string): Promise<Page> {
    const theirs = await stranger();
    await theirs.goto(link);
    await expect(theirs.getByRole('heading', { name: 'Spring fair' })).toBeVisible();
    await theirs.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await registerHere(theirs, unregistered(name));
    await expect(theirs).toHaveURL(link);
    await theirs.getByRole('button', { name: 'Join this auction' }).click();
    await expect(theirs.getByRole('link', { name: 'Chocolate cake' })).toBeVisible();
    return theirs;
  }

  const [ada, ben, cleo] = await test.step('three pupils join', async () => {
    const invited = await stranger();
    await invited.goto(link);
    await look(invited, 'join');
    await invited.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await look(invited, 'join-register');
    const pupils = await Promise.all(['Ada', 'Ben', 'Cleo'].map(pupil));
    await look(pupils[0]!, 'auction');
    return pupils as [Page, Page, Page];
  });

  async function bid(theirs: Page, item: string, tickets: number): Promise<BidForm> {
    await theirs.goto(auction);
    await theirs.getByRole('link', { name: item }).click();
    const form = new BidForm(theirs);
    await form.field('Amount').fill(String(tickets));
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText(`${tickets}`);
    await expect(form.bids.first()).toContainText('You');
    return form;
  }

  await test.step('they bid, and one takes a mistyped bid back', async () => {
    await bid(ada, 'Knitted owl', 9);
    await bid(ada, 'Chocolate cake', 10);
    const hers = await bid(ben, 'Chocolate cake', 12);
    await bid(cleo, 'Chocolate cake', 31);
    await look(cleo, 'item-led');
    await refresh(ben);
    await expect(hers.bids.first()).toContainText('Cleo');
    await look(ben, 'item-outbid');
    await cleo.getByRole('link', { name: /^(Withdraw|take it back)$/ }).first().click();
    await look(cleo, 'withdraw');
    await cleo.getByLabel('Note').fill('I meant 13.');
    await cleo.getByRole('combobox', { name: 'Reason' }).selectOption('The amount was mistyped');
    await cleo.getByRole('button', { name: 'Withdraw bid' }).click();
    await expect(cleo.getByText('I meant 13.')).toBeVisible();
    await look(cleo, 'item-withdrawn');
    await refresh(ben);
    await expect(ben.getByRole('region', { name: 'Bidding' })).toContainText(/12\s*Raffle tickets\s*You/);
  });

  await test.step('the organizer closes the auction', async () => {
    await page.goto(auction);
    await look(page, 'auction-organizer');
    await main.getByRole('link', { name: 'Settings' }).click();
    await look(page, 'settings');
    await main.getByRole('listitem').getByRole('link', { name: 'Close', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Yes, end bidding on every item' }).check();
    await page.getByRole('button', { name: 'Close the auction now' }).click();
    await expect(page.getByRole('status')).toHaveText('The auction is closed.');
    await look(page, 'settings-closed');
    await refresh(ben);
    const panel = ben.getByRole('region', { name: 'Bidding' });
    await expect(panel).toContainText('Hammer price');
    await expect(panel.getByText(/^Ended/)).toBeVisible();
    await look(ben, 'item-ended');
    await expect(ben.getByRole('region', { name: 'Outcome' })).toContainText('Sold to you for 12');
  });

  await test.step('a winner sees what is to be done', async () => {
    await ada.goto(`${auction}/results`);
    await expect(ada.getByRole('heading', { name: 'You won 1 item' })).toBeVisible();
    await look(ada, 'results-winner');
  });

  await test.step('the results lead to the last mark', async () => {
    await main.getByRole('link', { name: 'Results' }).click();
    await expect(page.getByRole('row', { name: /Ada/ })).toContainText(/9\s*Raffle tickets/);
    await expect(page.getByRole('row', { name: /Ben/ })).toContainText(/12\s*Raffle tickets/);
    await expect(page.getByRole('row', { name: /Cleo/ })).toHaveCount(0);
    await look(page, 'results');
    for (const item of ['Chocolate cake', 'Knitted owl']) {
      await page.getByRole('button', { name: `Mark paid: ${item}` }).click();
      await page.getByRole('button', { name: `Mark collected: ${item}` }).click();
    }
    await expect(page.getByRole('row', { name: /Ada/ })).toContainText('Paid, collected');
    await expect(page.getByRole('row', { name: /Ben/ })).toContainText('Paid, collected');
    await look(page, 'results-collected');
  });

  await test.step('there is a page for each winner to print', async () => {
    await page.getByRole('link', { name: 'By winner, for printing' }).click();
    await look(page, 'results-by-winner');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('region', { name: 'Ben' })).toContainText('Chocolate cake');
    await expect(page.getByRole('link', { name: 'To pay' })).toBeHidden();
    await page.screenshot({ path: test.info().outputPath('printed.png'), fullPage: true });
    await page.emulateMedia({ media: null });
  });

  await test.step('everything can be downloaded', async () => {
    const download = async (name: string) => {
      const link = page.getByRole('link', { name });
      return page.request.get((await link.getAttribute('href'))!);
    };
    const rows = (await (await download('Download CSV')).text()).trim().split(/\r?\n/);
    expect(rows[0]).toMatch(/^kind,/);
    for (const [kind, count] of [['ITEM', 3], ['OUTCOME', 3], ['BID', 4], ['MEMBER', 4]] as const) {
      expect(rows.filter((row) => row.startsWith(`${kind},`)), kind).toHaveLength(count);
    }
    const { outcomes } = await (await download('Download JSON')).json();
    const winners = outcomes.map(({ winner }: { winner: { name: string } | null }) => winner?.name ?? null);
    expect(winners.sort()).toEqual(['Ada', 'Ben', null].sort());
  });
});
