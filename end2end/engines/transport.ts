// How a browser is told what to do: the commands of WebDriver, by the names that Firefox gives them. Firefox
// takes them over its own protocol, Marionette, into which geckodriver translates, which Debian doesn't have.
// WebKit takes them over HTTP, in its form with GTK and in the one for devices, WPE.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A running browser with one session. */
export interface Transport {
  send(command: string, parameters?: object): Promise<unknown>;
  close(): Promise<void>;
}

export interface Options {
  /** The scheme of colours that the system prefers. */
  dark?: boolean;
  javaScript?: boolean;
}

const START_TIMEOUT_MS = 240_000;

/** Calls until there is a result. */
async function eventually<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what}: ${error}`);
      await pause(50);
    }
  }
}

/** WebKit's driver takes none by itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, 'exit');
  process.kill();
  await exit;
}

/** Firefox without a window. */
export async function startFirefox({ dark = false, javaScript = true }: Options = {}): Promise<Transport> {
  const profile = await mkdtemp(path.join(tmpdir(), 'farthing-firefox-'));
  const preferences = {
    'marionette.port': 0,
    'browser.shell.checkDefaultBrowser': false,
    'browser.aboutwelcome.enabled': false,
    'browser.startup.page': 0,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.disabledForTesting': true,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'ui.systemUsesDarkTheme': dark ? 1 : 0,
    'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
    'javascript.enabled': javaScript,
    'intl.accept_languages': 'en-GB',
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  await writeFile(path.join(profile, 'user.js'), lines.join(''));
  const firefox = spawn(
    process.env.FIREFOX ?? 'firefox-esr',
    ['--headless', '--marionette', '--no-remote', '--new-instance', '--profile', profile, 'about:blank'],
    { stdio: 'ignore', env: { ...process.env, TZ: 'UTC', HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' } },
  );
  const failed = once(firefox, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  const port = await Promise.race([
    failed,
    eventually('Firefox does not listen', async () => {
      const port = Number(await readFile(path.join(profile, 'MarionetteActivePort'), 'utf8'));
      if (!port) throw new Error('no port');
      return port;
    }),
  ]);
  const marionette = await Marionette.open(port);
  await marionette.send('WebDriver:NewSession', { capabilities: {} });
  return {
    send: (command, parameters) => marionette.send(command, parameters),
    async close() {
      marionette.close();
      await ended(firefox);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The protocol of Firefox: messages in JSON, each after its length. */
class Marionette {
  private read = Buffer.alloc(0);
  private count = 0;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.read = Buffer.concat([this.read, data]);
      this.takeAll();
    });
    socket.on('close', () => this.failAll(new Error('Firefox has closed the connection')));
    socket.on('error', (error) => this.failAll(error));
  }

  static async open(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Marionette(socket);
  }

  async send(command: string, parameters: object = {}): Promise<unknown> {
    this.count += 1;
    const [number, text] = [this.count, JSON.stringify([0, this.count, command, parameters])];
    const answer = new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject }));
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    const result = await answer;
    return result && typeof result === 'object' && 'value' in result ? result.value : result;
  }

  close(): void {
    this.socket.destroy();
  }

  private takeAll(): void {
    for (;;) {
      const colon = this.read.indexOf(':');
      const end = colon + 1 + Number(this.read.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.read.length < end) return;
      const message = JSON.parse(this.read.subarray(colon + 1, end).toString());
      this.read = this.read.subarray(end);
      // The first one is a greeting.
      if (!Array.isArray(message)) continue;
      const [, number, error, result] = message;
      const waiting = this.waiting.get(number);
      this.waiting.delete(number);
      if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting?.resolve(result);
    }
  }

  private failAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** Method and path below the session. `{id}` and `{handle}` are parameters. */
const ROUTES: Record<string, [string, string]> = {
  'WebDriver:Navigate': ['POST', 'url'],
  'WebDriver:GetCurrentURL': ['GET', 'url'],
  'WebDriver:FindElement': ['POST', 'element'],
  'WebDriver:ElementClick': ['POST', 'element/{id}/click'],
  'WebDriver:ElementClear': ['POST', 'element/{id}/clear'],
  'WebDriver:ElementSendKeys': ['POST', 'element/{id}/value'],
  'WebDriver:PerformActions': ['POST', 'actions'],
  'WebDriver:ExecuteScript': ['POST', 'execute/sync'],
  'WebDriver:NewWindow': ['POST', 'window/new'],
  'WebDriver:GetWindowHandle': ['GET', 'window'],
  'WebDriver:SwitchToWindow': ['POST', 'window'],
};

/** WebKit in a display of its own. */
export async function startWebKit({ dark = false, javaScript = true }: Options = {}): Promise<Transport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'farthing-webkit-'));
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(display.stdio[3]!, 'data');
  const environment = {
    DISPLAY: `:${String(number).trim()}`,
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    ...(dark ? { GTK_THEME: 'Adwaita:dark' } : { GTK_THEME: 'Adwaita' }),
  };
  const browserOptions = { args: ['--automation', ...switches(javaScript)] };
  const driver = process.env.WEBKITDRIVER ?? 'WebKitWebDriver';
  const browser = await startOverHttp(driver, { 'webkitgtk:browserOptions': browserOptions }, folder, environment);
  return {
    ...browser,
    async close() {
      await browser.close();
      await ended(display);
    },
  };
}

/** WPE, the WebKit of devices, without a display. Debian's is as old as Safari 16. */
export async function startWpe({ javaScript = true }: Options = {}): Promise<Transport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'farthing-wpe-'));
  const browserOptions = {
    binary: '/usr/bin/cog',
    args: ['--automation', '--platform=headless', ...switches(javaScript)],
  };
  return startOverHttp('WPEWebDriver', { 'wpe:browserOptions': browserOptions }, folder, { XDG_RUNTIME_DIR: folder });
}

const switches = (javaScript: boolean) => (javaScript ? [] : ['--enable-javascript=false']);

/** A browser whose driver listens. Its files are in the folder, which ends with it. */
async function startOverHttp(
  program: string,
  alwaysMatch: object,
  folder: string,
  variables: NodeJS.ProcessEnv,
): Promise<Transport> {
  const port = await freePort();
  const own = { HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, TZ: 'UTC', LIBGL_ALWAYS_SOFTWARE: '1' };
  const driver = spawn(program, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, ...own, ...variables } });
  const url = `http://127.0.0.1:${port}/session`;
  const session = await eventually(`${program} does not start`, async () => {
    const answer = await request('POST', url, { capabilities: { alwaysMatch } });
    return (answer as { sessionId: string }).sessionId;
  });
  return {
    async send(command, parameters = {}) {
      const [method, route] = ROUTES[command] ?? [];
      if (!method || !route) throw new Error(`${program} has no ${command}`);
      const filled = route.replace(/\{(\w+)\}/, (_, name: string) => String((parameters as Record<string, unknown>)[name]));
      return request(method, `${url}/${session}/${filled}`, method === 'POST' ? parameters : undefined);
    },
    async close() {
      await request('DELETE', `${url}/${session}`).catch(() => {});
      await ended(driver);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function request(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, body: body ? JSON.stringify(body) : null });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
  if (!answer.ok) throw new Error(`${value?.error}: ${value?.message}`);
  return value;
}
