import { apiPath, openGalleonsItem } from '../fixtures/demo.ts';
import { signInByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a bid is refused, corrected and placed without JavaScript', async ({ page, another, pageConsole }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  const { person } = await another('Hagrid');
  await signInByForm(page, person);
  const bid = await openGalleonsItem(page);

  await bid.field('Sickle').fill('1');
  await bid.placeBid.click();
  await expect(bid.violations.first()).toBeVisible();
  expect(await bid.violations.count()).toBeGreaterThanOrEqual(2);
  await expect(bid.field('Sickle')).toHaveValue('1');
  // The panel may be below the fold: what is broken stands at the top, too.
  for (const broken of await bid.violations.allTextContents()) await expect(page.getByRole('alert')).toContainText(broken);

  await bid.field('Galleon').fill('5000');
  await bid.field('Sickle').fill('5000');
  await bid.placeBid.click();

  await test.step('an unusual bid is placed once its amount is confirmed', async () => {
    await expect(page.getByRole('alert')).toContainText(/Your bid was not placed\..*This is/);
    await expect(page.getByRole('alert')).toBeFocused();
    await expect(bid.confirm).toHaveText(/^Yes, place 5000\sGalleons.*5000\sSickles$/);
    await bid.field('Sickle').fill('5001');
    await bid.confirm.click();
    await expect(bid.confirm).toHaveText(/5001\sSickles$/);
    await expect(bid.field('Sickle')).toHaveValue('5001');
    await bid.confirm.click();
  });
  await expect(page.getByText(/^Your bid of 5000\sGalleons\s· 5001\sSickles leads\./)).toBeVisible();
  await expect(bid.bids.first()).toContainText(/You|Hagrid/);
  const item = await (await page.request.get(apiPath(page))).json();
  expect(item.highestBid.bidder.name).toBe('Hagrid');
});

test('“Show” requests the fields of another currency', async ({ page, another, pageConsole }) => {
  const { person } = await another('Molly');
  await signInByForm(page, person);
  const bid = await openGalleonsItem(page);
  const list = bid.form.getByRole('combobox', { name: 'Currency' });
  const first = await list.inputValue();
  await list.selectOption('Raffle ticket');
  const other = await list.inputValue();
  expect(other).not.toBe(first);
  await bid.form.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(new RegExp(`[?&]currency=${other}`));
  await expect(bid.field('Galleon')).toHaveCount(0);
  await expect(list).toHaveValue(other);

  await test.step('the form of a refused bid keeps the currency', async () => {
    pageConsole.allow(/status of 422/);
    await bid.field('Amount').fill('1');
    await bid.placeBid.click();
    await expect(bid.violations.first()).toBeVisible();
    await expect(bid.field('Amount')).toHaveValue('1');
    await expect(list).toHaveValue(other);
  });

  await test.step('a high enough one is placed', async () => {
    await bid.field('Amount').fill('9000000');
    await bid.placeBid.click();
    await bid.confirm.click();
    await expect(bid.bids.first()).toContainText('9000000 Raffle tickets');
    const item = await (await page.request.get(apiPath(page))).json();
    expect(item.highestBid).toMatchObject({ amount: 9000000, currencyProfileId: other });
  });
});

test('a session that ran out loses no typed bid', async ({ page, another, pageConsole }) => {
  pageConsole.allow(/status of 401/);
  const { person } = await another('Fleur');
  await signInByForm(page, person);
  const bid = await openGalleonsItem(page);
  await bid.field('Galleon').fill('7');
  await bid.field('Sickle').fill('1,5');
  await page.context().clearCookies();
  await bid.placeBid.click();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(bid.field('Galleon')).toHaveValue('7');
  await expect(bid.field('Sickle')).toHaveValue('1,5');
});
