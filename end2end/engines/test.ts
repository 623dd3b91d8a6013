import { type APIRequestContext, test as base, expect } from '@playwright/test';

import { type Person, unregistered } from '../fixtures/people.ts';
import { type Farthing, startFarthing } from '../fixtures/server.ts';
import { Tab } from './tab.ts';
import { type Options, type Transport, startFirefox, startWebKit, startWpe } from './transport.ts';

const ENGINES = { firefox: startFirefox, webkit: startWebKit, wpe: startWpe };
export type Engine = keyof typeof ENGINES;

interface WorkerFixtures {
  engine: Engine;
  farthing: Farthing;
}

interface Fixtures {
  /** Starts the browser. It ends with the test. */
  start(base?: string, options?: Options): Promise<Tab>;
  /** Requests of a person in no browser. */
  api: APIRequestContext;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  engine: ['firefox', { scope: 'worker', option: true }],

  farthing: [
    async ({}, use) => {
      const farthing = await startFarthing();
      await use(farthing);
      await farthing.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ farthing }, use) => use(farthing.url),

  start: async ({ engine, farthing }, use) => {
    const started: Transport[] = [];
    await use(async (base = farthing.url, options = {}) => {
      const browser = await ENGINES[engine](options);
      started.push(browser);
      return Tab.first(browser, base);
    });
    await Promise.all(started.map((browser) => browser.close()));
  },

  api: async ({ request }, use) => use(request),
});

/** Registers a person with the form. */
export async function registerIn(tab: Tab, name: string): Promise<Person> {
  const person = unregistered(name);
  await tab.open('/register');
  await tab.fill('[name=name]', person.name);
  await tab.fill('[name=email]', person.email);
  await tab.fill('[name=password]', person.password);
  await tab.click('main form[action="/register"] button, main form button[type=submit]');
  await expect.poll(() => tab.url()).not.toContain('/register');
  return person;
}

/** Signs in with the form. */
export async function signInIn(tab: Tab, { email, password }: Person): Promise<void> {
  await tab.open('/sign-in');
  await tab.fill('[name=email]', email);
  await tab.fill('[name=password]', password);
  await tab.click('main form button[type=submit]');
  await expect.poll(() => tab.url()).not.toContain('/sign-in');
}

export { expect };
