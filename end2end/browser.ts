import type { LaunchOptions } from '@playwright/test';

/**
 * The browser that CHROMIUM names, or else Playwright's own. It speaks to nobody but the page's server, so
 * that a test sees only the traffic of the page.
 */
export const launchOptions: LaunchOptions = {
  ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // Chromium's sandbox does not start for root, which a container's user often is.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
};
