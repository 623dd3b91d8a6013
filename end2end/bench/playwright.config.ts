import { defineConfig, devices } from '@playwright/test';

import { launchOptions } from '../browser.ts';

/** Benchmarks run one at a time, so that nothing else uses the processor. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.bench.ts',
  workers: 1,
  timeout: 60_000,
  reporter: 'line',
  outputDir: '../test-results',
  use: { ...devices['Desktop Chrome'], launchOptions, locale: 'en-GB', timezoneId: 'UTC' },
});
