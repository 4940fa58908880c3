// @module-tag ci
// How `sitepub test` asks before it leaves much behind.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

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
