import { registerByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('preferences apply to every page without JavaScript', async ({ page }) => {
  await registerByForm(page, 'Cedric');
  await page.goto('/account?subject=preferences');
  const section = page.getByRole('region', { name: 'Preferences' });
  const outbid = section.getByRole('checkbox', { name: 'I am outbid: on this site' });
  await expect(outbid).toBeChecked();
  await expect(section.getByRole('checkbox', { name: 'There is a new item: on this site' })).not.toBeChecked();
  await outbid.uncheck();
  await section.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await section.getByLabel('Theme').selectOption('Dark');
  await section.getByRole('button', { name: 'Save preferences' }).click();
  await expect(page.getByRole('status')).toHaveText('Your preferences are saved.');
  await expect(outbid).not.toBeChecked();
  await expect(section.getByLabel('Time zone')).toHaveValue('Asia/Tokyo');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(23, 21, 18)');
  await page.goto('/auctions/new/settings');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByLabel('End of the auction')).toHaveAccessibleDescription(/Asia\/Tokyo/);
});

test('without mail the page of a forgotten password says how else to set one', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgotten password?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgotten password');
  await expect(page.getByRole('main')).toContainText('This site sends no mail.');
});
