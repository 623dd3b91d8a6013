// A window of a browser, as the journeys use it.
import { expect } from '@playwright/test';

import type { Transport } from './transport.ts';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Keys without a character, as WebDriver writes them. */
export const KEYS = { Control: '\uE009', Alt: '\uE00A', ArrowDown: '\uE015', End: '\uE010', Enter: '\uE007', Escape: '\uE00C' };

export class Tab {
  private constructor(
    private readonly browser: Transport,
    private readonly base: string,
    private readonly handle: string,
  ) {}

  /** The window with which the browser has started. */
  static async first(browser: Transport, base: string): Promise<Tab> {
    const handle = (await browser.send('WebDriver:GetWindowHandle')) as string;
    return new Tab(browser, base, handle);
  }

  async another(): Promise<Tab> {
    const { handle } = (await this.send('WebDriver:NewWindow', { type: 'window' })) as { handle: string };
    return new Tab(this.browser, this.base, handle);
  }

  /** A window without bars, which may be narrower, where the engine opens one; else this one. */
  async bare(): Promise<Tab> {
    await this.open('/sign-in');
    await this.run(() => window.open('/sign-in', '_blank', 'popup,width=320,height=740') !== null);
    const handles = (await this.send('WebDriver:GetWindowHandles')) as string[];
    const handle = handles.find((each) => each !== this.handle) ?? this.handle;
    return new Tab(this.browser, this.base, handle);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('WebDriver:SetWindowRect', { x: 0, y: 0, width, height });
  }

  /** Replaces the cookies by those of another browser. */
  async takeCookies(cookies: { name: string; value: string }[]): Promise<void> {
    await this.open('/sign-in');
    await this.send('WebDriver:DeleteAllCookies');
    for (const { name, value } of cookies) {
      await this.send('WebDriver:AddCookie', { cookie: { name, value, path: '/' } });
    }
  }

  async open(path: string): Promise<void> {
    await this.send('WebDriver:Navigate', { url: new URL(path, this.base).href });
  }

  async url(): Promise<string> {
    return (await this.send('WebDriver:GetCurrentURL')) as string;
  }

  async click(selector: string): Promise<void> {
    await this.retried(selector, (id) => this.send('WebDriver:ElementClick', { id }));
  }

  /** Types into a field, or chooses files. */
  async type(selector: string, text: string): Promise<void> {
    await this.retried(selector, (id) => this.send('WebDriver:ElementSendKeys', { id, text, value: [...text] }));
  }

  /** Replaces what stands in a field. */
  async fill(selector: string, text: string): Promise<void> {
    await this.retried(selector, (id) => this.send('WebDriver:ElementClear', { id }));
    await this.type(selector, text);
  }

  /** Presses keys where the focus is; the held one is pressed all the while. */
  async press(keys: string, held = ''): Promise<void> {
    const down = (value: string) => ({ type: 'keyDown', value });
    const up = (value: string) => ({ type: 'keyUp', value });
    const pressed = [...keys].flatMap((key) => [down(key), up(key)]);
    const actions = [...[...held].map(down), ...pressed, ...[...held].map(up)];
    await this.send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /** Drags the middle of one element to the middle of another by the mouse. */
  async drag(from: string, to: string): Promise<void> {
    const middle = async (selector: string) => {
      const find = (wanted: string) => {
        const box = document.querySelector(wanted)!.getBoundingClientRect();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
      };
      const [x, y] = (await this.run(find, selector)) as [number, number];
      return { type: 'pointerMove', duration: 100, origin: 'viewport', x, y };
    };
    const [start, end] = [await middle(from), await middle(to)];
    const between = { ...start, y: Math.round((start.y + end.y) / 2) };
    const beyond = { ...end, y: end.y + Math.sign(end.y - start.y) * 4 };
    const actions = [start, { type: 'pointerDown', button: 0 }, between, end, beyond, { type: 'pointerUp', button: 0 }];
    const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    await this.send('WebDriver:PerformActions', { actions: [mouse] });
  }

  /** Runs a function in the page, and waits for its promise. */
  async run<A extends unknown[], R>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    const script = `return (${work})(...arguments)`;
    return (await this.send('WebDriver:ExecuteScript', { script, args })) as Awaited<R>;
  }

  /** Waits until the element is there and has the text. */
  async shows(selector: string, text: string | RegExp = ''): Promise<void> {
    const find = (wanted: string) =>
      Array.from(document.querySelectorAll<HTMLElement>(wanted), (element) => element.textContent ?? '').join('\n');
    const shown = () => this.run(find, selector).catch((error: Error) => `${error}`);
    const message = `text of ${selector}`;
    if (text === '') await expect.poll(() => this.count(selector), { message: selector }).toBeGreaterThan(0);
    else if (typeof text === 'string') await expect.poll(shown, { message }).toContain(text);
    else await expect.poll(shown, { message }).toMatch(text);
  }

  /** Waits until there are so many elements. */
  async has(selector: string, number: number): Promise<void> {
    await expect.poll(() => this.count(selector), { message: selector }).toBe(number);
  }

  /** The page on paper of this size and with these margins, in centimetres. */
  async print(paper = { width: 21, height: 29.7 }, margin = 1): Promise<Buffer> {
    const margins = { top: margin, bottom: margin, left: margin, right: margin };
    const printed = await this.send('WebDriver:Print', { background: true, page: paper, margin: margins, shrinkToFit: false });
    return Buffer.from(printed as string, 'base64');
  }

  /** Lays the page out as on paper with so many millimetres of text, in an engine that can't print, too. */
  async layOutAsOnPaper(width: number): Promise<void> {
    const swap = (millimetres: number) => {
      const visit = (rules: CSSRuleList) => {
        for (const rule of rules) {
          if (rule instanceof CSSMediaRule) {
            const media = rule.media.mediaText;
            if (media === 'print') rule.media.mediaText = 'all';
            if (media === 'not print' || media === 'screen') rule.media.mediaText = 'not all';
          }
          const inner = (rule as CSSGroupingRule).cssRules;
          if (inner) visit(inner);
        }
      };
      for (const sheet of document.styleSheets) visit(sheet.cssRules);
      document.body.style.width = `${millimetres}mm`;
      return 0;
    };
    await this.run(swap, width);
  }

  async send(command: string, parameters: object = {}): Promise<unknown> {
    await this.browser.send('WebDriver:SwitchToWindow', { handle: this.handle });
    return this.browser.send(command, parameters);
  }

  private async count(selector: string): Promise<number> {
    const find = (wanted: string) => document.querySelectorAll(wanted).length;
    return this.run(find, selector).catch(() => -1);
  }

  /** Uses an element once it is there and nothing covers it. A page may replace it meanwhile. */
  private async retried(selector: string, use: (id: string) => Promise<unknown>): Promise<void> {
    const attempt = async () => {
      const found = await this.send('WebDriver:FindElement', { using: 'css selector', value: selector });
      await use((found as Record<string, string>)[ELEMENT]!);
    };
    await expect(attempt, selector).toPass();
  }
}
