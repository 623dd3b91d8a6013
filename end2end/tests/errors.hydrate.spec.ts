import { openGalleonsItem } from '../fixtures/demo.ts';
import { register, unregistered } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('an expired session keeps the typed bid', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 401/);
  await register(page.request, 'Luna');
  const bid = await openGalleonsItem(page);
  await bid.leastBid.click();
  const typed = await bid.field('Galleon').inputValue();
  await page.context().clearCookies();
  await bid.placeBid.click();
  await expect(bid.form).toContainText(/signed out|sign in/i);
  await expect(bid.field('Galleon')).toHaveValue(typed);
});

test('a missing response is reported, and the retry counts once', async ({ page, pageConsole }) => {
  pageConsole.allow(/net::ERR_/);
  await register(page.request, 'Luna');
  const bid = await openGalleonsItem(page);
  await bid.leastBid.click();
  const typed = await bid.field('Galleon').inputValue();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') {
      keys.push(request.headers()['idempotency-key']);
    }
  });

  // The worst case: the request arrives and its response is lost.
  await page.route('**/bids', async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort('connectionreset');
    } else {
      await route.abort('connectionreset');
    }
  });
  await bid.placeBid.click();
  await expect(bid.form).toContainText(/no answer/i);
  await expect(bid.field('Galleon')).toHaveValue(typed);
  await page.unrouteAll({ behavior: 'wait' });

  const replay = page.waitForResponse((response) => response.request().method() === 'POST');
  await bid.placeBid.click();
  const answer = await replay;
  expect(answer.status()).toBe(201);
  expect(answer.headers()['idempotent-replayed']).toBe('true');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  await expect(bid.bids.first()).toContainText(/You|Luna/);
});

test('a wrong password is reported and the e-mail is kept', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 4\d\d/);
  const nobody = unregistered('Nobody');
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(nobody.email);
  await page.getByLabel('Password').fill(nobody.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText(/password/i);
  await expect(page.getByLabel('E-mail')).toHaveValue(nobody.email);
  await expect(page.getByLabel('Password')).toHaveValue('');
});
