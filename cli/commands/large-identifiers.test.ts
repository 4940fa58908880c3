// @module-tag nightly
// The commands against a deployment whose identifiers are integers above 2^53: its runs, reports, clean-up and discovery.
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { refuse } from '../../contract-tests/self/tampering.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openBehindProxy, openCommand } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

const largeSiteId = '1892345678000000101';

/** What a rounded identifier is shown as: with 17 digits that count, or an exponent. */
const rounded = /1892345678\d{7}00(?!\d)|1\.89234567\d*e/;

test('a full run fails nothing, and no report rounds an identifier', async () => {
  await using deployment = await openDeployment();
  const formats = ['json', 'junit', 'html', 'markdown'];
  const reports = formats.map((format) => ({ format, path: join(folder, `report.${format}`) }));
  const flags = ['--profile', 'default', '--suite', 'full', '--seed', '1'];
  const asked = reports.flatMap(({ format, path }) => ['--report', `${format}=${path}`]);
  const args = ['test', ...deployment.addresses, ...flags, ...asked];
  expect(await run(args, deployment.credentials)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/7\d passed, 0 failed/),
  });
  const texts = reports.map(({ path }) => readFileSync(path, 'utf8'));
  expect(texts.map((text) => [text.length > 1_000, rounded.exec(text)?.[0]])).toEqual(
    formats.map(() => [true, undefined]),
  );
  expect(texts[0]).toContain(`"site": "${largeSiteId}"`);
});

test('a clean-up deletes what a journal lists', async () => {
  await using deployment = await openDeployment();
  const TMPDIR = mkdtempSync(join(folder, 'journal-'));
  const credentials = { ...deployment.credentials, TMPDIR };
  deployment.deletions.areRefused = true;
  const only = ['--profile', 'default', '--only', 'HOOK-1,EVENT-6,IDEM-1,KEY-3'];
  await run(['test', ...deployment.addresses, ...only], credentials);
  const [journal = ''] = globSync(join(TMPDIR, 'sitepub-*', 'run-*.jsonl'));
  deployment.deletions.areRefused = false;
  const { status, stdout } = await run(['cleanup', journal], credentials);
  expect(stdout).toMatch(new RegExp(`^deleted {2}subscription 1892345678\\d+ on site ${largeSiteId}: `, 'm'));
  expect(stdout).toMatch(/^deleted {2}site 1892345678\d+ /m);
  expect(stdout).not.toMatch(/^left {5}(subscription|site|content|API key)/m);
  expect({ status, rounded: rounded.exec(stdout)?.[0] }).toEqual({ status: 0, rounded: undefined });
});

test('a discovery reads the same profile as with small ones', async () => {
  await using deployment = await openDeployment();
  const out = join(folder, 'found.yaml');
  const flags = ['--base-url', deployment.baseUrl, '--create', '--out', out, '--max-wait', '0'];
  const args = ['discover', ...flags, '--profile', writePaths()];
  expect(await run(args, deployment.credentials)).toMatchObject({ status: 0 });
  expect(loadProfile(out).values).toMatchObject({
    'subscription.response.id': '/data/id',
    'subscription.id-type': 'integer',
    'event-data.content.publish': { content_id: '{id}', title: '{title}' },
    'event-data.form.submit': { submission_id: '{id}', form: '{form}', fields: '{fields}' },
  });
});

/** A profile that states nothing but the operations. */
function writePaths(): string {
  const path = join(folder, 'paths.yaml');
  const values = Object.entries(statedValues(loadProfile('default')));
  writeFileSync(path, stringify(Object.fromEntries(values.filter(([id]) => id.startsWith('operation.')))));
  return path;
}

/** A mock with such identifiers, which may refuse deletions. */
async function openDeployment() {
  const deletions = { areRefused: false };
  const mock = await openBehindProxy(
    (message, forward) =>
      deletions.areRefused && message.method === 'DELETE' ? refuse(403, 40300) : forward(message),
    { variations: ['long-ids'] },
  );
  const addresses = ['--base-url', mock.baseUrl, '--control-url', mock.controlUrl];
  return { ...mock, deletions, addresses, credentials: credentialsOf(mock) };
}
