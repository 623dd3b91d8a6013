import { defineConfig } from '@playwright/test';

import type { Engine } from './test.ts';

/** The journeys in other engines than Chromium, which Playwright can't drive as distributions have them. */
export default defineConfig<object, { engine: Engine }>({
  testDir: '.',
  testMatch: '*.engines.ts',
  fullyParallel: true,
  workers: 2,
  // These end a test that waits for what never comes. A slow machine with other work takes a tenth of them.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  reporter: [['list'], ['./table.ts']],
  projects: [
    { name: 'Firefox', use: { engine: 'firefox' } },
    { name: 'WebKit', use: { engine: 'webkit' } },
    // Set by `cargo xtask test --all`.
    ...(process.env.FARTHING_ALL_ENGINES ? [{ name: 'WPE', use: { engine: 'wpe' as const } }] : []),
  ],
});
