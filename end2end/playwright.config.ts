import { defineConfig, devices } from '@playwright/test';

import { launchOptions } from './browser.ts';

/** What runs on a phone, too. Elsewhere a spec sets the size of its pages itself. */
const onPhone = { testMatch: 'journeys/*.spec.ts', use: { viewport: { width: 390, height: 844 } } };

/**
 * With and without JavaScript. A spec with `hydrate` or `nojs` in its name runs in one of these two projects.
 */
export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test often waits for its server.
  workers: '150%',
  // These end a test that waits for what never comes. A slow machine with other work takes a tenth of them.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions,
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
  },
  projects: [
    { name: 'hydrated', testIgnore: '**/*.nojs.spec.ts' },
    { name: 'without JavaScript', testIgnore: '**/*.hydrate.spec.ts', use: { javaScriptEnabled: false } },
    { ...onPhone, name: 'hydrated on a phone', testIgnore: '**/*.nojs.spec.ts' },
    {
      ...onPhone,
      name: 'without JavaScript on a phone',
      testIgnore: '**/*.hydrate.spec.ts',
      use: { ...onPhone.use, javaScriptEnabled: false },
    },
  ],
});
