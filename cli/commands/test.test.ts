import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createRealClock } from '../../contract-tests/deployment/deployment-clock.ts';
import { createLoginBudget } from '../../contract-tests/deployment/login-budget.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import {
  countsOf,
  credentialsOf,
  openCommand,
  openMock,
  outcomeOf,
  requestsOf,
  writeJournal,
} from '../testing.ts';

const { folder, start, run, runHere } = openCommand();

// Concurrent, because a run spends most of its time waiting.

test.concurrent('the smoke tier creates nothing', async () => {
  await using mock = await openMock();
  const before = await countsOf(mock);
  const { status, stdout } = await run([...argsFor(mock), '--suite', 'smoke'], credentialsOf(mock));
  expect(status).toBe(0);
  expect(stdout).toMatch(/81 requirements: 1\d passed, 0 failed/);
  const requests = requestsOf(mock);
  const taken = requests.filter(({ code }) => code === 0).map(({ operation }) => operation);
  expect(new Set(taken)).toEqual(new Set(['login', 'refresh', 'listSites', 'listSubscriptions', 'listKeys']));
  expect(await countsOf(mock)).toEqual(before);
});

test.concurrent('a dry run sends nothing, and plans requests, duration and leftovers', async () => {
  await using mock = await openMock();
  const args = [...argsFor(mock), '--suite', 'full', '--max-wait', '36m', '--dry-run'];
  const { status, stdout } = await run(args, credentialsOf(mock));
  expect(status).toBe(0);
  expect(stdout).toMatch(/\n\d{3} checks, up to \d+ requests, about \d+ min \(39 min of it waiting\)\n/);
  expect(stdout).toMatch(/ {2}POST \/tenant\/sites\/\{siteID\}\/webhooks\/\{id\}\/test\n/);
  expect(stdout).toMatch(/\nLogins of the tenant: \d+ planned, 0 in the last minute, limit 10 per minute/);
  expect(stdout).toMatch(/up to \d+ {2}subscriptions, deleted at the end/);
  expect(stdout).toMatch(/up to \d+ {2}comments?, left behind/);
  expect(stdout).toContain('RETRY-4: needs to wait 70m; run with --max-wait 70m');
  expect(requestsOf(mock)).toEqual([]);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default'];
}

describe('whole runs', { tags: ['ci'] }, () => {
  test.concurrent('two runs of the safe tier find no failure, and stay within the login limit', async () => {
    await using mock = await openMock();
    const shared = { ...credentialsOf(mock), TMPDIR: mkdtempSync(join(folder, 'shared-')) };
    const path = join(folder, 'safe.json');
    const first = await run([...argsFor(mock), '--report', `json=${path}`], shared);
    const second = await run(argsFor(mock), shared);
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(first.stderr).toMatch(
      /^sitepub: the run will leave up to \d+ form submissions, \d+ comments and \d+ published versions behind\n$/,
    );
    expect(first.stdout).toMatch(
      /\n81 requirements: \d+ passed, 0 failed, \d+ partly verified, \d+ not verified, 0 drift warnings/,
    );
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const summary = { failed: 0, error: 0, warned: 0 };
    const target = { base_url: mock.baseUrl, profile: 'default' };
    expect(report).toMatchObject({ schema: 2, target, summary, aborted: null });
    expect(new Set(report.requirements.map(({ id }) => id)).size).toBe(81);
    expect(new Set(report.leftovers.map(({ what }) => what))).toEqual(
      new Set(['form submission', 'comment', 'published version']),
    );
    const passed = [first, second].map(({ stdout }) => /(\d+) passed/.exec(stdout)?.[1]);
    expect(passed[0]).toBe(passed[1]);
    expect(requestsOf(mock).filter(({ status }) => status === 429)).toEqual([]);
  });

  test.concurrent('accepts expected failures, and rejects unknown and stale ones', async () => {
    await using mock = await openMock();
    await mock.control.setFaults(['no-trace-id-on-404']);
    const known = join(folder, 'known.yaml');
    const runWith = (entries: string) => {
      writeFileSync(known, entries);
      const args = [...argsFor(mock), '--only', 'ENV-1,LOGIN-2', '--expected-failures', known];
      return run(args, credentialsOf(mock));
    };
    const unknown = await runWith('ENV-11: { reason: x }\n');
    expect([unknown.status, requestsOf(mock)]).toEqual([2, []]);
    expect(unknown.stderr).toContain('known.yaml:1: there is no requirement or check "ENV-11"; did you mean');
    const stale = await runWith('ENV-1: { reason: x }\nlogin-2-no-authorization: { reason: x }\n');
    expect(stale.stdout).toContain('(1 expected)');
    expect(stale.stdout).toContain('known.yaml:2: login-2-no-authorization passed');
    expect(stale.status).toBe(1);
  });

  test.concurrent('needs --leave-behind for many leftovers, unless it controls a mock', async () => {
    const profile = join(folder, 'cannot-delete.yaml');
    const stated = Object.entries(statedValues(loadProfile('default')));
    const undeletable = stated.filter(([gap]) => !gap.includes('.delete-'));
    writeFileSync(profile, stringify(Object.fromEntries(undeletable)));
    const only = ['--suite', 'full', '--only', 'IDEM-1,IDEM-3,IDEM-5'];
    const runWith = async (flags: string[], isSteered = false) => {
      await using mock = await openMock();
      const steered = isSteered ? ['--control-url', mock.controlUrl] : [];
      const args = ['test', '--base-url', mock.baseUrl, '--profile', profile, ...steered, ...flags];
      return { ...(await run(args, credentialsOf(mock))), isCalled: requestsOf(mock).length > 0 };
    };
    expect(await runWith(only)).toEqual({
      ...{ status: 2, stdout: '', isCalled: false },
      stderr: expect.stringMatching(
        /^sitepub: the run would leave up to \d+ sites, .* behind, more than 12 of a kind, so it was not started; state operation\.delete-site, .*in the profile, choose a smaller --suite, or allow it with --leave-behind \(`sitepub test --help`\)\n$/,
      ),
    });
    expect(await runWith(['--suite', 'full', '--dry-run'])).toEqual({
      ...{ status: 0, stderr: '', isCalled: false },
      stdout: expect.stringMatching(
        /up to \d\d {2}subscriptions, left behind: cannot be deleted[\s\S]*\nThe run would leave more than 12 of a kind behind, so it needs --leave-behind\.\n/,
      ),
    });
    const allowed = await runWith([...only, '--leave-behind']);
    expect(allowed.stderr).toMatch(
      /^sitepub: the run will leave up to \d+ sites.* behind \(more than 12 of a kind, allowed by --leave-behind\)$/m,
    );
    const safe = await runWith(['--only', 'HOOK-1']);
    expect(safe.stderr).toMatch(/^sitepub: the run will leave up to \d subscriptions.* behind$/m);
    const steered = await runWith(only, true);
    expect(steered.stderr).not.toContain('will leave up to');
    expect([allowed, safe, steered].map(({ status }) => status)).toEqual([0, 0, 0]);
  });

  test.concurrent('an interrupted run cleans up, reports what was done and exits with 130', async () => {
    await using mock = await openMock();
    const path = join(folder, 'interrupted.json');
    // Skips the requirements that wait for a minute.
    const args = [...argsFor(mock), '--suite', 'full', '--max-wait', '36m', '--report', `json=${path}`];
    args.push('--skip', 'IDEM-1,IDEM-2,IDEM-3,IDEM-4,IDEM-5');
    const child = start(args, credentialsOf(mock));
    const outcome = outcomeOf(child);
    await isUnderWay(mock, 90);
    child.kill('SIGINT');
    // A repeated signal within 500 ms is the same Ctrl-C.
    await sleep(100);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await outcome;
    expect(status).toBe(130);
    expect(stderr).toContain('sitepub: interrupted; cleaning up (interrupt again to stop at once)');
    expect(stdout).toMatch(/81 requirements: \d+ passed, 0 failed/);
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    expect(report.aborted).toEqual({ kind: 'interrupted', reason: 'the run was interrupted' });
    const checks = report.requirements.flatMap((requirement) => requirement.checks);
    expect(checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0);
    expect((await countsOf(mock)).subscriptions).toBe(0);
  });

  test.concurrent('cleanup deletes resources that a killed run left behind', async () => {
    await using mock = await openMock();
    const temporary = mkdtempSync(join(folder, 'killed-'));
    const environment = { ...credentialsOf(mock), TMPDIR: temporary };
    const child = start([...argsFor(mock), '--suite', 'full', '--max-wait', '36m'], environment);
    await isUnderWay(mock, 60);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await countsOf(mock)).subscriptions).toBeGreaterThan(0);
    const [journal = ''] = globSync(join(temporary, 'sitepub-*', 'run-*.jsonl'));
    expect(readFileSync(journal, 'utf8')).not.toContain(mock.tenants[0]?.users[0]?.password);
    const { status, stdout } = await run(['cleanup', journal], credentialsOf(mock));
    expect(stdout).toMatch(/^deleted {2}subscription \d+ on site 101: http:/m);
    expect(status).toBe(0);
    expect((await countsOf(mock)).subscriptions).toBe(0);
    expect(existsSync(journal)).toBe(false);
  });

  async function isUnderWay(mock: StartedMock, requests: number): Promise<void> {
    while (requestsOf(mock).length < requests) await sleep(20);
  }
});

describe('pauses for logins', { tags: ['ci'] }, () => {
  test.concurrent.for([
    ['test', ['test', '--only', 'LOGIN-1', '--max-wait', '60s']],
    ['discover', ['discover']],
    ['cleanup', ['cleanup']],
  ] as const)('`sitepub %s` reports that it waits for a login', async ([name, args], { expect }) => {
    await using mock = await openMock();
    const credentials = credentialsOf(mock);
    const temporary = join(folder, name);
    useUpLogins(
      mock.baseUrl,
      String(credentials.SITEPUB_USERNAME),
      join(temporary, `sitepub-${userInfo().username}`),
    );
    const { stderr } = await run([...args, ...targetOf(name, mock.baseUrl)], {
      ...credentials,
      TMPDIR: temporary,
    });
    expect(stderr).toMatch(
      /^sitepub: waiting \d+ s for the limit of 10 logins per minute, which earlier runs have used up\n/,
    );
  });

  /** Notes ten logins 40 s ago, because a busy machine takes some seconds to look at them. */
  function useUpLogins(baseUrl: string, tenant: string, place: string): void {
    const clock = { ...createRealClock(), now: () => Date.now() - 40_000 };
    const budget = createLoginBudget({ baseUrl, maxWaitMs: 0, folder: place }, clock);
    for (let count = 0; count < 10; count++) budget.note(tenant);
  }

  function targetOf(name: string, baseUrl: string): string[] {
    if (name !== 'cleanup') return ['--base-url', baseUrl];
    const target = { what: 'subscription', site: 101, target: 'http://127.0.0.1:9/x', tenant: 'main' };
    return [writeJournal(join(folder, 'run.jsonl'), baseUrl, [{ entry: 1, ...target }])];
  }
});

describe('mistakes', { tags: ['ci'] }, () => {
  const sites = { SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' };
  const root = '/api/v1';
  const changing = /^(create|import|publish|submit|update|delete)/;

  test.for([
    ['a base URL without the version', '', 'default', {}, /did you mean http:\S+:\d+\/api\/v1\?$/],
    ['a site of another tenant', root, 'default', sites, /no access to site 201 .*; check SITEPUB_SITE_ID$/],
    ['the profile of another deployment', root, 'nested-201-uuid', {}, /with `sitepub discover`$/],
  ] as const)('%s ends a run before it creates anything', async ([, path, profile, environment, says]) => {
    await using mock = await openMock();
    const file = join(folder, 'report.json');
    const address = new URL(mock.baseUrl).origin + path;
    const args = ['test', address, '--profile', profile, '--report', `json=${file}`];
    const { status, stdout, stderr } = await runHere(args, { ...credentialsOf(mock), ...environment });
    expect([status, stderr.trimEnd()]).toEqual([2, expect.stringMatching(says)]);
    expect(`${stdout}${stderr}`.split('\n').length).toBeLessThanOrEqual(7);
    const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(requirements.filter(({ outcome }) => outcome !== 'not-verified')).toEqual([]);
    const accepted = requestsOf(mock).filter(({ code }) => code === 0);
    expect(accepted.map(({ operation }) => operation)).not.toContainEqual(expect.stringMatching(changing));
  });
});

test.runIf(existsSync('/dev/full'))(
  'names reports that cannot be written, and writes the others (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const place = mkdtempSync(join(folder, 'out-'));
    const [junit, evidence] = [join(place, 'out.xml'), join(place, 'evidence')];
    const unwritable = ['--har', '/dev/full', '--report', 'json=/dev/full'];
    const written = ['--report', `junit=${junit}`, '--evidence', evidence];
    const args = [...argsFor(mock), '--only', 'LOGIN-1', ...unwritable, ...written];
    const { status, stdout, stderr } = await runHere(args, credentialsOf(mock));
    const lost =
      "sitepub: /dev/full can't be written (ENOSPC, no space left on device); its content is lost\n";
    expect([status, stderr.match(/^.* can't be written.*\n/gm)]).toEqual([4, [lost, lost]]);
    expect([readFileSync(junit, 'utf8').slice(0, 5), readdirSync(evidence).length]).toEqual(['<?xml', 7]);
    expect(stdout).toMatch(/ 0 failed/);
  },
);
