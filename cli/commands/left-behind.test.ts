// @module-tag ci
// How `sitepub test` asks before it leaves much behind.
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { startProxy, type Tamper } from '../../contract-tests/self/tampering-proxy.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

describe('left behind', () => {
  const { folder, run, remove } = openCommand();

  afterAll(remove);

  /** A profile that says nothing of how anything is deleted. */
  const profile = join(folder, 'cannot-delete.yaml');
  const stated = Object.entries(statedValues(loadProfile('default')));
  writeFileSync(profile, stringify(Object.fromEntries(stated.filter(([gap]) => !gap.includes('.delete-')))));

  const asks =
    /^sitepub: the run would leave at most \d+ sites, .* behind, more than 12 of a kind, so nothing was sent; state operation\.delete-site, .*in the profile, choose a smaller --suite, or allow it with --leave-behind \(`sitepub test --help`\)\n$/;

  /** The writes that leave more than twelve sites, and little else. */
  const writes = ['--suite', 'full', '--only', 'IDEM-1,IDEM-3,IDEM-5'];

  test('a run that would leave much behind asks for leave, and sends nothing', async () => {
    await using mock = await openMock();
    const args = ['test', '--base-url', mock.baseUrl, '--profile', profile, ...writes];
    const { status, stderr, stdout } = await run(args, credentialsOf(mock));
    expect(stderr).toMatch(asks);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(requestsOf(mock)).toEqual([]);
  });

  test('a dry run says so as well, and is no mistake', async () => {
    await using mock = await openMock();
    const args = ['test', '--base-url', mock.baseUrl, '--profile', profile, '--suite', 'full', '--dry-run'];
    const { status, stderr, stdout } = await run(args, credentialsOf(mock));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/at most \d\d {2}subscriptions, left behind: it can not be deleted/);
    expect(stdout).toContain(
      '\nMore than 12 of a kind would be left behind, which the run asks --leave-behind for.\n',
    );
  });

  test.each<[string[], Record<string, string>]>([
    [['--leave-behind'], {}],
    [[], { SITEPUB_LEAVE_BEHIND: '1' }],
  ])('with leave it runs, and says in one line what goes beyond (%j, %j)', async (flags, environment) => {
    await using mock = await openMock();
    const args = ['test', '--base-url', mock.baseUrl, '--profile', profile, ...writes, ...flags];
    const { status, stderr } = await run(args, { ...credentialsOf(mock), ...environment });
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^sitepub: at most \d+ sites.* will be left behind \(more than 12 of a kind, by --leave-behind\)$/m,
    );
  });

  test('the tier safe needs no leave, and a mock that can be reset asks for none', async () => {
    await using mock = await openMock();
    const args = ['test', '--base-url', mock.baseUrl, '--profile', profile];
    const safe = await run(args, credentialsOf(mock));
    expect(safe.stderr).toMatch(/^sitepub: at most 10 subscriptions, .* will be left behind$/m);
    expect(safe.status).toBe(0);
    const steered = [...args, ...writes, '--control-url', mock.controlUrl];
    expect(await run(steered, credentialsOf(mock))).toMatchObject({
      status: 0,
      stderr: expect.not.stringContaining('will be left behind'),
    });
  });
});

// What `sitepub cleanup` deletes, and what it says of each entry of a journal.
describe('cleanup', () => {
  const { folder, run, remove } = openCommand();

  afterAll(remove);

  const run1 = 'abcdef01';
  const main = { tenant: 'main' } as const;

  test.concurrent('deletes nothing at an address that does not bear the run’s identifier', async () => {
    await using mock = await openMock();
    const shared = 'https://hooks.example.com/sitepub';
    const own = `https://hooks.example.com/sitepub/${run1}/1`;
    const { call } = await openSession(mock);
    for (const url of [shared, own])
      await call('POST', '/tenant/sites/101/webhooks', { url, events: ['form.submit'], channel: 'custom' });
    const journal = journalOf(mock, 'foreign', [
      { entry: 1, what: 'subscription', site: 101, target: shared, ...main },
      { entry: 2, what: 'subscription', site: 101, target: own, ...main },
    ]);
    const { status, stdout } = await run(['cleanup', journal], credentialsOf(mock));
    const { data } = await call('GET', '/tenant/sites/101/webhooks');
    expect(urlsIn(data)).toEqual([shared]);
    expect(stdout).toContain(`left     subscription (of unknown identifier) on site 101: ${shared}`);
    expect(stdout).toContain(`deleted  subscription 2 on site 101: ${own}`);
    expect(status).toBe(1);
  });

  test.concurrent('says what was deleted, what went with its site, what was not there, and what stays', async () => {
    await using mock = await openMock();
    const { call } = await openSession(mock);
    const { data } = await call('POST', '/tenant/sites', { site_name: `sitepub-${run1}` });
    const { site_id: site } = Object(data) as { site_id?: number };
    const version = { what: 'published version', ...main };
    const journal = journalOf(mock, 'truth', [
      { entry: 1, what: 'site', target: `sitepub-${run1}`, ...main },
      { entry: 1, created: site },
      { entry: 2, ...version, site, target: `sitepub-${run1} first` },
      { entry: 2, created: 1 },
      { entry: 3, what: 'content', site: 101, target: `sitepub-${run1} gone`, ...main },
      { entry: 3, created: 987654 },
      { entry: 4, ...version, site: 101, target: `sitepub-${run1} second` },
      { entry: 4, created: 9 },
    ]);
    const { status, stdout, stderr } = await run(['cleanup', journal], credentialsOf(mock));
    expect(stdout.split('\n')).toEqual([
      `deleted  site ${site}: sitepub-${run1}`,
      `gone     published version 1 on site ${site}: sitepub-${run1} first (deleted with its site)`,
      `gone     content 987654 on site 101: sitepub-${run1} gone (it is not there)`,
      `left     published version 9 on site 101: sitepub-${run1} second (it can't be deleted)`,
      '',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  const unavailable = {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    body: Buffer.from('{"code":10503,"message":"try again"}'),
  };

  test.concurrent.for([1, 2])('deletes after %i failures in a row', async (failures) => {
    await using mock = await openMock();
    let left: number = failures;
    const tamper: Tamper = async (message, forward) =>
      message.method === 'DELETE' && left-- > 0 ? unavailable : forward(message);
    const proxy = await startProxy((path) => new URL(mock.baseUrl).origin + path, tamper);
    const { call } = await openSession(mock);
    const url = `https://hooks.example.com/sitepub/${run1}/1`;
    await call('POST', '/tenant/sites/101/webhooks', { url, events: ['form.submit'], channel: 'custom' });
    const baseUrl = `${proxy.origin}/api/v1`;
    const journal = journalOf({ baseUrl }, `failing-${failures}`, [
      { entry: 1, what: 'subscription', site: 101, target: url, ...main },
      { entry: 1, created: 1 },
    ]);
    const { status, stdout } = await run(['cleanup', journal], credentialsOf(mock));
    await proxy.close();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `deleted  subscription 1 on site 101: ${url}\n`,
    });
  });

  test.concurrent('says why something stays, and deletes it with a profile that says how', async () => {
    await using mock = await openMock();
    const { call } = await openSession(mock);
    const url = `https://hooks.example.com/sitepub/${run1}/1`;
    await call('POST', '/tenant/sites/101/webhooks', { url, events: ['form.submit'], channel: 'custom' });
    const lines = [
      { entry: 1, what: 'subscription', site: 101, target: url, ...main },
      { entry: 1, created: 1 },
    ];
    const { 'operation.delete-subscription': deletion, ...stated } = statedValues(loadProfile('default'));
    const journal = journalOf(mock, 'incomplete', lines, stated);
    const before = await run(['cleanup', journal], credentialsOf(mock));
    expect(before.stdout).toBe(
      `left     subscription 1 on site 101: ${url} (state operation.delete-subscription in a profile, and give it with --profile)\n`,
    );
    const profile = join(folder, 'deletion.yaml');
    writeFileSync(profile, `operation.delete-subscription: ${JSON.stringify(deletion)}\n`);
    const after = await run(['cleanup', journal, '--profile', profile], credentialsOf(mock));
    expect(after).toMatchObject({ status: 0, stdout: `deleted  subscription 1 on site 101: ${url}\n` });
  });

  test.concurrent('says how a deletion was refused, and deletes nothing that bears another name', async () => {
    await using mock = await openMock();
    const refused = {
      ...unavailable,
      status: 403,
      headers: {},
      body: Buffer.from('{"code":40300,"message":"no"}'),
    };
    const proxy = await startProxy(
      (path) => new URL(mock.baseUrl).origin + path,
      async (message, forward) => (message.method === 'DELETE' ? refused : forward(message)),
    );
    const { call } = await openSession(mock);
    const { data } = await call('POST', '/tenant/sites', { site_name: `sitepub-${run1}` });
    const { site_id: site } = Object(data) as { site_id?: number };
    const journal = journalOf({ baseUrl: `${proxy.origin}/api/v1` }, 'refused', [
      { entry: 1, what: 'site', target: `sitepub-${run1}`, ...main },
      { entry: 1, created: site },
      // A site of somebody, which has got the identifier since.
      { entry: 2, what: 'site', target: `sitepub-${run1}-other`, ...main },
      { entry: 2, created: 102 },
      { entry: 3, what: 'content', site: 101, target: `sitepub-${run1} text`, ...main },
      { entry: 3, outcome: 'doubtful' },
    ]);
    const { status, stdout } = await run(['cleanup', journal], credentialsOf(mock));
    await proxy.close();
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: [
        `gone     content (of unknown identifier) on site 101: sitepub-${run1} text (it is not there)`,
        `left     site ${site}: sitepub-${run1} (its deletion was answered with HTTP 403)`,
        `left     site 102: sitepub-${run1}-other (something else has its identifier by now)`,
        '',
      ].join('\n'),
    });
  });

  test('without a file it takes the journal of the latest run that has ended', async () => {
    await using mock = await openMock();
    const TMPDIR = mkdtempSync(join(folder, 'own-'));
    const own = ownFolder(TMPDIR).path;
    const none = await run(['cleanup'], { ...credentialsOf(mock), TMPDIR });
    expect(none).toMatchObject({ status: 2, stdout: '' });
    expect(none.stderr).toContain(`no run that has ended left a journal in ${own}; name the one to clean up`);
    const ended = 2 ** 22 + 1;
    const runs: [time: number, pid: number][] = [
      [1, ended],
      [2, ended],
      [3, process.pid],
    ];
    for (const [time, pid] of runs) {
      const target = `sitepub-${run1} text ${time}`;
      const text = { entry: 1, what: 'content', site: 101, target, ...main };
      renameSync(journalOf(mock, `own-${time}`, [text]), join(own, `run-${time}-${pid}.jsonl`));
    }
    const { status, stdout, stderr } = await run(['cleanup'], { ...credentialsOf(mock), TMPDIR });
    expect(stderr).toContain(`by its journal ${join(own, `run-2-${ended}.jsonl`)}\n`);
    expect(stdout).toContain(`sitepub-${run1} text 2 (it is not there)`);
    expect(status).toBe(0);
  });

  function journalOf(
    { baseUrl }: { baseUrl: string },
    name: string,
    lines: readonly object[],
    stated = statedValues(loadProfile('default')),
  ): string {
    const file = join(folder, `${name}.jsonl`);
    const profile = { name: 'default', stated };
    const head = { sitepub_journal: 1, run: run1, base_url: baseUrl, profile };
    writeFileSync(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }

  interface Envelope {
    data?: unknown;
  }

  /** Calls a mock as its first user. */
  async function openSession(mock: Parameters<typeof credentialsOf>[0] & { baseUrl: string }) {
    const { SITEPUB_USERNAME: username, SITEPUB_PASSWORD: password } = credentialsOf(mock);
    let token: string | undefined;
    const call = async (method: string, path: string, body?: object): Promise<Envelope> => {
      const headers = {
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await (await fetch(`${mock.baseUrl}${path}`, init)).json()) as Envelope;
    };
    const login = await call('POST', '/auth/tenant/login', { username, password });
    ({ token } = Object(login.data) as { token: string });
    return { call };
  }

  function urlsIn(data: unknown): unknown[] {
    const text = JSON.stringify(data);
    return [...text.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
  }
});
