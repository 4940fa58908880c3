// `sitepub learn` as people meet it: what it writes, what it says, and what it exits with.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { harOf } from '../../contract-tests/learn/recording/testing/write-har.ts';
import { loadPackagedProfile, loadProfile, parseProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { openCommand } from '../testing.ts';

const command = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));
const { folder, runHere, remove } = openCommand();
const file = join(folder, 'api.json');
const out = join(folder, 'learnt.yaml');
let server: Server;
let address = '';

beforeAll(async () => {
  const description = resolve(loadPackagedProfile('default'));
  const paths = {
    ...description.paths,
    '/tenant/sites/{siteId}/contents/{id}/archive': { post: { responses: {} } },
  };
  const hostile = { '/sites/{id}/publish\u001b[2J': { post: { summary: 'Publish ::error::\u202ex' } } };
  writeFileSync(file, JSON.stringify({ ...description, paths: { ...paths, ...hostile } }, null, 1));
  server = createServer((request, response) => {
    if (request.url === '/silent') return;
    const isKnown = request.headers['x-gateway'] === 'open';
    response.writeHead(isKnown ? 200 : 403).end(isKnown ? readFileSync(file) : 'no');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  remove();
});

test.for<[string, string]>([
  ['--openapi', file],
  ['--har', join(folder, 'console.har')],
])('does not replace what it reads with %s', async ([flag, read]) => {
  writeFileSync(join(folder, 'console.har'), harOf([{ path: '/tenant/sites', data: { list: [] } }]));
  const before = readFileSync(read, 'utf8');
  symlinkSync(read, join(folder, `link${flag}`));
  for (const path of [read, join(folder, `link${flag}`)]) {
    const { code, stderr } = await learn([flag, read, '--out', path, '--force']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/--out .* is what is read; name another file/),
    });
  }
  expect(readFileSync(read, 'utf8')).toBe(before);
});

test.for<[string, readonly string[], RegExp]>([
  [
    'two descriptions',
    ['--openapi', file, '--openapi', 'other.json'],
    /--openapi is given twice; learn from one/,
  ],
  [
    'the key that it calls with as its output',
    ['--openapi', file, '--key', join(folder, 'key.pem'), '--out', join(folder, 'key.pem'), '--force'],
    /--out .*key\.pem is the file of --key; name another one/,
  ],
])('refuses %s', async ([, args, message]) => {
  writeFileSync(join(folder, 'key.pem'), 'a key');
  expect(await learn(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  expect(readFileSync(join(folder, 'key.pem'), 'utf8')).toBe('a key');
});

test('writes a profile that can be read, and says what it lets a run verify', async () => {
  const { code, stdout, stderr } = await learn(['--openapi', file, '--out', out]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^\d+ operations described, of which 2\d are certain, \d+ doubtful; 0 not found\n/);
  expect(stderr).toContain(
    'once discover has found out the rest, a run verifies 77 of 81; missing:\n    KEY-4, because: ',
  );
  expect(stderr).toContain(`next: sitepub discover --base-url URL --profile ${out}`);
  expect(loadProfile(out).values['operation.list-keys']).toMatchObject({ path: '/tenant/keys' });
  const profile = readFileSync(out, 'utf8');
  expect(profile).toMatch(/^operation\.create-key: {2}# line \d+ of api\.json: its path .*"create"/m);
  expect(profile).toContain('\n# operation.delete-key: { method: DELETE, path: "/tenant/keys/{keyID}"');
  expect(profile.split('\n').length).toBeLessThan(95);
  for (const hidden of ['\u001b', '\u202e']) expect(profile + stderr).not.toContain(hidden);
});

test('joins recordings with one another and with a description, and prints no secret', async () => {
  const files = ['first.har', 'second.har'].map((name) => join(folder, name));
  const token = 'st_0123456789abcdef01234567';
  const create = {
    method: 'POST',
    path: '/tenant/sites',
    body: { name: 'Wilhelmina & Co' },
    data: { id: 1001 },
  };
  const remove = { method: 'DELETE', path: '/tenant/sites/1001', data: {} };
  for (const [index, call] of [create, remove].entries()) writeFileSync(`${files[index]}`, harOf([call]));
  const given = ['--openapi', file, ...files.flatMap((one) => ['--har', one])];
  const { code, stdout, stderr } = await learn(given);
  expect(code).toBe(0);
  expect(stderr).toContain('first.har, second.har: 2 calls of https://api.example.com/api/v1');
  expect(stderr).toContain('\nDELETE /tenant/sites/{siteId}  200\n');
  // What is described and recorded counts once.
  const [, described] = /^(\d+) operations described,/m.exec((await learn(['--openapi', file])).stderr) ?? [];
  expect(stderr).toContain(`\n${described} operations described or recorded, of which`);
  expect(stdout).toMatch(/^operation\.create-site: {2}# line \d+ of api\.json and entry 1 of first\.har: /m);
  expect(stdout).toMatch(/^# {3}DELETE .*, line \d+ of api\.json and entry 1 of second\.har: /m);
  for (const secret of ['Wilhelmina', token]) expect(stdout + stderr).not.toContain(secret);
});

test('keeps what a profile states, and writes what is doubtful as comments with alternatives', async () => {
  const twins = join(folder, 'twins.json');
  const known = join(folder, 'known.yaml');
  const answer = { 200: { description: 'OK' } };
  const paths = {
    '/sites/{id}': { delete: { responses: answer } },
    '/websites/{id}': { delete: { responses: answer } },
  };
  writeFileSync(twins, JSON.stringify({ openapi: '3.0.0', info: {}, paths }));
  writeFileSync(known, 'operation.ai: not-offered\nlogin.token: /data/jwt\n');
  const { code, stdout, stderr } = await learn(['--openapi', twins, '--profile', known]);
  expect(code).toBe(0);
  expect(stderr).toContain('  doubtful: delete-site\n');
  expect(stdout).toContain('operation.ai: not-offered  # given\n');
  expect(stdout).toContain('login.token: /data/jwt  # given\n');
  expect(stdout).toContain('\n# to confirm: operation.delete-site: DELETE /websites/{id} fits as well\n');
  for (const path of ['/sites/{siteID}', '/websites/{siteID}'])
    expect(stdout).toContain(`\n# operation.delete-site: { method: DELETE, path: "${path}" }\n`);
  expect(parseProfile(stdout, 'learnt.yaml').stated.size).toBe(2);
});

test('fetches a description, with what its gateway demands', async () => {
  const refused = await learn(['--openapi', address]);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('answers with HTTP 403; give what its gateway demands with --header');
  const { code, stderr } = await learn(['--openapi', address, '--header', 'X-Gateway'], {
    SITEPUB_HEADER_X_GATEWAY: 'open',
  });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('verifies 77 of 81') });
});

test('waits for a description no longer than it is told', async () => {
  const silent = address.replace('openapi.json', 'silent');
  const { code, stderr } = await learn(['--openapi', silent, '--request-timeout', '0.1s']);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/silent can't be read: .*within 0\.1 s/),
  });
});

test.for<[string, string[], number, RegExp]>([
  ['no source', [], 2, /nothing to learn from; give a description with --openapi, or a recording with --har/],
  ['a file that is not there', ['--openapi', '/nowhere.json'], 2, /\/nowhere\.json can't be read \(ENOENT\)/],
  [
    'a file that is no description',
    ['--openapi', command],
    2,
    /is no OpenAPI description|can't be read as JSON or YAML/,
  ],
  ['a recording that is not there', ['--har', '/nowhere.har'], 2, /\/nowhere\.har can't be read \(ENOENT\)/],
  ['a recording that is none', ['--har', command], 2, /no recording in the format HAR/],
  ['--try, which it does not have', ['--openapi', file, '--try'], 2, /unknown flag --try/],
  ['--proxy, which it does not have', ['--openapi', file, '--proxy', '8080'], 2, /unknown flag --proxy/],
  ['credentials in an address', ['--openapi', 'https://a:b@h/x'], 2, /takes no credentials/],
  ['an address that nobody answers', ['--openapi', 'http://127.0.0.1:9/x'], 3, /can't be read/],
  ['a profile that is wrong', ['--openapi', file, '--profile', file], 2, /unknown gap/],
  [
    'a file that is there',
    ['--openapi', file, '--out', command],
    2,
    /exists already; name another file, or replace it with --force/,
  ],
])('with %s it ends with a sentence', async ([, args, want, message]) => {
  const { code, stdout, stderr } = await learn(args);
  expect({ code, stdout }).toEqual({ code: want, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('with nothing that fits it writes nothing, and ends with 3', async () => {
  const nothing = join(folder, 'nothing.json');
  writeFileSync(nothing, JSON.stringify({ openapi: '3.0.0', info: {}, paths: { '/health': { get: {} } } }));
  const { code, stdout, stderr } = await learn(['--openapi', nothing]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('1 operation described, of which 0 are certain, 0 doubtful; 25 not found');
  expect(stderr).toMatch(
    /\nsitepub: nothing could be learnt from nothing\.json, so no profile was written\n$/,
  );
});

async function learn(args: readonly string[], environment: Record<string, string> = {}) {
  const { status: code, ...out } = await runHere(['learn', ...args], environment);
  return { code, ...out };
}
