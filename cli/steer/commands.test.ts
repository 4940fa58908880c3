// The commands for a running mock, each run against one in this process.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startMock } from '../../mock/start.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { runCommandLine } from '../program/program.ts';

const mock = await startMock({ clock: 'manual' });
const [harbour, blumen] = mock.tenants;
const folder = mkdtempSync(join(tmpdir(), 'sitepub-steer-'));

beforeEach(async () => {
  for (const name of ['SITEPUB_CONTROL_TOKEN', 'FORCE_COLOR']) vi.stubEnv(name, undefined);
  vi.stubEnv('SITEPUB_CONTROL_URL', mock.controlUrl);
  // No mock of this machine is found by chance.
  vi.stubEnv('TMPDIR', folder);
  await mock.control.reset();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** Runs `sitepub` with these words: the exit code, and the lines that were printed. */
async function run(...words: readonly string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const keep = (text: string) => void lines.push(...text.split('\n'));
  vi.spyOn(console, 'log').mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation((bytes) => {
    if (bytes.length > 0) keep(String(bytes).replace(/\n$/, ''));
    return true;
  });
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(line));
  const code = await runCommandLine(words);
  return { code, lines, ...(errors.length > 0 && { errors }) };
}

/** Subscribes an inbox to two events of a site. */
async function subscribe({
  tenant = harbour,
  site = 101,
  name = 'shop',
  query = '',
  respond = [] as number[],
} = {}) {
  const target = mock.control.inbox(name);
  if (respond.length > 0) target.configure({ respond });
  const answer = await fetch(`${mock.baseUrl}/tenant/sites/${site}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant?.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      url: target.url + query,
      events: ['publish.complete', 'form.submit'],
      channel: 'custom',
    }),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
  return target.url;
}

test('trigger causes an event where it is subscribed, and shows the push without the key in its address', async () => {
  const url = await subscribe({ query: '?key=abc' });
  expect(
    await run('mock', 'trigger', 'publish.complete', '--data', '{"message": "x", "pages": 2, "version": 9}'),
  ).toEqual({
    code: 0,
    lines: [`00:00:00.000  push 1 publish.complete  attempt 1  ${url}?key=…  200  0 ms  delivered`],
  });
  const [message] = mock.control.inbox('shop').messages().messages;
  expect(JSON.parse(message?.body ?? '').data).toEqual({ message: 'x', pages: 2, version: 9 });
});

test('trigger takes data from a file, a site, and says where nobody is subscribed', async () => {
  const file = join(folder, 'data.json');
  writeFileSync(file, '{"form": "contact"}');
  await subscribe({ site: 102 });
  const { code, lines } = await run(
    'mock',
    'trigger',
    'form.submit',
    '--data',
    `@${file}`,
    '--site',
    '102',
    '--json',
  );
  expect(code).toBe(0);
  const caused = JSON.parse(lines.join('\n')) as { site_id: number; deliveries: Schemas['Delivery'][] };
  expect(caused).toMatchObject({
    site_id: 102,
    deliveries: [{ state: 'delivered', attempts: [{ status: 200 }] }],
  });
  expect(JSON.parse(caused.deliveries[0]?.body ?? '').data).toEqual({ form: 'contact' });
  expect(await run('mock', 'trigger', 'form.submit', '--site=101')).toEqual({
    code: 0,
    lines: ['nobody is subscribed to form.submit on site 101, so nothing was pushed'],
  });
});

test('trigger lets one choose where several sites are subscribed', async () => {
  await subscribe();
  await subscribe({ tenant: blumen, site: 201 });
  const { code, errors } = await run('mock', 'trigger', 'form.submit');
  expect(code).toBe(2);
  expect(errors?.join()).toMatch(
    /^sitepub: the mock refused it: several sites have a subscription to form\.submit; .*; choose one with --site$/,
  );
});

test('advance shows the retries that it causes, in both forms of a duration', async () => {
  await subscribe({ respond: [500, 500, 500, 500] });
  await run('mock', 'trigger', 'publish.complete');
  expect((await run('mock', 'advance', 'pt1m')).lines).toEqual([
    '00:01:00.000  push 1 publish.complete  attempt 2  500  0 ms',
    '00:01:00.000  clock at 2026-01-01T00:01:00.000Z  stands still',
  ]);
  const { code, lines } = await run('mock', 'advance', '35m', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(lines.join('\n'))).toMatchObject({
    now: '2026-01-01T00:36:00.000Z',
    attempts: [{ number: 3 }, { number: 4 }],
  });
});

test('deliveries shows each by its latest attempt, and those of a state or site alone', async () => {
  const url = await subscribe({ respond: [500] });
  expect(await run('mock', 'deliveries')).toEqual({ code: 0, lines: ['there are no deliveries'] });
  expect(await run('mock', 'deliveries', '--json')).toEqual({ code: 0, lines: [] });
  mock.control.causeEvent({ event: 'form.submit' });
  expect((await run('mock', 'deliveries')).lines).toEqual([`00:00:00.000  push 1 form.submit  ${url}  due`]);
  await mock.control.drain();
  mock.control.causeEvent({ event: 'publish.complete' });
  await mock.control.drain();
  const failed = `00:00:00.000  push 1 form.submit  attempt 1  ${url}  500  0 ms  next 00:01:00.000 (in 1 min)`;
  expect((await run('mock', 'deliveries')).lines).toEqual([
    failed,
    expect.stringContaining('  push 2 publish.complete  '),
  ]);
  expect((await run('mock', 'deliveries', '--state', 'pending')).lines).toEqual([failed]);
  expect((await run('mock', 'deliveries', '--site', '201')).lines).toEqual(['there are no deliveries']);
  const [first = '', ...more] = (await run('mock', 'deliveries', '--json')).lines;
  expect(JSON.parse(first)).toMatchObject({ id: 1, attempts: [{ status: 500 }] });
  expect(more).toHaveLength(1);
  expect(await run('mock', 'deliveries', '--state', 'lost')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('expected one of pending, delivered, given-up')],
  });
});

test('resend sends a push again, and says which there are', async () => {
  const url = await subscribe();
  await run('mock', 'trigger', 'form.submit');
  expect(await run('mock', 'resend', '1')).toEqual({
    code: 0,
    lines: [`00:00:00.000  push 1 form.submit  attempt 2, sent again  ${url}  200  0 ms  delivered`],
  });
  expect(mock.control.inbox('shop').messages().received).toBe(2);
  expect(await run('mock', 'resend', '9')).toMatchObject({
    code: 2,
    errors: [
      expect.stringContaining(
        'there is no delivery 9; there are those from 1 to 1, and `sitepub mock deliveries` lists them',
      ),
    ],
  });
});

test('inbox shows the messages without keys in their paths, or where to send some', async () => {
  const url = await subscribe({ query: '?key=abc', respond: [500] });
  expect((await run('mock', 'inbox', 'shop')).lines).toEqual([
    `nothing has come to this inbox yet; its address is ${url}`,
  ]);
  mock.control.inbox('shop').configure({ secret: 'correct-horse' });
  await fetch(`${url}/x?key=abc`, { method: 'POST', body: '{"a": "\u009b2J\u202e"}' });
  await fetch(`${url}`, { method: 'POST', body: Buffer.from([0xff]) });
  expect((await run('mock', 'inbox', 'shop')).lines).toEqual([
    '00:00:00.000  #1  POST /x?key=…  NOT VERIFIED  answered 500',
    ...['  {', '    "a": "\\u009b2J\\u202e"', '  }', ''],
    '00:00:00.000  #2  POST  NOT VERIFIED  answered 200',
    ...['  (not UTF-8, in Base64) /w==', ''],
  ]);
  const [first = ''] = (await run('mock', 'inbox', 'shop', '--json')).lines;
  expect(JSON.parse(first)).toMatchObject({ id: 1, path: '/x?key=abc', body: '{"a": "\u009b2J\u202e"}' });
  expect(first).not.toMatch(/\p{Cc}/u);
});

test('requests shows who called and why it was refused, without tokens', async () => {
  expect((await run('mock', 'requests')).lines).toEqual(['there are no requests']);
  await fetch(`${mock.baseUrl}/tenant/sites?token=st_0123456789abcdef`);
  await subscribe();
  const { code, lines } = await run('mock', 'requests');
  expect(code).toBe(0);
  expect(lines).toEqual([
    expect.stringMatching(
      /^00:00:00\.000 {2}GET \/api\/v1\/tenant\/sites\?token=… {2}401 code \d+ {2}[\d.]+ ms {2}refused: the Authorization header is missing/,
    ),
    expect.stringMatching(
      / {2}POST \/api\/v1\/tenant\/sites\/101\/webhooks {2}\d+ code 0 {2}API key "[^"]+" {2}[\d.]+ ms$/,
    ),
  ]);
  expect((await run('mock', 'requests', '--operation', 'createSubscription')).lines).toHaveLength(1);
  expect(await run('mock', 'requests', '--operation', 'logn')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('there is no operation "logn"; did you mean "login"?')],
  });
});

test('lists of more than a hundred are shown as a whole', async () => {
  await subscribe();
  for (let count = 0; count < 103; count++) mock.control.causeEvent({ event: 'form.submit', site_id: 101 });
  await mock.control.drain();
  expect((await run('mock', 'deliveries')).lines).toHaveLength(103);
  expect((await run('mock', 'inbox', 'shop', '--json')).lines).toHaveLength(103);
  expect(await run('mock', 'resend', '104')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('there are those from 1 to 103')],
  });
});

test('reset --keep-sessions leaves who is logged in so', async () => {
  const [user] = harbour?.users ?? [];
  const answer = await fetch(`${mock.baseUrl}/auth/tenant/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  const list = async () =>
    (await fetch(`${mock.baseUrl}/tenant/sites`, { headers: { Authorization: `Bearer ${data.token}` } }))
      .status;
  expect((await run('mock', 'reset', '--keep-sessions')).code).toBe(0);
  expect(await list()).toBe(200);
  expect((await run('mock', 'reset')).code).toBe(0);
  expect(await list()).toBe(401);
});

test('reset goes back to the beginning, of a tenant alone too', async () => {
  await subscribe();
  await subscribe({ tenant: blumen, site: 201, name: 'other' });
  const { lines } = await run('mock', 'reset', '--tenant', 'Harbour Café', '--json');
  expect(JSON.parse(lines.join('\n'))).toMatchObject({ subscriptions: 1, tenants: 2 });
  expect(await run('mock', 'reset')).toEqual({
    code: 0,
    lines: [
      'back to the beginning: tenants 2, users 3, sites 3, subscriptions 0, deliveries 0; the clock is at 2026-01-01T00:00:00.000Z',
    ],
  });
  expect(await run('mock', 'reset', '--tenant', 'Harbor Café')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('there is no tenant "Harbor Café"; did you mean "Harbour Café"?')],
  });
});

test('world saves a snapshot that only the user can read, and loads it', async () => {
  await subscribe();
  const file = join(folder, 'world.json');
  expect(await run('mock', 'save', file)).toEqual({ code: 0, lines: [`saved in ${file}`] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await mock.control.reset();
  const { code, lines } = await run('mock', 'load', file);
  expect([code, lines.join()]).toEqual([0, expect.stringContaining('subscriptions 1, ')]);
  writeFileSync(file, '{"tenants": 1}');
  expect(await run('mock', 'load', file)).toMatchObject({ code: 2, lines: [] });
  writeFileSync(file, 'tenants:');
  expect(await run('mock', 'load', file)).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('is no JSON; give a file that `sitepub mock save` has written')],
  });
  expect(await run('mock', 'load', join(folder, 'none'))).toMatchObject({
    code: 2,
    errors: [
      expect.stringMatching(/none can't be read .*; give a file that `sitepub mock save` has written/),
    ],
  });
  expect(await run('mock', 'save', join(folder, 'none', 'x'))).toMatchObject({
    code: 2,
    errors: [expect.stringContaining("can't be written (ENOENT)")],
  });
  expect(existsSync(join(folder, 'none'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('tenants:');
});

test('fault turns some on and all others off, shows them, and knows near names', async () => {
  const on = await run('mock', 'fault', 'third-retry-missing', 'no-trace-id-on-404');
  expect(on.code).toBe(0);
  expect(on.lines.map((line) => line.split('  ')[0]).sort()).toEqual([
    'no-trace-id-on-404',
    'third-retry-missing',
  ]);
  expect(await run('mock', 'fault')).toEqual(on);
  expect((await run('mock', 'fault', 'third-retry-missing')).lines).toEqual([
    expect.stringMatching(/^third-retry-missing {2}RETRY-\d {2}\S/),
  ]);
  expect(await run('mock', 'fault', 'third-retry-mising')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('did you mean "third-retry-missing"?')],
  });
  expect((await mock.control.faults()).on).toEqual(['third-retry-missing']);
  expect(await run('mock', 'fault', 'none')).toEqual({ code: 0, lines: ['no fault is on'] });
  expect((await mock.control.faults()).on).toEqual([]);
});

test('status shows where the mock is, and how it behaves', async () => {
  await mock.control.setFaults(['third-retry-missing']);
  const { code, lines } = await run('mock', 'status');
  expect([code, lines]).toEqual([
    0,
    [
      `service      ${mock.baseUrl}`,
      `control API  ${mock.controlUrl}`,
      expect.stringMatching(/^version {6}\d+\.\d+\.\d+$/),
      'profile      default',
      'clock        2026-01-01T00:00:00.000Z (manual)',
      'store        none, in memory',
      'faults       third-retry-missing',
      'limits       unused',
    ],
  ]);
  expect(JSON.parse((await run('mock', 'status', '--json')).lines.join())).toMatchObject({
    control_url: mock.controlUrl,
    faults: ['third-retry-missing'],
  });
});

test('a mock within a program is not stopped', async () => {
  expect(await run('mock', 'stop')).toEqual({
    code: 2,
    lines: [],
    errors: [
      'sitepub: the mock refused it: this mock runs within a program, such as `sitepub exec`, and ends with that',
    ],
  });
});

test.for<[string[], string]>([
  [['mock', 'trigger'], "missing required argument 'event'"],
  [
    ['mock', 'trigger', 'publish.complet'],
    'there is no event "publish.complet"; did you mean "publish.complete"?',
  ],
  [['mock', 'trigger', 'form.submit', 'x'], '`sitepub mock trigger` takes one argument, and got 2'],
  [['mock', 'trigger', 'form.submit', '--data', '[1]'], '--data is no JSON object'],
  [['mock', 'trigger', 'form.submit', '--data', '{'], '--data is no JSON object'],
  [
    ['mock', 'trigger', 'form.submit', '--data', '@none.json'],
    "--data: none.json can't be read (there is no file",
  ],
  [['mock', 'trigger', 'form.submit', '--site', 'shop'], '--site is "shop"; expected a whole number'],
  [['mock', 'resend', 'x'], '"x" is no number of a delivery'],
  [['mock', 'inbox', '..'], 'an inbox can\'t be named ".."'],
  [['mock', 'inbox', '.'], 'an inbox can\'t be named "."'],
  [['mock', 'advance', 'soon'], '"soon" is no duration; expected one such as PT36M, or 36m'],
  [['mock', 'sav', 'x'], 'there is no "sitepub mock sav"; did you mean "save"?'],
  [['mock', 'reset', '--tennant', 'x'], 'unknown flag --tennant; did you mean --tenant?'],
  [
    ['mock', 'requests', '--control-url', 'nowhere'],
    '--control-url is "nowhere"; expected an http or https URL',
  ],
])('%j is refused', async ([args, want]) => {
  expect(await run(...args)).toMatchObject({
    code: 2,
    errors: [expect.stringContaining(want)],
  });
});

test('where no mock is known or none answers, it says how to start one, with exit code 3', async () => {
  vi.stubEnv('SITEPUB_CONTROL_URL', undefined);
  const unknown = await run('mock', 'requests');
  expect([unknown.code, unknown.errors?.join()]).toEqual([
    3,
    expect.stringContaining('no mock is running here; start one with `sitepub mock`'),
  ]);
  const away = await startMock();
  await away.close();
  const { code, errors } = await run('mock', 'requests', '--control-url', away.controlUrl);
  expect([code, errors?.join()]).toEqual([
    3,
    expect.stringContaining(
      `no mock answers at ${away.controlUrl} (ECONNREFUSED); start one with \`sitepub mock\``,
    ),
  ]);
  expect(await run('mock', 'requests', '--control-url', mock.baseUrl)).toMatchObject({
    code: 3,
    errors: [expect.stringContaining('does not answer as a mock')],
  });
});

test('the origin of the mock will do as its control URL', async () => {
  expect((await run('mock', 'deliveries', '--control-url', new URL(mock.baseUrl).origin)).code).toBe(0);
});

test('a control token comes from the environment, and is asked for where it is missing', async () => {
  const guarded = await startMock({ controlToken: 'c0ntrol' });
  const at = ['--control-url', guarded.controlUrl];
  expect(await run('mock', 'deliveries', ...at)).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('asks for its control token; set SITEPUB_CONTROL_TOKEN')],
  });
  vi.stubEnv('SITEPUB_CONTROL_TOKEN', 'c0ntrol');
  expect((await run('mock', 'deliveries', ...at)).code).toBe(0);
  await guarded.close();
});
