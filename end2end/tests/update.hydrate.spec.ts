import { type Installation, installationWithRelease } from '../fixtures/installation.ts';
import { claim, register } from '../fixtures/people.ts';
import { type Farthing, binaryUnderTest, startFarthing } from '../fixtures/server.ts';
import { expect, test as base } from '../fixtures/test.ts';

interface OwnServer {
  installation: Installation;
  own: Farthing;
}

const test = base.extend<OwnServer>({
  installation: async ({}, use) => {
    const installation = await installationWithRelease(binaryUnderTest());
    await use(installation);
    await installation.remove();
  },

  own: async ({ installation }, use) => {
    const { folder, releasesUrl } = installation;
    const own = await startFarthing(['--install-dir', folder, '--releases-url', releasesUrl]);
    await use(own);
    await own.stop();
  },

  baseURL: async ({ own }, use) => use(own.url),
});

test('an update is announced, installed, and followed to its end across the restart', async ({
  page,
  installation,
  another,
  pageConsole,
  expectAccessible,
}) => {
  const { next } = installation;
  const ada = await register(page.request, 'Ada');
  await claim(page.request, ada);
  await expect.poll(async () => (await page.request.get('/api/version')).json()).toMatchObject({ updateAvailable: true });
  await page.goto('/auctions');
  await page.getByRole('link', { name: new RegExp(`Farthing ${next}`) }).click();

  await page.getByRole('region', { name: 'Update' }).getByLabel('Your password').fill(ada.password);
  await page.getByRole('button', { name: `Update to ${next}` }).click();
  const update = page.getByRole('region', { name: 'Update' });
  // The stream ends with the server and reconnects to the restarted one.
  pageConsole.allow(/ERR_|status of 503/);
  await expect(update.getByRole('heading', { name: 'Updating' })).toBeVisible();
  const state = (step: string) => update.getByRole('listitem').filter({ hasText: step }).locator('.step-state');
  await expect(state('Build it')).toHaveText('done');
  await expect(state('Test it on a copy')).toHaveText('done', { timeout: 60_000 });
  await expect(update.getByRole('heading', { name: 'Updated' })).toBeVisible({ timeout: 60_000 });
  await expect(state('Check that it responds')).toHaveText('done');
  await expectAccessible(page);
  await update.getByText('Output of “Test it on a copy”').click();
  await page.setViewportSize({ width: 390, height: 900 });
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(widths[0], 'long lines scroll by themselves').toBe(widths[1]);

  expect(await (await page.request.get('/api/version')).json()).toMatchObject({
    currentVersion: next,
    updateAvailable: false,
  });
  await page.goto('/admin?subject=version');
  await expect(page.getByRole('region', { name: 'Version' })).toContainText('This is the latest release.');
  await page.goto('/admin?subject=backups');
  await expect(page.getByRole('region', { name: 'Backups' }).getByRole('listitem')).toHaveCount(1);
  await page.goto('/admin?subject=log');
  const log = page.getByRole('region', { name: 'Audit log' }).getByRole('listitem');
  await expect(log).toContainText([`The update to ${next} succeeded`, 'Ada started an update', /became/]);

  await test.step('the transfer removes the role', async () => {
    const bob = await another('Bob');
    await page.goto('/admin?subject=transfer');
    await page.getByLabel('E-mail of the new Deployment Admin').fill(bob.person.email);
    await page.getByLabel('Yes, transfer the role').check();
    await page.getByRole('region', { name: 'Transfer the role' }).getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Transfer' }).click();
    await expect(page.getByText('Another user is the Deployment Admin')).toBeVisible();
    expect((await page.request.get('/api/system/update')).status()).toBe(403);
    await bob.page.goto('/admin?subject=update');
    await expect(bob.page.getByRole('heading', { name: 'Updated' })).toBeVisible();
  });
});
