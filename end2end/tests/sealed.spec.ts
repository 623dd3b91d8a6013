import { created } from '../fixtures/journey.ts';
import { other } from '../fixtures/notifications.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a sealed bid is placed, replaced and taken back, and others see none of it', async ({ page }) => {
  await register(page.request, 'Luna');
  await page.goto('/');
  const seller = await other(page, 'Rolanda');
  const auction = await created(seller, '/api/auctions', { name: 'Guild sale', joinMode: 'FREE' });
  const sword = { name: 'A sword', currencyCode: 'EUR', isPublished: true, format: 'SEALED', price: 'NEXT', startingBid: '10' };
  const { id } = await created(seller, `/api/auctions/${auction.id}/items`, sword);
  const item = `/auctions/${auction.id}/items/${id}`;
  await page.goto(item);
  await expect(page.getByText('Nobody sees a bid of another before the end.')).toBeVisible();
  const form = page.getByRole('form', { name: 'Place a bid' });
  await expect(form.getByText('Costs at most')).toBeVisible();
  for (const amount of ['40', '30']) {
    await form.getByRole('textbox', { name: /Amount|EUR|Euro/ }).fill(amount);
    await form.getByRole('button', { name: 'Place bid' }).click();
    await expect(page.getByText(new RegExp(`Your bid of .*${amount}.* stands\\.`)).first()).toBeVisible();
  }
  const seen = await (await seller.get(`/api${item}`)).json();
  expect([seen.highestBid, seen.bidCount, seen.sealedBidCount]).toEqual([null, 0, 1]);
  await page.goto('/dashboard/bids');
  await expect(page.getByText('Your bid stands')).toBeVisible();
  await page.goto(item);
  await page.getByRole('button', { name: 'Take my bid back' }).click();
  await expect(page.getByText('Nobody sees a bid of another before the end.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take my bid back' })).toBeHidden();
});

test('two of a thing go to the two best sealed bids, at the best losing one', async ({ page }) => {
  await register(page.request, 'Rolanda');
  await page.goto('/');
  const auction = await created(page.request, '/api/auctions', { name: 'Picnic', joinMode: 'FREE' });
  await page.goto(`/auctions/${auction.id}/items/new`);
  await page.getByLabel('Name').fill('A seat');
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR');
  await page.getByRole('combobox', { name: 'Bids', exact: true }).selectOption('Sealed: nobody sees a bid before the end');
  await page.getByText('For sealed bids: price and ties').click();
  await page.getByRole('textbox', { name: 'Copies' }).fill('2');
  await page.getByRole('combobox', { name: 'A winner pays' }).selectOption('the best losing bid');
  await page.getByRole('button', { name: 'Create item' }).click();
  await expect(page).not.toHaveURL(/items\/new/);
  const { items } = await (await page.request.get(`/api/auctions/${auction.id}/items`)).json();
  const path = `/auctions/${auction.id}/items/${items[0].id}`;
  for (const [name, amount] of [['Ada', 30], ['Ben', 20], ['Cy', 15]] as const) {
    await created(await other(page, name), `/api${path}/bids`, { amount });
  }
  await page.goto(path);
  await expect(page.getByText('3 bids stand. They are shown after the end.')).toBeVisible();
  await page.getByText('End now').click();
  await page.getByRole('button', { name: 'End the item now' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByText(/^Sold to Ada for/)).toContainText('15');
  await expect(outcome.getByText(/^Sold to Ben for/)).toContainText('15');
  await expect(outcome.getByText('Copy 2 of 2', { exact: true })).toBeVisible();
  await page.goto(`/auctions/${auction.id}/results`);
  await expect(page.getByText('copy 2 of 2')).toBeVisible();
  await page.goto(path);
  await page.getByText('Sell to another bidder, or to nobody').click();
  await page.getByRole('combobox', { name: 'Copy' }).selectOption('copy 2 of 2, sold to Ben');
  await page.getByRole('combobox', { name: 'Sell to' }).selectOption({ index: 0 });
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ben has left');
  await page.getByRole('button', { name: 'Change the outcome' }).click();
  await expect(outcome.getByText(/^Sold to Cy for/)).toContainText('15');
  await expect(outcome.getByText(/^Sold to Ada for/)).toContainText('15');
});

test('a clerk opens sealed bids at the desk', async ({ page }) => {
  await register(page.request, 'Rolanda');
  await page.goto('/');
  const auction = await created(page.request, '/api/auctions', { name: 'Guild sale', joinMode: 'FREE' });
  const sword = { name: 'A sword', currencyCode: 'EUR', isPublished: true, format: 'SEALED' };
  const { id } = await created(page.request, `/api/auctions/${auction.id}/items`, sword);
  for (const [name, amount] of [['Ada', 30], ['Ben', 20]] as const) {
    await created(await other(page, name), `/api/auctions/${auction.id}/items/${id}/bids`, { amount });
  }
  await page.goto(`/auctions/${auction.id}/clerk`);
  await expect(page.getByRole('region', { name: 'Next' }).getByText('Sealed bids')).toBeVisible();
  await page.getByRole('button', { name: 'Sold to the highest bid online' }).click();
  const called = page.getByRole('region', { name: 'Called' });
  await expect(called.getByText(/^Sold to Ada for/)).toContainText('30');
});
