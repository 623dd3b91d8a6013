import { openGalleonsItem } from '../fixtures/demo.ts';
import { register, signInByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('an unusual bid is placed once its amount is confirmed, by a button that names it', async ({ page }) => {
  await register(page.request, 'Percy');
  const bid = await openGalleonsItem(page);
  await bid.leastBid.click();
  const galleons = Number(await bid.field('Galleon').inputValue());
  await expect(bid.question).toHaveText('');
  const before = await bid.placeBid.boundingBox();
  await bid.field('Galleon').fill(String(galleons * 10));
  await expect(bid.form.getByText(/^This is .* times the least bid of/)).toBeVisible();
  expect(await bid.placeBid.boundingBox(), 'nothing moves').toEqual(before);

  await test.step('the first press asks, a double click, too, and nothing is sent', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') {
        sent.push(request.url());
      }
    });
    await bid.placeBid.dblclick();
    await expect(bid.question).toHaveText(/^This is .* times the least bid of/);
    await expect(bid.confirm).toHaveText(new RegExp(`^Yes, place ${galleons * 10}\\sGalleons`));
    expect(sent).toEqual([]);
  });

  await test.step('another amount is asked about again', async () => {
    await bid.field('Galleon').fill(String(galleons * 10 + 1));
    await expect(bid.placeBid).toBeVisible();
    await bid.placeBid.click();
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await bid.confirm.click();
    expect((await answer).status()).toBe(201);
    await expect(bid.placeBid).toBeVisible();
    await expect(bid.question).toHaveText('');
  });
});

test('a bidder who leads is asked before they raise their own bid', async ({ page, another }) => {
  const { person } = await another('Penelope');
  await signInByForm(page, person);
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  await bid.leastBid.click();
  await bid.placeBid.click();
  await expect(bid.bids.first()).toContainText('You');
  await bid.leastBid.click();
  await expect(page.getByText('You lead already: this raises your own bid.')).toBeVisible();
  await bid.placeBid.click();
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await bid.confirm.click();
  expect((await answer).status()).toBe(201);
});

test('a typed bid survives a reload and a new sign-in, until it is placed', async ({ page, another, pageConsole }) => {
  pageConsole.allow(/status of 401/);
  const { person } = await another('Angelina');
  await signInByForm(page, person);
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  const list = bid.form.getByRole('combobox', { name: 'Currency' });
  await bid.field('Galleon').fill('7');
  await list.selectOption('Raffle ticket');
  await bid.leastBid.click();
  const tickets = await bid.field('Amount').inputValue();

  await test.step('a reload', async () => {
    await page.reload();
    await expect(bid.field('Amount')).toHaveValue(tickets);
    await expect(list.locator('option:checked')).toHaveText('Raffle ticket');
  });

  await test.step('a session that ran out', async () => {
    await page.context().clearCookies();
    await bid.placeBid.click();
    await bid.form.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(bid.field('Amount')).toHaveValue(tickets);
  });

  await test.step('a placed bid', async () => {
    // Another bid may have been placed meanwhile.
    await bid.leastBid.click();
    await bid.placeBid.click();
    await expect(bid.field('Amount')).toHaveValue('');
    await page.reload();
    await expect(bid.leastBid).toBeEnabled();
    await expect(bid.field('Galleon')).toHaveValue('');
  });
});

test('a decimal comma is a point, and grouped thousands are refused', async ({ page }) => {
  await register(page.request, 'Katie');
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  await bid.form.getByRole('combobox', { name: 'Currency' }).selectOption('Guild gold');
  await bid.field('Gold').fill('12,5');
  await expect(bid.violations.first()).toContainText('whole number');
  await bid.field('Gold').fill('1.000');
  await expect(bid.violations.first()).toContainText('Gold: without a separator for thousands');
});

const REFUSALS = {
  401: 'You are not signed in. Reload the page to sign in.',
  404: 'You may not see this any more.',
  429: 'Not live: too many pages are open. Reload this one to see what is new.',
  503: 'Not live: too many pages are open. Reload this one to see what is new.',
  502: 'Connection lost. Retrying…',
};
for (const [status, words] of Object.entries(REFUSALS)) {
  test(`a stream that is answered ${status} says why the page is out of date`, async ({ page, pageConsole }) => {
    pageConsole.allow(/status of [45]\d\d/);
    await register(page.request, 'Cho');
    // Playwright sees no requests of shared workers.
    await page.addInitScript(() => delete (globalThis as { SharedWorker?: unknown }).SharedWorker);
    await page.route('**/events?*', (route) => route.fulfill({ status: Number(status) }));
    await openGalleonsItem(page);
    await expect(page.locator('.bids-state')).toContainText(words);
    await page.getByRole('link', { name: 'Lantern Street charity sale' }).click();
    await expect(page.locator('.catalogue-news')).toContainText(words);
  });
}
