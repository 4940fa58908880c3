// @module-tag ci
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { harOf } from '../../contract-tests/learn/recording/testing/write-har.ts';
import { startMock } from '../../mock/start.ts';
import { openReceiver } from '../../mock/testing/open-mock.ts';
import { loadProfile, parseProfile } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, outcomeOf, requestsOf } from '../testing.ts';

const { folder, start, runHere } = openCommand();
const mock = await startMock();

afterAll(mock.close);

test('writes a valid profile, and names the next command', async () => {
  const out = join(folder, 'found.yaml');
  const config = join(folder, 'named.yaml');
  writeFileSync(config, `deployments: { staging: { url: ${mock.baseUrl}, profile: ${out} } }`);
  const reached = ['staging', '--control-url', mock.controlUrl, '--config', config];
  const { code, stderr } = await discover([...reached, '--out', out, '--create', '--max-wait', '0']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^\d+ gaps found, \d+ not found \(\d+ requests, \d+ logins\)\n/);
  expect(stderr).toContain(`next: sitepub test ${reached.join(' ')} --profile ${out} --max-wait 61s\n`);
  expect(stderr).toContain('left behind: subscription 1 on site 101, http://127.0.0.1:');
  expect(loadProfile(out).values['login.token']).toBe('/data/token');
});

test('reads a recording first; without --create, it creates nothing and lists what it would create', async () => {
  const har = join(folder, 'console.har');
  const path = `${mock.baseUrl}/tenant/sites`;
  const create = { method: 'POST', path, body: { site_name: 'Wilhelmina & Co' }, data: { site_id: 1001 } };
  const remove = { method: 'DELETE', path: `${path}/1001`, data: {} };
  writeFileSync(har, harOf([create, remove]));
  const { code, stdout, stderr } = await discover(['--max-wait', '0', '--har', har]);
  expect(code).toBe(0);
  expect(stderr).toContain('Without --create, discover creates nothing. It would create:\n  - up to ');
  expect(stdout).toMatch(/^login\.token: \/data\/token {2}# /m);
  expect(stderr).not.toContain('left behind:');
  expect(stderr).toContain(`console.har: 2 calls of ${mock.baseUrl}`);
  expect(stderr).toMatch(/^ {2}create-site +POST \/tenant\/sites +certain$/m);
  expect(stderr).toMatch(
    /^ {2}delete-site +DELETE \/tenant\/sites\/\{siteID\} +to confirm: deletes and was not called: you did not allow/m,
  );
  expect(stderr).toContain('1 certain, 1 to confirm, 23 not found; 0 called, 0 passed');
  expect(stderr).toMatch(
    /credentials, `sitepub test .* --suite full --max-wait \d+m` verifies up to \d\d of 81 requirements; missing:\n/,
  );
  expect(stdout).toMatch(/^operation\.create-site: {2}# not called; entry 1 of console\.har: /m);
  expect(stdout).toContain('\n# operation.delete-site: { method: DELETE, path: "/tenant/sites/{siteID}"');
  expect(stdout + stderr).not.toContain('Wilhelmina');
});

test.for<[string, string[], Record<string, string>, number, string]>([
  ['wrong credentials', [], { SITEPUB_PASSWORD: 'wrong' }, 2, 'check SITEPUB_USERNAME and SITEPUB_PASSWORD'],
  ['missing credentials', [], { SITEPUB_USERNAME: '', SITEPUB_PASSWORD: '' }, 2, 'credentials are missing'],
  ['an unreachable deployment', ['--base-url', 'http://127.0.0.1:9/api/v1'], {}, 3, "can't be reached"],
  ['a wrong address', ['--base-url', 'http://127.0.0.1:9/api'], {}, 3, 'does not end in /api/v1'],
  ['a missing control API', ['--control-url', 'http://127.0.0.1:9/_mock'], {}, 2, '--control-url http'],
])('reports %s', async ([, args, environment, code, sentence]) => {
  const out = join(folder, 'none.yaml');
  const outcome = await discover(['--out', out, '--create', ...args], environment);
  expect(existsSync(out)).toBe(false);
  expect(outcome.code).toBe(code);
  expect(outcome.stderr).toContain(sentence);
  expect(outcome.stderr).not.toMatch(/\n\s+at /);
});

test.runIf(existsSync('/dev/full'))(
  'prints a profile that cannot be written, and the clean-up hint (needs /dev/full)',
  async () => {
    const flags = ['--create', '--max-wait', '1s', '--control-url', mock.controlUrl];
    const { code, stdout, stderr } = await discover(['--out', '/dev/full', '--force', ...flags]);
    expect(code).toBe(4);
    expect(stderr).toContain(
      "sitepub: /dev/full can't be written (ENOSPC, no space left on device); the profile is on standard output\n",
    );
    expect(stderr).toMatch(/gaps found[\s\S]*left behind: .*\n[\s\S]*cleanup \S+/);
    expect(parseProfile(stdout, 'printed').values['login.token']).toBe('/data/token');
  },
);

test('cleans up and writes the profile when it is interrupted', async () => {
  const out = join(folder, 'cut-short.yaml');
  const args = ['discover', '--out', out, '--create', '--max-wait', '70s'];
  const child = start(args, settings());
  const outcome = outcomeOf(child);
  const before = requestsOf(mock).length;
  while (requestsOf(mock).length < before + 15) await sleep(20);
  child.kill('SIGINT');
  const { status, stderr } = await outcome;
  expect({ status, stderr }).toEqual({ status: 130, stderr: expect.stringContaining('interrupted') });
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(existsSync(out)).toBe(true);
});

test('writes nothing when reading is interrupted', async () => {
  const asked = Promise.withResolvers<void>();
  const { url } = await openReceiver(() => void asked.resolve());
  const out = join(folder, 'unread.yaml');
  const child = start(['discover', '--no-calls', '--openapi', `${url}/api.json`, '--out', out]);
  const outcome = outcomeOf(child);
  await asked.promise;
  child.kill('SIGINT');
  const stderr = expect.stringMatching(/^\nsitepub: interrupted; [^\n]*\n$/);
  expect(await outcome).toEqual({ status: 130, stdout: '', stderr });
  expect(existsSync(out)).toBe(false);
});

function settings(): Record<string, string> {
  const { SITEPUB_USERNAME = '', SITEPUB_PASSWORD = '', SITEPUB_SITE_ID = '' } = credentialsOf(mock);
  const credentials = { SITEPUB_USERNAME, SITEPUB_PASSWORD, SITEPUB_SITE_ID };
  return { ...credentials, TMPDIR: folder, SITEPUB_BASE_URL: mock.baseUrl };
}

async function discover(args: readonly string[], environment: Record<string, string> = {}) {
  const { status: code, ...out } = await runHere(['discover', ...args], { ...settings(), ...environment });
  return { code, ...out };
}
