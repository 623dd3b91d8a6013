import type { Page } from '@playwright/test';

import { type Person, registerByForm } from '../fixtures/people.ts';
import { code } from '../fixtures/second_factor.ts';
import { screenshot } from '../fixtures/screenshot.ts';
import { expect, test } from '../fixtures/test.ts';

async function enterPassword(page: Page, person: Person): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/sign-in?next=/account%3Fsubject%3Dsecond-factor');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

test('a person turns a second factor on, signs in with it, and turns it off without JavaScript', async ({ page, pageConsole, expectAccessible }, info) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 40[13]|status of 422/);
  const person = await registerByForm(page, 'Minerva');
  await page.goto('/account?subject=second-factor');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  const main = page.getByRole('main');
  let secret = '';
  let recovery = '';

  await test.step('it is on after the first code', async () => {
    await main.getByLabel('Password').fill('a wrong password');
    await main.getByRole('button', { name: 'Set up' }).click();
    await expect(main).toContainText('The password is wrong');
    await main.getByLabel('Password').fill(person.password);
    await main.getByRole('button', { name: 'Set up' }).click();
    await expect(main.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
    secret = (await main.locator('code').textContent())!.replaceAll(' ', '');
    await main.getByLabel('Code', { exact: true }).fill('000000');
    await main.getByRole('button', { name: 'Turn on' }).click();
    await expect(main).toContainText('The code is wrong');
    await expectAccessible(page);
    await main.getByLabel('Code', { exact: true }).fill(code(secret));
    await main.getByRole('button', { name: 'Turn on' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your recovery codes');
    await expect(main.getByRole('listitem')).toHaveCount(10);
    recovery = (await main.getByRole('listitem').first().textContent())!.trim();
    await expectAccessible(page);
    await screenshot(page, info.project.name, 'recovery-codes');
    await main.getByRole('link', { name: 'I have kept them' }).click();
    await expect(main).toContainText('You have 10 recovery codes left.');
  });

  await test.step('signing in takes a code', async () => {
    await enterPassword(page, person);
    await expect(page).toHaveURL(/\/sign-in\/code/);
    await main.getByLabel('Code').fill('123');
    await main.getByRole('button', { name: 'Sign in' }).click();
    await expect(main).toContainText('The code is wrong');
    // A step later, since the present code was used.
    await main.getByLabel('Code').fill(code(secret, 1));
    await main.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/account\?subject=second-factor$/);
    await expect(main).toContainText('It is on');
  });

  await test.step('a recovery code turns it off', async () => {
    await main.getByRole('link', { name: 'Manage the second factor' }).click();
    const off = page.getByRole('region', { name: 'Turn it off' });
    await off.getByLabel('Password').fill(person.password);
    await off.getByLabel('Code').fill(recovery);
    await off.getByRole('button', { name: 'Turn off' }).click();
    await expect(page.getByRole('status')).toHaveText('The second factor is off. Every other browser is signed out.');
    await enterPassword(page, person);
    await expect(page).toHaveURL(/\/account\?subject=second-factor$/);
  });
});
