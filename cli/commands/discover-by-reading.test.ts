import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { harOf } from '../../contract-tests/learn/recording/testing/write-har.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { openReceiver } from '../../mock/testing/open-mock.ts';
import { loadPackagedProfile, loadProfile, parseProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const command = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));
const { folder, run, runHere } = openCommand();
const file = join(folder, 'api.json');
const out = join(folder, 'read.yaml');
const description = resolve(loadPackagedProfile('default'));
const paths = {
  ...description.paths,
  '/tenant/sites/{siteId}/contents/{id}/archive': { post: { responses: {} } },
  '/sites/{id}/publish\u001b[2J': { post: { summary: 'Publish ::error::\u202ex' } },
};
writeFileSync(file, JSON.stringify({ ...description, paths }, null, 1));

test('writes a short valid profile, and lists the verdict on each operation', async () => {
  const { code, stdout, stderr } = await read(['--openapi', file, '--out', out]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^ {2}create-site +POST \/tenant\/sites +certain$/m);
  expect(stderr).toMatch(
    /^ {2}delete-key +DELETE \/tenant\/keys\/\{keyID\} +to confirm: it deletes: run without/m,
  );
  expect(stderr).toMatch(/^\d+ operations read: \d+ certain, \d+ to confirm, 0 not found$/m);
  expect(stderr).toMatch(
    /^once discover has found the rest, `sitepub test --suite full --max-wait 70m` verifies up to \d\d of 81 requirements; missing:$/m,
  );
  expect(stderr).toContain('next: run this again without --no-calls');
  expect(loadProfile(out).values['operation.list-keys']).toMatchObject({
    method: 'GET',
    path: '/tenant/keys',
  });
  const profile = readFileSync(out, 'utf8');
  expect(profile).toMatch(/^operation\.create-key: {2}# line \d+ of api\.json: .*\n {2}\{ method: POST, /m);
  expect(profile).toContain('\n# operation.delete-key: { method: DELETE, path: "/tenant/keys/{keyID}"');
  expect(profile.split('\n').length).toBeLessThan(95);
  for (const hidden of ['\u001b', '\u202e']) expect(profile + stderr).not.toContain(hidden);
});

test('needs no credentials, and calls only the URL of the description, with headers for its gateway', async () => {
  const body = readFileSync(file, 'utf8');
  const { url, received } = await openReceiver(() =>
    received.at(-1)?.headers['x-gateway'] === 'open' ? { status: 200, body } : { status: 403 },
  );
  const given = ['--openapi', `${url}/openapi.json`, '--base-url', `${url}/api/v1`];
  const refused = await read(given);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain(
    'answers with HTTP 403; pass the header that its gateway needs with --header',
  );
  const { code, stdout } = await read([...given, '--header', 'X-Gateway'], {
    SITEPUB_HEADER_X_GATEWAY: 'open',
    SITEPUB_CONTROL_URL: `${url}/_mock`,
  });
  expect([code, received.map(({ path }) => path)]).toEqual([0, ['/openapi.json', '/openapi.json']]);
  expect(stdout).toContain('\noperation.create-site: ');
});

test('gives up on a URL that does not answer', async () => {
  const { url } = await openReceiver(() => undefined);
  const { code, stderr } = await read(['--openapi', `${url}/silent`, '--request-timeout', '0.1s']);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/silent .*within 0\.1 s/) });
});

test('combines recordings and a description, and prints no secret', async () => {
  const files = ['first.har', 'second.har'].map((name) => join(folder, name));
  const token = 'st_0123456789abcdef01234567';
  const create = {
    method: 'POST',
    path: '/tenant/sites',
    body: { name: 'Wilhelmina & Co' },
    data: { id: 1001 },
  };
  const open = { method: 'GET', path: '/tenant/sites/1001', data: {} };
  for (const [index, call] of [create, open].entries()) writeFileSync(`${files[index]}`, harOf([call]));
  const given = ['--openapi', file, ...files.flatMap((one) => ['--har', one])];
  const { code, stdout, stderr } = await read(given);
  expect(code).toBe(0);
  expect(stderr).toContain('first.har, second.har: 2 calls of the API in entry 1 of first.har');
  // An operation that is described and recorded counts once.
  const [, described] = /^(\d+) operations read/m.exec((await read(['--openapi', file])).stderr) ?? [];
  expect(stderr).toContain(`\n${described} operations read: `);
  expect(stdout).toMatch(/^operation\.create-site: {2}# line \d+ of api\.json and entry 1 of first\.har: /m);
  expect(stdout).toMatch(/^operation\.get-site: {2}# line \d+ of api\.json and entry 1 of second\.har: /m);
  for (const secret of ['Wilhelmina', token]) expect(stdout + stderr).not.toContain(secret);
});

test('does not change stated values, and says what to confirm and what to record', async () => {
  const twins = join(folder, 'twins.json');
  const known = join(folder, 'known.yaml');
  const get = { responses: { 200: { description: 'OK' } } };
  const paths = { '/sites/{id}': { get }, '/websites/{id}': { get } };
  writeFileSync(twins, JSON.stringify({ openapi: '3.0.0', info: {}, paths }));
  writeFileSync(known, 'operation.ai: not-offered\nlogin.token: /data/jwt\n');
  const { code, stdout, stderr } = await read(['--openapi', twins, '--profile', known]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^ {2}get-site +GET \/sites\/\{siteID\} +to confirm: GET \/websites/m);
  expect(stderr).toMatch(/^ {2}list-keys +not found; record: open the list of API keys$/m);
  expect(stderr).not.toMatch(/^ {2}ai /m);
  for (const line of [
    'operation.ai: not-offered  # given',
    '# to confirm: operation.get-site: GET /websites/{id} also fits',
    '# operation.get-site: { method: GET, path: "/websites/{siteID}" }',
  ])
    expect(stdout.split('\n')).toContain(line);
  expect(parseProfile(stdout, 'read.yaml').stated.size).toBe(2);
});

test('writes nothing and exits with 3 if no operation is found', async () => {
  const nothing = join(folder, 'nothing.json');
  const unwritten = join(folder, 'unwritten.yaml');
  writeFileSync(nothing, JSON.stringify({ openapi: '3.0.0', info: {}, paths: { '/health': { get: {} } } }));
  const { code, stdout, stderr } = await read(['--openapi', nothing, '--out', unwritten]);
  expect([code, stdout, existsSync(unwritten)]).toEqual([3, '', false]);
  expect(stderr).toContain('\n1 operation read: 0 certain, 0 to confirm, 25 not found\n');
  expect(stderr).toMatch(/\nsitepub: nothing\.json contains none of these operations, so no profile was /);
});

const har = join(folder, 'console.har');
const link = join(folder, 'link.json');
writeFileSync(har, harOf([{ path: '/tenant/sites', data: { list: [] } }]));
symlinkSync(file, link);

const withForce = (path: string) => ['--out', path, '--force'];

test.for<[string, string[], number, RegExp]>([
  ['nothing to read', [], 2, /has nothing to read; give a description with --openapi, or a recording/],
  ['a flag for calls', ['--openapi', file, '--create'], 2, /--no-calls and --create cannot be used together/],
  ['a missing file', ['--openapi', '/nowhere.json'], 2, /nowhere\.json can't be read \(there is no file/],
  ['a file of another kind', ['--openapi', command], 2, /is no OpenAPI|can't be read as JSON or YAML/],
  ['a missing recording', ['--har', '/nowhere.har'], 2, /nowhere\.har can't be read \(there is no file/],
  ['an unreachable URL', ['--openapi', 'http://127.0.0.1:9/x'], 3, /can't be read/],
  ['an invalid profile', ['--openapi', file, '--profile', file], 2, /unknown gap/],
  ['an existing file', ['--openapi', file, '--out', command], 2, /already exists; choose another file, or/],
  ['the description as output', ['--openapi', file, ...withForce(file)], 2, /--out .* is also an input;/],
  ['a link to the description as output', ['--openapi', file, ...withForce(link)], 2, /is also an input;/],
  ['the recording as output', ['--har', har, ...withForce(har)], 2, /--out .* is also an input;/],
  ['its key as output', ['--openapi', file, '--key', command, ...withForce(command)], 2, /is also an input;/],
])('with %s, it ends with one message', async ([, args, want, message]) => {
  const { code, stdout, stderr } = await read(args);
  expect({ code, stdout }).toEqual({ code: want, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

async function read(args: readonly string[], environment: Record<string, string> = {}) {
  const { status: code, ...printed } = await runHere(['discover', '--no-calls', ...args], environment);
  return { code, ...printed };
}

describe('a discovery with a description, and a run with its profile', { tags: ['nightly'] }, () => {
  const fixtures = new URL('../../contract-tests/learn/fixtures/', import.meta.url);
  test.for(['openapi-clean', 'nestjs'] as const)(
    'a run with a profile from %s verifies 79 of 81',
    async (style) => {
      await using mock = await openMock();
      const api = fileURLToPath(new URL(`${style}-default.json`, fixtures));
      const [out, report] = ['found.yaml', 'report.json'].map((name) => join(folder, `${style}-${name}`));
      const addresses = ['--base-url', mock.baseUrl, '--control-url', mock.controlUrl];
      const found = await run(
        ['discover', ...addresses, '--create', '--openapi', api, '--out', `${out}`],
        credentialsOf(mock),
      );
      expect(found.status).toBe(0);
      expect(found.stderr).toContain(
        'verifies 79 of 81; missing:\n    RECV-1, RECV-2, because: applies to receivers',
      );
      expect(found.stderr).toContain('25 certain, 0 to confirm, 0 not found; 25 called, 25 passed');
      const tested = await run(
        ['test', ...addresses, '--suite', 'full', '--profile', `${out}`, '--report', `json=${report}`],
        credentialsOf(mock),
      );
      const { summary } = JSON.parse(readFileSync(`${report}`, 'utf8')) as Report;
      const verified = summary.passed + summary.partly;
      expect({ ...summary, verified, status: tested.status }).toMatchObject({
        verified: 79,
        failed: 0,
        status: 0,
      });
    },
  );
});
