// A hostile page in a real browser: from another origin, and by a host name that was made to lead to the mock (DNS rebinding).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StartedMock, startMock } from '../start.ts';

/** Where Chromium is, or undefined. */
const chromium = [
  process.env.CHROMIUM ?? [],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .flat()
  .find((path) => existsSync(path));

test('says that these tests need Chromium', ({ skip }) => {
  skip(
    chromium === undefined,
    'no Chromium was found; install it (apt-get install chromium), or set CHROMIUM to its path',
  );
});

const page = readFileSync(new URL('../testing/hostile-page.html', import.meta.url), 'utf8');

/** What must be as it was, and what must not be read. */
async function plant({ control, controlUrl }: StartedMock) {
  control.override({ operation: 'publishSite', status: 503 });
  control.inbox('secret').configure({ secret: 'a-signing-secret' });
  await fetch(`${controlUrl}/inbox/secret`, { method: 'POST', body: 'a-secret-message' });
  await control.advance('PT1H');
  const look = () => ({
    clock: control.clock(),
    overrides: control.overrides(),
    messages: control.inbox('secret').messages(),
  });
  return { look, before: look() };
}

/** The attacker's server: the page, its report, and the mock behind everything else, as after the name was rebound. */
async function openAttacker(mock: StartedMock, basesOf: (port: number) => string[]) {
  const reported = Promise.withResolvers<Record<string, string>>();
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/page')
      return response
        .setHeader('content-type', 'text/html')
        .end(page.replace('BASES', JSON.stringify(basesOf(port))));
    if (incoming.url !== '/report') return passOn(new URL(mock.baseUrl).port, incoming, response);
    reported.resolve(JSON.parse(await text(incoming)));
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, reported: reported.promise };
}

function passOn(port: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  incoming.pipe(sent);
}

function openBrowser(program: string, url: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-chromium-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-proxy-server',
  ];
  const browser = spawn(
    program,
    [
      ...flags,
      `--user-data-dir=${folder}`,
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      '--remote-debugging-port=0',
      url,
    ],
    { stdio: 'ignore', detached: true },
  );
  onTestFinished(async () => {
    // The whole group: the browser has processes of its own.
    process.kill(-(browser.pid ?? 0), 'SIGKILL');
    await once(browser, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

describe.skipIf(chromium === undefined).each([false, true])('with --cors %s', (cors) => {
  test.each(['from another origin', 'by a rebound name'])('a page %s', { timeout: 180_000 }, async (kind) => {
    const mock = await startMock({ cors, clock: 'manual' });
    onTestFinished(() => mock.close());
    const { look, before } = await plant(mock);
    const mockPort = new URL(mock.baseUrl).port;
    const names = ['127.0.0.1', 'localhost', 'mock.evil.example'];
    const attacker = await openAttacker(mock, (port) =>
      kind === 'by a rebound name'
        ? [`http://evil.example:${port}/_mock`]
        : names.map((name) => `http://${name}:${mockPort}/_mock`),
    );
    openBrowser(chromium ?? '', `http://evil.example:${attacker.port}/page`);
    const read = await attacker.reported;
    expect(Object.keys(read)).toHaveLength(kind === 'by a rebound name' ? 22 : 66);
    const obeyed = Object.entries(read).filter(
      ([, outcome]) => !/^(blocked|sent|loaded$|opaque 0 $|read |basic 403 )/.test(outcome),
    );
    expect(obeyed).toEqual([]);
    const shown = JSON.stringify(read);
    for (const secret of ['a-signing-secret', 'a-secret-message', 'passwordDigest', 'base_url'])
      expect(shown).not.toContain(secret);
    expect(look()).toEqual(before);
  });
});
