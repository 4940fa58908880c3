// @module-tag nightly
// A hostile page in a real browser: from another origin, and by a host name that was made to lead to the mock (DNS rebinding).

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import puppeteer, { type Browser } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { type StartedMock, startMock } from '../start.ts';

const chromium = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

interface PageAttack {
  /** Whether the mock has `--cors`. */
  cors: boolean;
  kind: 'from another origin' | 'by a rebound name';
}

const pageAttacks: readonly PageAttack[] = [
  { cors: false, kind: 'from another origin' },
  { cors: false, kind: 'by a rebound name' },
  { cors: true, kind: 'from another origin' },
  { cors: true, kind: 'by a rebound name' },
];

describe('nothing is obeyed, and nothing read', () => {
  test.each(pageAttacks)('with --cors $cors, by a page $kind', { timeout: 180_000 }, async (attack) => {
    expect(await tryPage(attack)).toEqual([]);
  });
});

/** How many ways a page tries on each address of the mock. */
const ways = 22;
/** Names that lead to the mock, each an address that a page of another origin tries. */
const names = ['127.0.0.1', 'localhost', 'mock.evil.example'];

/** How many calls a page tries. */
function callsOf({ kind }: PageAttack): number {
  return kind === 'by a rebound name' ? ways : ways * names.length;
}

/** Lets a page do its worst, and returns what it could do that it must not; empty where the mock held. */
async function tryPage(attack: PageAttack): Promise<string[]> {
  await using opened = new AsyncDisposableStack();
  const mock = await startMock({ cors: attack.cors, clock: 'manual' });
  opened.defer(() => mock.close());
  const { look, before } = await plant(mock);
  const attacker = await openAttacker(mock, attack);
  opened.defer(attacker.close);
  const browser = await openBrowser(`http://evil.example:${attacker.port}/page`);
  opened.defer(() => browser.close());
  const read = await Promise.race([attacker.reported, sleep(pageMs, undefined, { ref: false })]);
  if (!read) return [`the page has not reported within ${pageMs / 1_000} s`];
  const broken = brokenBy(read, callsOf(attack));
  return isDeepStrictEqual(look(), before) ? broken : [...broken, 'what the mock holds has changed'];
}

/** How long a page may take with all that it tries, in milliseconds. */
const pageMs = 90_000;

function brokenBy(read: Readonly<Record<string, string>>, calls: number): string[] {
  const tried = Object.keys(read).length;
  const obeyed = Object.entries(read)
    .filter(([, outcome]) => !/^(blocked|sent|loaded$|opaque 0 $|read |basic 403 )/.test(outcome))
    .map(([name, outcome]) => `${name}: ${outcome}`);
  const shown = JSON.stringify(read);
  const seen = ['a-signing-secret', 'a-secret-message', 'passwordDigest', 'base_url']
    .filter((secret) => shown.includes(secret))
    .map((secret) => `${secret} was read`);
  return [...(tried === calls ? [] : [`${tried} of ${calls} calls were tried`]), ...obeyed, ...seen];
}

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
async function openAttacker(mock: StartedMock, { kind }: PageAttack) {
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, reported: reported.promise, close };
}

const page = readFileSync(new URL('testing/hostile-page.html', import.meta.url), 'utf8');

function passOn(port: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  incoming.pipe(sent);
}

async function openBrowser(url: string): Promise<Browser> {
  if (chromium === undefined)
    throw new Error(
      'no Chromium was found; install it (apt-get install chromium), or set CHROMIUM to its path',
    );
  const args = ['--no-sandbox', '--no-proxy-server', '--host-resolver-rules=MAP *.example 127.0.0.1'];
  const browser = await puppeteer.launch({ executablePath: chromium, args });
  await (await browser.newPage()).goto(url, { waitUntil: 'domcontentloaded' });
  return browser;
}
