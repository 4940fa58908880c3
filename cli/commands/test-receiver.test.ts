// @module-tag ci
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { openReceiver } from '../../contract-tests/test-receiver/testing/open-receiver.ts';
import { decideRightly } from '../../contract-tests/test-receiver/testing/right-receiver.ts';
import { openCommand, outcomeOf } from '../testing.ts';

const { folder, start, runHere } = openCommand();

const secret = 'k3y-of-the-subscription';
const withSecret = { SITEPUB_WEBHOOK_SECRET: secret };

test('a correct receiver passes, and the report contains only requirements for receivers', async () => {
  await using receiver = await openReceiver(decideRightly, { secret });
  const { status, stdout, report } = await runWithReport(receiver.url);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^sitepub test-receiver {2}http:\/\/127\.0\.0\.1:\d+\/hook {2}profile none\n/);
  expect(stdout).toMatch(
    /\n2 requirements: 2 passed, 0 failed, 0 not verified, 0 warnings \(\d+ requests in /,
  );
  expect(report).toMatchObject({
    schema: 2,
    target: { base_url: receiver.url, profile: 'none', kind: 'receiver' },
    summary: { passed: 2, failed: 0, warned: 0, not_verified: 0, error: 0 },
    requirements: [
      { id: 'RECV-1', outcome: 'passed', level: 'implied' },
      { id: 'RECV-2', outcome: 'passed', level: 'documented' },
    ],
    aborted: null,
  });
});

test('hides keys in the query of the URL', async () => {
  await using receiver = await openReceiver(() => 200, { secret });
  const url = `${receiver.url}?debug=1&key=k3y%20of%20the%2Frobot&b4re.k3y.of.all`;
  const json = join(folder, 'keyless.json');
  const shown: string[] = [];
  for (const args of [[url], [url.replace(/:\d+/, ':9')], [url, '--dry-run']]) {
    const command = ['test-receiver', ...args, '--report', `json=${json}`];
    const { stdout, stderr } = await runHere(command, withSecret);
    shown.push(stdout, stderr, readFileSync(json, 'utf8'));
  }
  expect(shown[0]).toContain(`${receiver.url}?debug=1&key={key of the address}&{query of the address}`);
  expect(shown.filter((one) => /k3y.of|k3y%20of/.test(one))).toEqual([]);
});

test('a receiver that accepts everything fails, with curl lines that repeat the pushes', async () => {
  await using receiver = await openReceiver(() => 200, { secret });
  const { status, stdout } = await runHere(['test-receiver', receiver.url, '--only', 'RECV-2'], {
    ...withSecret,
    GITHUB_ACTIONS: 'true',
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/-hmac 'sitepub test-receiver: a secret that is not /);
  for (const part of [
    'recv-2-signature-of-other-secret\n',
    'expected a status other than 2xx for a push signed with another secret\n',
    '\n::error title=RECV-2 The receiver rejects',
    'Before you run the curl lines: export SITEPUB_WEBHOOK_SECRET',
    '– left out by --only or --skip: 1 requirement\n',
  ])
    expect(stdout).toContain(part);
});

test('advises to name a site if the receiver refuses unknown ones', async () => {
  await using receiver = await openReceiver(
    (seen, key) => (seen.body.includes('"site_id":7,') ? decideRightly(seen, key) : 404),
    { secret },
  );
  const args = ['test-receiver', receiver.url, '--only', 'recv-1-right-push', 'advice-foreign-site'];
  const unnamed = await runHere(args, withSecret);
  expect(unnamed.stdout).toContain('pass a site that the receiver knows with --site-id');
  expect(unnamed.stdout).toContain('advice-foreign-site');
  expect(unnamed.stdout).toMatch(/ 0 failed, /);
  expect(unnamed.status).toBe(3);
  expect(await runHere(args, { ...withSecret, SITEPUB_SITE_ID: '7' })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/ 0 failed, /),
  });
});

test('exits with 3 if the receiver does not answer or there is no secret', async () => {
  const receiver = await openReceiver(decideRightly, { secret });
  const unsigned = await runHere(['test-receiver', receiver.url]);
  await receiver[Symbol.asyncDispose]();
  const closed = await runHere(['test-receiver', receiver.url], withSecret);
  expect(unsigned.stdout).toMatch(
    /\n– no secret to sign pushes with; set SITEPUB_WEBHOOK_SECRET.*\n {4}RECV-1, RECV-2\n/,
  );
  expect(closed.stderr).toBe(
    `sitepub: cannot reach ${receiver.url}: the connection was refused; start the receiver or correct its address\n`,
  );
  expect([unsigned.status, closed.status]).toEqual([3, 3]);
});

test('a dry run sends nothing, and lists what it would send', async () => {
  let count = 0;
  await using receiver = await openReceiver(() => ++count && 200, { secret });
  const { status, stdout } = await runHere(['test-receiver', receiver.url, '--dry-run'], withSecret);
  expect(status).toBe(0);
  expect(stdout).toMatch(/\n\d+ checks, about \d+ pushes; a valid push precedes each check\n/);
  expect(stdout).toMatch(/\n {2}recv-2-hex-cut +a push with 63 of the 64 digits\n/);
  expect(count).toBe(0);
});

test('exits with 130 when it is interrupted, and reports what was done', async () => {
  let count = 0;
  await using receiver = await openReceiver(
    (seen, key) => (++count > 20 ? sleep(60_000, 200, { ref: false }) : decideRightly(seen, key)),
    { secret },
  );
  const child = start(['test-receiver', receiver.url, '--timeout', '60s'], withSecret);
  const outcome = outcomeOf(child);
  while (count <= 20) await sleep(20);
  child.kill('SIGINT');
  const stdout = expect.stringMatching(/\n– the run was interrupted\n {4}(in part: )?RECV-/);
  expect(await outcome).toMatchObject({ status: 130, stdout });
});

const python = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!python)("a receiver in Python's standard library passes (skipped without python3)", async () => {
  const script = fileURLToPath(new URL('../../examples/python-receiver/receiver.py', import.meta.url));
  const child = spawn('python3', [script, '0'], {
    env: { ...process.env, ...withSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { status, report } = await runWithReport(String(/http\S+/.exec(line)));
    const failures = report.requirements.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome !== 'passed'),
    );
    expect(failures).toEqual([]);
    // A busy machine may cause this one.
    const warned = report.warnings?.filter(({ id }) => id !== 'advice-many-at-once');
    expect(warned).toEqual([]);
    expect(status).toBe(0);
  } finally {
    child.kill();
  }
});

async function runWithReport(url: string) {
  const path = join(folder, `report-${new URL(url).port}.json`);
  const result = await runHere(['test-receiver', url, '--report', `json=${path}`], withSecret);
  return { ...result, report: JSON.parse(readFileSync(path, 'utf8')) as Report };
}
