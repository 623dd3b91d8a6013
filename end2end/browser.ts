import type { LaunchOptions } from '@playwright/test';

/**
 * The browser from CHROMIUM, or Playwright's own. Background requests are off, so that a test sees only the
 * traffic of the page.
 */
export const launchOptions: LaunchOptions = {
  ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // Chromium's sandbox does not start as root, the usual user of a container.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
};
