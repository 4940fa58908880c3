// @module-tag nightly
// A hostile page in Chromium: from another origin, and under a host name that leads to the mock (DNS rebinding).
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenTo } from '../../contract-tests/testing.ts';
import { type StartedMock, startMock } from '../../mock/start.ts';
import { launchChromium } from './testing/open-page.ts';

type Kind = 'from another origin' | 'by a rebound name';

/** Attacks of the page per address of the mock. */
const ways = 22;
/** Names of the mock that a page of another origin tries. */
const names = ['127.0.0.1', 'localhost', 'mock.evil.example'];

const page = readFileSync(new URL('hostile-page.html', import.meta.url), 'utf8');

test.each<[cors: boolean, kind: Kind]>([
  [false, 'from another origin'],
  [false, 'by a rebound name'],
  [true, 'from another origin'],
  [true, 'by a rebound name'],
])('with --cors %s, a page %s can change and read nothing', { timeout: 180_000 }, async (cors, kind) => {
  const mock = await startMock({ cors, clock: 'manual' });
  onTestFinished(() => mock.close());
  const look = await plant(mock);
  const before = look();
  const attacker = await openAttacker(mock, kind);
  const browser = await launchChromium('--host-resolver-rules=MAP *.example 127.0.0.1');
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`http://evil.example:${attacker.port}/page`);
  const read = await attacker.reported;
  expect(Object.keys(read)).toHaveLength(kind === 'by a rebound name' ? ways : ways * names.length);
  expect(brokenBy(read)).toEqual([]);
  expect(look()).toStrictEqual(before);
});

/** Attacks that succeeded, and secrets that the page has read. */
function brokenBy(read: Readonly<Record<string, string>>): string[] {
  const obeyed = Object.entries(read)
    .filter(([, outcome]) => !/^(blocked|sent|loaded$|opaque 0 $|read |basic 403 )/.test(outcome))
    .map(([name, outcome]) => `${name}: ${outcome}`);
  const shown = JSON.stringify(read);
  const seen = ['a-signing-secret', 'a-secret-message', 'passwordDigest', 'base_url']
    .filter((secret) => shown.includes(secret))
    .map((secret) => `${secret} was read`);
  return [...obeyed, ...seen];
}

/** Creates secrets. Returns a function that reads the state that must not change. */
async function plant({ control, controlUrl }: StartedMock) {
  control.override({ operation: 'publishSite', status: 503 });
  control.inbox('secret').configure({ secret: 'a-signing-secret' });
  await fetch(`${controlUrl}/inbox/secret`, { method: 'POST', body: 'a-secret-message' });
  await control.advance('PT1H');
  return () => ({
    clock: control.clock(),
    overrides: control.overrides(),
    messages: control.inbox('secret').messages(),
  });
}

/** The server of the attacker: the page, its report, and a proxy to the mock after the rebinding. */
async function openAttacker(mock: StartedMock, kind: Kind) {
  const mockPort = new URL(mock.baseUrl).port;
  const basesOf = (port: number) =>
    kind === 'by a rebound name'
      ? [`http://evil.example:${port}/_mock`]
      : names.map((name) => `http://${name}:${mockPort}/_mock`);
  const reported = Promise.withResolvers<Record<string, string>>();
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/page')
      return response
        .setHeader('content-type', 'text/html')
        .end(page.replace('BASES', JSON.stringify(basesOf(port))));
    if (incoming.url !== '/report') return passOn(mockPort, incoming, response);
    reported.resolve(JSON.parse(await text(incoming)));
    response.end();
  });
  const { port, close } = await listenTo(server);
  onTestFinished(close);
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
