import { BidForm } from '../../fixtures/bid_form.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm, registerHere, unregistered } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

test('a stranger reads an auction without an account, registers and bids', async ({
  page,
  another,
  stranger,
  look,
  refresh,
}) => {
  await registerByForm(page, 'Oberon');
  const main = page.getByRole('main');
  const { auction, item } = await test.step('the owner opens the auction to readers', async () => {
    const { id } = await created(page.request, '/api/auctions', { name: 'Village fair', joinMode: 'FREE', currencyCode: 'EUR' });
    const path = `/auctions/${id}`;
    const lamp = { name: 'Lamp', description: 'From the **attic**.', currencyCode: 'EUR', startingBid: 5, isPublished: true };
    const made = await created(page.request, `/api${path}/items`, lamp);
    await page.goto(`${path}/settings?subject=people`);
    await page.getByRole('group', { name: 'Who may read' }).getByLabel('Anyone', { exact: true }).check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('status')).toHaveText('The settings are saved.');
    await page.goto(`${path}/settings`);
    await expect(main).toContainText('Anyone may read it, without the names of people.');
    await page.goto(`${path}/share`);
    await expect(main).toContainText('Everyone may read this auction');
    return { auction: path, item: `${path}/items/${made.id}` };
  });

  const guest = await stranger();
  await test.step('a stranger reads it', async () => {
    await guest.goto(auction);
    await expect(guest.getByRole('region', { name: 'Guest' })).toContainText('You are reading as a guest');
    await expect(guest.getByRole('link', { name: 'Members' })).toHaveCount(0);
    await look(guest, 'auction-of-guest');
    await guest.getByRole('link', { name: 'Lamp' }).click();
    await expect(guest).toHaveURL(item);
    await expect(guest.locator('meta[property="og:description"]')).toHaveAttribute('content', 'From the attic.');
    await expect(guest.locator('body')).not.toContainText('Oberon');
    await look(guest, 'item-of-guest');
  });

  await test.step('bids appear without the names of their bidders', async () => {
    const { page: theirs } = await another('Titania');
    await theirs.goto(item);
    const form = new BidForm(theirs);
    await form.field('Amount').fill('6');
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
    await refresh(guest);
    await expect(guest.getByRole('region', { name: 'Bidding' })).toContainText('6');
    await expect(new BidForm(guest).bids).toHaveCount(1);
    await expect(guest.locator('body')).not.toContainText('Titania');
  });

  await test.step('the stranger registers, is back at the item, and bids', async () => {
    await guest.getByRole('region', { name: 'Guest' }).getByRole('link', { name: 'Register' }).click();
    await registerHere(guest, unregistered('Puck'));
    await expect(guest).toHaveURL(item);
    await expect(guest.getByRole('region', { name: 'Guest' })).toHaveCount(0);
    const form = new BidForm(guest);
    await form.field('Amount').fill('9');
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
    await guest.reload();
    await expect(guest.getByText('Sold by Oberon')).toBeVisible();
    await look(guest, 'item-of-new-bidder');
  });

  await test.step('closed to readers, the address leads to the sign-in', async () => {
    await page.goto(`${auction}/settings?subject=people`);
    await page.getByRole('group', { name: 'Who may read' }).getByLabel('Those who may join').check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    const late = await stranger();
    await late.goto(item);
    await expect(late).toHaveURL(/\/sign-in\?next=/);
  });
});
