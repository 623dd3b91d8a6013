import { request } from '@playwright/test';

import { registerByForm, signIn, signInByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a person manages their account and deletes it without JavaScript', async ({ page, farthing, pageConsole, expectAccessible }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 40[139]|status of 422/);
  const person = await registerByForm(page, 'Filius');
  await page.getByRole('banner').getByText('Filius').click();
  await page.getByRole('banner').getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
  const section = (name: string) => page.getByRole('region', { name });
  const open = async (subject: string) => {
    await page.goto('/account');
    await page.getByRole('main').getByRole('listitem').getByRole('link', { name: subject, exact: true }).click();
  };
  const done = page.getByRole('status');

  await test.step('the name changes in the header, too', async () => {
    await open('Profile');
    await section('Profile').getByLabel('Name').fill('');
    await section('Profile').getByLabel('Language and region').selectOption('en-GB');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(section('Profile')).toContainText('Enter your name');
    await expect(section('Profile').getByLabel('Language and region')).toHaveValue('en-GB');
    await section('Profile').getByLabel('Name').fill('Filius F.');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(done).toHaveText('Your profile is saved.');
    await expect(page.getByRole('banner')).toContainText('Filius F.');
  });

  await test.step('a new e-mail needs the password', async () => {
    const email = `f-${person.email}`;
    await open('E-mail');
    await section('E-mail').getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await expect(section('E-mail')).toContainText('Enter your current password');
    await expect(section('E-mail').getByLabel('E-mail')).toHaveValue(email);
    await expectAccessible(page);
    await section('E-mail').getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await expect(done).toHaveText('Your e-mail is saved.');
    person.email = email;
  });

  await test.step('another browser is signed out', async () => {
    const other = await request.newContext({ baseURL: farthing.url, userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/128.0' });
    await signIn(other, person);
    await open('Browsers');
    const rows = section('Where you are signed in').getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText('This browser');
    await expect(rows.last()).toContainText('Firefox on Windows');
    await rows.last().getByRole('button', { name: /^Sign out/ }).click();
    await expect(done).toHaveText('The browser is signed out.');
    await expect(rows).toHaveCount(1);
    expect((await other.get('/api/user')).status()).toBe(401);
    await other.dispose();
  });

  await test.step('the password is changed', async () => {
    await open('Password');
    await section('Password').getByLabel('Current password').fill(person.password);
    await section('Password').getByLabel('New password').fill('levitation is easy');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(done).toContainText('Your new password is set.');
    person.password = 'levitation is easy';
  });

  await test.step('an account that owns an auction stays', async () => {
    const made = await page.request.post('/api/auctions', { data: { name: 'Choir' } });
    expect(made.status()).toBe(201);
    await open('Delete');
    const remove = page.getByRole('button', { name: 'Delete my account' });
    await section('Delete my account').getByLabel('Password').fill(person.password);
    await remove.click();
    await expect(page.getByRole('alert')).toContainText('You own auctions');
    await expectAccessible(page);
    expect((await page.request.delete(`/api/auctions/${(await made.json()).id}`)).status()).toBe(204);
    await section('Delete my account').getByLabel('Password').fill('wrong');
    await remove.click();
    await expect(section('Delete my account')).toContainText('The password is wrong.');
    await section('Delete my account').getByLabel('Password').fill(person.password);
    await remove.click();
    await expect(done).toHaveText('Your account is deleted.');
    await expect(page.getByRole('banner')).toContainText('Register');
  });

  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('E-mail or password is wrong');
});

test('the last session ends with its button', async ({ page, another }) => {
  const { person } = await another('Pomona');
  await signInByForm(page, person);
  await page.goto('/account?subject=sessions');
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('status')).toHaveText('Every other browser is signed out.');
  await page.getByRole('listitem').getByRole('button', { name: /^Sign out/ }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/account');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});
