import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { claim, register } from '../fixtures/people.ts';
import { type Farthing, startFarthing } from '../fixtures/server.ts';
import { expect, test as base } from '../fixtures/test.ts';

interface OwnServer {
  /** A server without a Deployment Admin, whose release API reports a newer release. */
  own: Farthing;
}

const test = base.extend<OwnServer>({
  own: async ({}, use) => {
    const releases = createServer((_, answer) =>
      answer.end(JSON.stringify({ tag_name: 'v99.10.0', html_url: 'https://example.org/releases/99.10.0' })),
    );
    await once(releases.listen(0, '127.0.0.1'), 'listening');
    const { port } = releases.address() as AddressInfo;
    const own = await startFarthing(['--releases-url', `http://127.0.0.1:${port}/latest`]);
    await use(own);
    await own.stop();
    releases.close();
  },

  baseURL: async ({ own }, use) => use(own.url),
});

test('the role of the Deployment Admin is claimed and transferred', async ({ page, another, pageConsole, expectAccessible }) => {
  const ada = await register(page.request, 'Ada');
  await page.goto('/admin');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Become Deployment Admin' }).click();
  await expect(page.getByText('You are the Deployment Admin.')).toBeVisible();

  const bob = await another('Bob');
  await bob.page.goto('/admin');
  await expect(bob.page.getByText('Another user is the Deployment Admin')).toBeVisible();
  await expect(bob.page.getByRole('main').getByRole('button')).toHaveCount(0);

  await test.step('an unknown e-mail is an error of its field', async () => {
    pageConsole.allow(/status of 422/);
    await page.getByRole('main').getByRole('listitem').getByRole('link', { name: 'Transfer the role' }).click();
    await page.getByLabel('E-mail of the new Deployment Admin').fill('nobody@example.org');
    await page.getByLabel('Yes, transfer the role').check();
    await page.getByRole('region', { name: 'Transfer the role' }).getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Transfer' }).click();
    await expect(page.getByRole('alert').getByRole('link', { name: /Nobody has an account/ })).toBeVisible();
    await expect(page.getByLabel('E-mail of the new Deployment Admin')).toHaveValue('nobody@example.org');
    await expectAccessible(page);
  });

  await test.step('the settings in force are said in words', async () => {
    await page.goto('/admin?subject=settings');
    await expect(page.getByRole('region', { name: 'Settings in force' })).toContainText('Anyone may register.');
    await expectAccessible(page);
  });

  await test.step('automatic checks are switched off', async () => {
    await page.goto('/admin?subject=version');
    await expect(page.getByLabel('Automatic update checks')).toBeChecked();
    await page.getByLabel('Automatic update checks').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('New releases are no longer checked for')).toBeVisible();
    await expect(page.getByLabel('Automatic update checks')).not.toBeChecked();
  });

  await test.step('the transfer removes the role', async () => {
    await page.goto('/admin?subject=transfer');
    await page.getByLabel('E-mail of the new Deployment Admin').fill(bob.person.email);
    await page.getByLabel('Yes, transfer the role').check();
    await page.getByRole('region', { name: 'Transfer the role' }).getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Transfer' }).click();
    await expect(page.getByText('Another user is the Deployment Admin')).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    const answer = await page.request.patch('/api/system/settings', { data: { autoCheckUpdates: true } });
    expect(answer.status()).toBe(403);
  });

  await bob.page.goto('/admin?subject=transfer');
  await expect(bob.page.getByRole('button', { name: 'Transfer' })).toBeVisible();
  await bob.page.goto('/admin?subject=log');
  const log = bob.page.getByRole('region', { name: 'Audit log' }).getByRole('listitem');
  await expect(log).toContainText([
    'Ada made Bob the Deployment Admin',
    'Ada switched automatic checks off',
    'Ada became the Deployment Admin',
  ]);
});

test('a backup is made and restored', async ({ page, another, pageConsole, expectAccessible }) => {
  pageConsole.allow(/status of 422/);
  const ada = await register(page.request, 'Ada');
  await claim(page.request, ada);
  await page.goto('/admin?subject=backups');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByText('The backup is made.')).toBeVisible();
  const backups = page.getByRole('region', { name: 'Backups' }).getByRole('listitem');
  await expect(backups).toHaveCount(1);
  const late = await another('Late');

  const section = page.getByRole('region', { name: 'Backups' });
  const restoration = section.getByRole('group').filter({ hasText: 'Go back to a backup' });
  await section.getByText('Go back to a backup').click();
  await restoration.getByLabel('Your password').fill(ada.password);
  const chosen = restoration.getByLabel('Backup', { exact: true });
  await section.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('alert')).toContainText('Choose a backup of the list.');
  await chosen.selectOption({ index: 1 });
  await restoration.getByLabel('Your password').fill(ada.password);
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Restore' }).click();
  // The restarted server responds.
  await expect(page).toHaveURL(/\/admin$/);
  const log = page.getByRole('region', { name: 'Audit log' }).getByRole('listitem');
  await page.goto('/admin?subject=log');
  await expect(log).toContainText([/Ada restored the backup .*; the database before it is backup_/, /became/]);
  await page.goto('/admin?subject=backups');
  await expect(backups).toHaveCount(2);
  const { email, password } = late.person;
  const refused = await page.request.post('/api/auth/login', { data: { email, password } });
  expect(refused.status(), 'an account registered after the backup is gone').toBe(401);

  await test.step('a backup that was deleted in the meantime is reported', async () => {
    await section.getByText('Go back to a backup').click();
    await restoration.getByRole('option').nth(1).evaluate((option) => option.setAttribute('value', 'gone.db'));
    await chosen.selectOption({ index: 1 });
    await restoration.getByLabel('Your password').fill(ada.password);
    await section.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByRole('alert')).toContainText('This backup is no longer there.');
    await expect(backups).toHaveCount(2);
  });
});

test('every page announces a newer release to the Deployment Admin', async ({ page, own, another, expectAccessible }) => {
  const ada = await register(page.request, 'Ada');
  await claim(page.request, ada);
  await expect.poll(async () => (await page.request.get('/api/version')).json()).toMatchObject({ updateAvailable: true });

  await page.goto('/auctions');
  const banner = page.getByRole('link', { name: /Farthing 99\.10\.0/ });
  await expect(banner).toBeVisible();
  await expectAccessible(page);
  await banner.click();
  await expect(page).toHaveURL(`${own.url}/admin?subject=update`);
  await page.getByRole('link', { name: 'What is new' }).click();
  await expect(page.getByRole('link', { name: 'Release notes' })).toHaveAttribute('href', 'https://example.org/releases/99.10.0');

  const bob = await another('Bob');
  await bob.page.goto('/auctions');
  await expect(bob.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(bob.page.getByRole('link', { name: /Farthing 99/ })).toHaveCount(0);
});
