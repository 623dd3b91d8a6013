import type { Locator, Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const POINTS = { code: 'POINT', name: 'Point', plural: 'Points', rateToBase: 1, inputMode: 'SCALAR' };
const ITEMS = ['Frost sword', 'Night cloak'];

/** The items end one after the other, the first of them this long after they were scheduled. */
const INTERVAL_SECONDS = 9;

test('a guild sells items of seconds for points, from registration to the last “collected”', async ({
  page,
  another,
  look,
  refresh,
  javaScriptEnabled,
}) => {
  await registerByForm(page, 'Grom');
  const auction = await test.step('the officer prepares the raid', async () => {
    const terms = {
      name: 'Tuesday raid',
      joinMode: 'FREE',
      baseUnit: { name: 'Point', plural: 'Points', symbol: 'pt' },
      defaultAntiSnipe: true,
      defaultAntiSnipeThreshold: 5,
      defaultAntiSnipeExtension: 5,
    };
    const { id } = await created(page.request, '/api/auctions', terms);
    const currency = await created(page.request, `/api/auctions/${id}/currencies`, POINTS);
    const minBidConstraint = { currencyProfileId: currency.id, amount: 10 };
    for (const name of ITEMS) {
      await created(page.request, `/api/auctions/${id}/items`, { name, isPublished: true, minBidConstraint });
    }
    return `/auctions/${id}`;
  });

  const [tank, healer] = await Promise.all(
    ['Tank', 'Healer'].map(async (name) => {
      const raider = (await another(name)).page;
      await raider.goto(auction);
      await raider.getByRole('link', { name: 'Frost sword' }).click();
      return raider;
    }),
  ) as [Page, Page];

  await test.step('the items end one after the other', async () => {
    await page.goto(`${auction}/settings?subject=schedule`);
    await look(page, 'settings');
    await page.getByLabel('Seconds from one end to the next').fill(String(INTERVAL_SECONDS));
    await page.getByRole('button', { name: 'Set the ends' }).click();
    await expect(page.getByRole('status')).toHaveText(/^The ends of the items are set, from .+ to .+\.$/);
    await page.goto(auction);
    const ends = await Promise.all(ITEMS.map((item) => endOf(row(page, item))));
    expect(ends[1]).toBe(ends[0]! + INTERVAL_SECONDS * 1_000);
  });

  await test.step('a raider who did not join bids', async () => {
    await refresh(tank);
    await bid(tank, 15);
  });

  await test.step('a bid in the last seconds moves the end, on other pages, too', async () => {
    const panel = tank.getByRole('region', { name: 'Bidding' });
    const scheduled = await endOf(panel);
    await expect(async () => {
      await refresh(healer);
      await expect(healer.locator('.time-left-words')).toHaveText(/^[1-4] s left$/, { timeout: javaScriptEnabled ? 10_000 : 1 });
    }).toPass({ intervals: [200] });
    await bid(healer, 20);
    await refresh(tank);
    await expect(panel).toContainText('Healer');
    expect(await endOf(panel)).toBeGreaterThan(scheduled);
  });

  await test.step('each item closes by itself', async () => {
    await expect(async () => {
      await refresh(page);
      for (const item of ITEMS) {
        await expect(row(page, item)).toContainText('Closed', { timeout: javaScriptEnabled ? 15_000 : 1 });
      }
    }).toPass();
    await expect(row(page, 'Frost sword')).toContainText(/Hammer price\s*20/);
    await refresh(healer);
    await expect(healer.getByRole('region', { name: 'Bidding' })).toContainText(/Hammer price\s*20 Points\s*You/);
    await expect(healer.getByRole('region', { name: 'Outcome' })).toContainText('Sold to you for 20 Points');
    await look(page, 'auction-ended');
    await look(healer, 'item-won');
  });

  const outcome = page.getByRole('region', { name: 'Outcome' });
  await test.step('the winner has left, so the next bidder gets the item', async () => {
    await page.getByRole('link', { name: 'Frost sword' }).click();
    await expect(outcome).toContainText(/Sold to Healer for 20/);
    await outcome.getByText('Sell to another bidder').click();
    await look(page, 'item-sell-again');
    await outcome.getByLabel('Reason').fill('Healer has left the raid.');
    await outcome.getByRole('button', { name: 'Change the outcome' }).click();
    await expect(outcome).toContainText(/Sold to Tank for 15/);
    await look(page, 'item-sold-again');
    await healer.goto(auction);
    await expect(row(healer, 'Frost sword')).toContainText(/Hammer price\s*15/);
    await expect(row(healer, 'Frost sword')).not.toContainText('You won');
  });

  await test.step('it is paid and collected', async () => {
    await outcome.getByRole('button', { name: 'Mark paid: Frost sword' }).click();
    await outcome.getByRole('button', { name: 'Mark collected: Frost sword' }).click();
    await expect(outcome).toContainText('Collected');
    await page.goto(`${auction}/results`);
    await expect(page.getByRole('row', { name: /Tank/ })).toContainText('Paid, collected');
    await look(page, 'results');
    await tank.reload();
    await expect(tank.getByText('You won, have paid and collected the item.')).toBeVisible();
  });
});

function row(page: Page, item: string): Locator {
  return page.locator('.catalogue').getByRole('listitem').filter({ hasText: item });
}

/** The end that a part of a page shows. */
async function endOf(part: Locator): Promise<number> {
  return Date.parse((await part.locator('.time-left').getAttribute('datetime'))!);
}

async function bid(page: Page, points: number): Promise<void> {
  const form = new BidForm(page);
  await form.field('Amount').fill(String(points));
  await form.placeBid.click();
  await expect(form.bids.first()).toContainText('You');
}
