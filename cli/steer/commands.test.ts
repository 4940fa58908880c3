import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { openCommand, openMock, sendJson } from '../testing.ts';

const mock = await startMock({ clock: 'manual' });
const [harbour, blumen] = mock.tenants;
const command = openCommand();
const { folder } = command;

beforeEach(() => mock.control.reset());
afterAll(mock.close);

const here = { SITEPUB_CONTROL_URL: mock.controlUrl };

async function run(words: readonly string[], environment: Record<string, string> = here) {
  const { status, stdout, stderr } = await command.runHere(['mock', ...words], environment);
  return { status, lines: stdout.split('\n').slice(0, -1), stderr };
}

async function linesOf(...words: readonly string[]): Promise<string[]> {
  const { status, lines, stderr } = await run(words);
  expect([status, stderr]).toEqual([0, '']);
  return lines;
}

async function dataOf(...words: readonly string[]): Promise<unknown> {
  const [line = '', ...more] = await linesOf(...words, '--json');
  expect(more).toEqual([]);
  return JSON.parse(line);
}

const refused = (reason: string, status = 2) => ({ status, stderr: expect.stringContaining(reason) });

/** Subscribes an inbox to two events of a site. */
async function subscribe(query = '', { tenant = harbour, site = 101, name = 'shop' } = {}) {
  const { url } = mock.control.inbox(name);
  const wanted = { url: url + query, events: ['publish.complete', 'form.submit'], channel: 'custom' };
  const token = String(tenant?.apiKey);
  const answer = await sendJson(`${mock.baseUrl}/tenant/sites/${site}/webhooks`, wanted, { token });
  expect(await answer.json()).toMatchObject({ code: 0 });
  return url;
}

const midnight = '00:00:00.000';

test('trigger causes an event, and hides the key in the URL of the push', async () => {
  const url = await subscribe('?key=abc');
  const data = '{"message": "x", "pages": 2, "version": 9}';
  expect(await linesOf('trigger', 'publish.complete', '--data', data)).toEqual([
    `${midnight}  push 1 publish.complete  attempt 1  ${url}?key=…  200  0 ms  delivered`,
  ]);
  const [message] = mock.control.inbox('shop').messages().messages;
  expect(JSON.parse(message?.body ?? '').data).toEqual({ message: 'x', pages: 2, version: 9 });
});

test('trigger reads data from a file, and needs --site if several sites are subscribed', async () => {
  await subscribe();
  await subscribe('', { tenant: blumen, site: 201 });
  const file = join(folder, 'data.json');
  writeFileSync(file, '{"form": "contact"}');
  expect(await run(['trigger', 'form.submit'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^sitepub: the mock refused the call: several sites have a subscription to form\.submit: .*; choose one with --site\n$/,
    ),
  });
  expect(await dataOf('trigger', 'form.submit', '--data', `@${file}`, '--site', '201')).toMatchObject({
    site_id: 201,
    deliveries: [
      { state: 'delivered', attempts: [{ status: 200 }], body: expect.stringContaining('contact') },
    ],
  });
  expect(await linesOf('trigger', 'form.submit', '--site=102')).toEqual([
    'site 102 has no subscription to form.submit, so nothing was pushed',
  ]);
});

test('deliveries shows latest attempts, advance shows retries, resend sends again', async () => {
  const url = await subscribe();
  expect(await linesOf('deliveries')).toEqual(['there are no deliveries']);
  expect(await linesOf('deliveries', '--json')).toEqual([]);
  expect(await run(['resend', '1'])).toMatchObject(
    refused('there is no delivery 1; there are none yet (`sitepub mock deliveries` lists all)'),
  );
  mock.control.inbox('shop').configure({ respond: [500, 500, 500, 500] });
  mock.control.causeEvent({ event: 'form.submit' });
  expect(await linesOf('deliveries')).toEqual([`${midnight}  push 1 form.submit  ${url}  due`]);
  await mock.control.drain();
  const failed = `${midnight}  push 1 form.submit  attempt 1  ${url}  500  0 ms  next 00:01:00.000 (in 1 min)`;
  expect(await linesOf('deliveries', '--state', 'pending')).toEqual([failed]);
  expect(await linesOf('deliveries', '--site', '201')).toEqual(['there are no deliveries']);
  expect(await linesOf('advance', 'pt1m')).toEqual([
    '00:01:00.000  push 1 form.submit  attempt 2  500  0 ms',
    '00:01:00.000  clock at 2026-01-01T00:01:00.000Z  stopped',
  ]);
  expect(await dataOf('advance', '35m')).toMatchObject({
    now: '2026-01-01T00:36:00.000Z',
    attempts: [{ number: 3 }, { number: 4 }],
  });
  expect(await linesOf('resend', '1')).toEqual([
    `00:36:00.000  push 1 form.submit  attempt 5, sent again  ${url}  200  0 ms  delivered`,
  ]);
  expect(await dataOf('deliveries')).toMatchObject({ id: 1, state: 'delivered', attempts: { length: 5 } });
});

test('inbox shows messages without keys in their paths, or the URL of an empty inbox', async () => {
  const inbox = mock.control.inbox('shop');
  expect(await linesOf('inbox', 'shop')).toEqual([`this inbox is empty; its URL is ${inbox.url}`]);
  inbox.configure({ secret: 'correct-horse', respond: [500] });
  await fetch(`${inbox.url}/x?key=abc`, { method: 'POST', body: '{"a": "\u009b2J\u202e"}' });
  await fetch(inbox.url, { method: 'POST', body: Buffer.from([0xff]) });
  expect(await linesOf('inbox', 'shop')).toEqual([
    `${midnight}  #1  POST /x?key=…  NOT VERIFIED  answered 500`,
    ...['  {', '    "a": "\\u009b2J\\u202e"', '  }', ''],
    `${midnight}  #2  POST  NOT VERIFIED  answered 200`,
    ...['  (not UTF-8, in Base64) /w==', ''],
  ]);
  const [first = ''] = await linesOf('inbox', 'shop', '--json');
  expect(JSON.parse(first)).toMatchObject({ id: 1, path: '/x?key=abc', body: '{"a": "\u009b2J\u202e"}' });
  expect(first).not.toMatch(/\p{Cc}/u);
});

test('requests shows callers and reasons of refusals, without tokens', async () => {
  expect(await linesOf('requests')).toEqual(['there are no requests']);
  await fetch(`${mock.baseUrl}/tenant/sites?token=st_0123456789abcdef`);
  await subscribe();
  expect(await linesOf('requests')).toEqual([
    expect.stringMatching(
      /^00:00:00\.000 {2}GET \/api\/v1\/tenant\/sites\?token=… {2}401 code \d+ {2}[\d.]+ ms {2}refused: the Authorization header is missing/,
    ),
    expect.stringMatching(
      / {2}POST \/api\/v1\/tenant\/sites\/101\/webhooks {2}\d+ code 0 {2}API key "[^"]+" {2}[\d.]+ ms$/,
    ),
  ]);
  expect(await linesOf('requests', '--operation', 'createSubscription')).toHaveLength(1);
  const { lines } = await run(['requests'], { ...here, NO_COLOR: '', FORCE_COLOR: '1' });
  expect(lines[1]).toContain('\u001b[32m200 code 0\u001b[39m');
});

test('shows lists of more than a hundred items completely', async () => {
  await subscribe();
  for (let count = 0; count < 103; count++) mock.control.causeEvent({ event: 'form.submit', site_id: 101 });
  await mock.control.drain();
  expect(await linesOf('deliveries')).toHaveLength(103);
  expect(await linesOf('inbox', 'shop', '--json')).toHaveLength(103);
  expect(await run(['resend', '104'])).toMatchObject(refused('the numbers are 1 to 103'));
});

test('reset restores the initial state, of one tenant or all, and can keep sessions', async () => {
  await subscribe();
  await subscribe('', { tenant: blumen, site: 201, name: 'other' });
  expect(await dataOf('reset', '--tenant', 'Harbour Café')).toMatchObject({ subscriptions: 1, tenants: 2 });
  expect(await linesOf('reset')).toEqual([
    'reset: tenants 2, users 3, sites 3, subscriptions 0, deliveries 0; the clock is at 2026-01-01T00:00:00.000Z',
  ]);
  const answer = await sendJson(`${mock.baseUrl}/auth/tenant/login`, harbour?.users[0]);
  const { data } = (await answer.json()) as { data: { token: string } };
  const headers = { Authorization: `Bearer ${data.token}` };
  for (const [flags, status] of [[['--keep-sessions'], 200] as const, [[], 401] as const]) {
    await linesOf('reset', ...flags);
    expect((await fetch(`${mock.baseUrl}/tenant/sites`, { headers })).status).toBe(status);
  }
});

test('save writes a file that only the user can read, and load restores it', async () => {
  await subscribe();
  const file = join(folder, 'world.json');
  expect(await linesOf('save', file)).toEqual([`saved in ${file}`]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await mock.control.reset();
  expect(await linesOf('load', file)).toEqual([expect.stringContaining('subscriptions 1, ')]);
  writeFileSync(file, '{"tenants": 1}');
  expect(await run(['load', file])).toMatchObject({ status: 2, lines: [] });
  writeFileSync(file, 'tenants:');
  const usual = 'give a file of `sitepub mock save`';
  expect(await run(['load', file])).toMatchObject(refused(`is not JSON; ${usual}`));
  expect(await run(['load', join(folder, 'none')])).toMatchObject(refused(usual));
  expect(await run(['save', join(folder, 'none', 'x')])).toMatchObject(refused("can't be written (ENOENT)"));
  expect(existsSync(join(folder, 'none'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('tenants:');
});

test('fault turns the named faults on and others off, and status shows them', async () => {
  const on = await linesOf('fault', 'third-retry-missing', 'no-trace-id-on-404');
  expect(on).toEqual([
    expect.stringMatching(/^no-trace-id-on-404 {2}ENV-1 {2}\S/),
    expect.stringMatching(/^third-retry-missing {2}RETRY-\d {2}\S/),
  ]);
  expect(await linesOf('fault')).toEqual(on);
  await linesOf('fault', 'third-retry-missing');
  expect(await linesOf('status')).toEqual([
    `service      ${mock.baseUrl}`,
    `control API  ${mock.controlUrl}`,
    expect.stringMatching(/^version {6}\d+\.\d+\.\d+$/),
    'profile      default',
    'clock        2026-01-01T00:00:00.000Z (manual)',
    'store        none, in memory',
    'faults       third-retry-missing',
    'limits       unused',
  ]);
  const described = { control_url: mock.controlUrl, faults: ['third-retry-missing'] };
  expect(await dataOf('status')).toMatchObject(described);
  expect(await linesOf('fault', 'none')).toEqual(['no fault is on']);
  expect(await mock.control.faults()).toMatchObject({ on: [] });
});

test.for<[string[], string]>([
  [['trigger'], "missing required argument 'event'"],
  [['trigger', 'publish.complet'], 'there is no event "publish.complet"; did you mean "publish.complete"?'],
  [['trigger', 'form.submit', 'x'], '`sitepub mock trigger` takes one argument, but got 2'],
  [['trigger', 'form.submit', '--data', '[1]'], '--data is not a JSON object'],
  [['trigger', 'form.submit', '--data', '{'], '--data is not a JSON object'],
  [['trigger', 'form.submit', '--data', '@none.json'], "--data: none.json can't be read (there is no file"],
  [['trigger', 'form.submit', '--site', 'shop'], '--site is "shop"; expected a whole number'],
  [['resend', 'x'], '"x" is not the number of a delivery'],
  [['inbox', '..'], '".." is not the name of an inbox'],
  [['inbox', '.'], '"." is not the name of an inbox'],
  [['advance', 'soon'], '"soon" is not a duration; expected for example PT36M or 36m'],
  [['deliveries', '--state', 'lost'], 'expected one of pending, delivered, given-up'],
  [['requests', '--operation', 'logn'], 'there is no operation "logn"; did you mean "login"?'],
  [['fault', 'third-retry-mising'], 'did you mean "third-retry-missing"?'],
  [['reset', '--tenant', 'Harbor Café'], 'there is no tenant "Harbor Café"; did you mean "Harbour Café"?'],
  [['requests', '--control-url', 'nowhere'], '--control-url is "nowhere"; expected an http or https URL'],
  [
    ['stop'],
    'the mock refused the call: this mock runs inside a program, such as `sitepub exec`, and stops when that ends',
  ],
])('%j is refused', async ([words, reason]) => {
  expect(await run(words)).toMatchObject({ ...refused(reason), lines: [] });
});

test('exits with 3 if no mock is found or answers, and says how to start one', async () => {
  const unknown = 'no running mock was found; start one with `sitepub mock`';
  expect(await run(['requests'], {})).toMatchObject(refused(unknown, 3));
  const away = await startMock();
  await away.close();
  expect(await run(['requests', '--control-url', away.controlUrl])).toMatchObject(
    refused(`no mock answers at ${away.controlUrl} (ECONNREFUSED); start one with \`sitepub mock\``, 3),
  );
  expect(await run(['requests', '--control-url', mock.baseUrl])).toMatchObject(
    refused('does not answer like the control API of a mock', 3),
  );
});

test('accepts the origin of a mock, and reads the control token from the environment', async () => {
  await using guarded = await openMock({ controlToken: 'c0ntrol' });
  const words = ['deliveries', '--control-url', new URL(guarded.baseUrl).origin];
  expect(await run(words)).toMatchObject(refused('requires its control token; set SITEPUB_CONTROL_TOKEN'));
  expect((await run(words, { SITEPUB_CONTROL_TOKEN: 'c0ntrol' })).status).toBe(0);
});
