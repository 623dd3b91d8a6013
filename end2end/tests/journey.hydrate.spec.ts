import type { Request } from '@playwright/test';

import { openGalleonsItem } from '../fixtures/demo.ts';
import { register, registerByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

/**
 * Whether the page makes this request on its own, to stay up to date: for the item or its bids. Its events
 * come to a worker.
 */
function isUpdate(request: Request): boolean {
  const { pathname, search } = new URL(request.url());
  return (
    request.method() === 'GET' &&
    /^\/api\/auctions\/[^/]+\/items\/[^/]+(\/bids)?$/.test(pathname) &&
    /^(\?(limit|after)=\d+)?$/.test(search)
  );
}

test('a newcomer sees the violations before sending, bids, and is outbid', async ({ page, another }) => {
  await registerByForm(page, 'Luna');
  const bid = await openGalleonsItem(page);
  const path = new URL(page.url()).pathname;

  await test.step('two broken rules are named without a request', async () => {
    await expect(bid.leastBid).toBeEnabled();
    const asked: string[] = [];
    page.on('request', (request) => {
      // The browser loads the icon of the page whenever it likes.
      if (!isUpdate(request) && !request.url().includes('/pkg/favicon')) {
        asked.push(`${request.method()} ${request.url()}`);
      }
    });
    await bid.field('Sickle').fill('1');
    await expect(bid.violations).not.toHaveCount(0);
    expect(await bid.violations.count()).toBeGreaterThanOrEqual(2);
    await bid.placeBid.click();
    await expect(bid.violations.first()).toBeVisible();
    expect(asked).toEqual([]);
  });

  await test.step('the corrected bid shows its value and is placed', async () => {
    await bid.leastBid.click();
    await expect(bid.violations).toHaveCount(0);
    const galleons = Number(await bid.field('Galleon').inputValue());
    await bid.field('Galleon').fill(String(galleons + 1));
    await expect(bid.violations).toHaveCount(0);
    await expect(bid.normalized).toContainText(/\d/);
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await bid.placeBid.click();
    expect((await answer).status()).toBe(201);
    await expect(bid.bids.first()).toContainText(/You|Luna/);
  });

  await test.step('“Least bid” is a bid that would be accepted', async () => {
    await bid.leastBid.click();
    await expect(bid.violations).toHaveCount(0);
    await expect(bid.normalized).toContainText(/\d/);
  });

  await test.step('the page shows another person’s bid by itself', async () => {
    const ginny = await another('Ginny');
    const hers = await openGalleonsItem(ginny.page);
    expect(new URL(ginny.page.url()).pathname).toBe(path);
    await hers.leastBid.click();
    await expect(hers.violations).toHaveCount(0);
    await hers.placeBid.click();
    await expect(hers.bids.first()).toContainText(/You|Ginny/);

    // The server pushes the bid. There is no polling.
    await expect(bid.bids.first()).toContainText('Ginny', { timeout: 5_000 });
    await expect(bid.violations).not.toHaveCount(0);
  });

  await test.step('“Least bid” leads again', async () => {
    await bid.leastBid.click();
    await expect(bid.violations).toHaveCount(0);
    await bid.placeBid.click();
    await expect(bid.bids.first()).toContainText(/You|Luna/);
  });
});

test('another currency has other fields, and the typed values are kept', async ({ page }) => {
  await register(page.request, 'Neville');
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  const list = bid.form.getByRole('combobox', { name: 'Currency' });
  const first = await list.inputValue();
  await bid.field('Galleon').fill('7');
  await list.selectOption('Raffle ticket');
  await expect(bid.field('Galleon')).toHaveCount(0);
  await expect(bid.field('Amount')).toBeVisible();
  await list.selectOption(first);
  await expect(bid.field('Galleon')).toHaveValue('7');
});

test('a bid of one amount is evaluated while it is typed, and placed', async ({ page }) => {
  await register(page.request, 'Seamus');
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  await bid.form.getByRole('combobox', { name: 'Currency' }).selectOption('Raffle ticket');
  await bid.field('Amount').fill('1');
  await expect(bid.violations.first()).toContainText(/^Add .*Knuts\)?: /);
  await bid.leastBid.click();
  await expect(bid.violations).toHaveCount(0);
  const tickets = await bid.field('Amount').inputValue();
  await bid.placeBid.click();
  await expect(bid.bids.first()).toContainText('You');
  await expect(bid.bids.first()).toContainText(`${tickets} Raffle tickets`);
});
