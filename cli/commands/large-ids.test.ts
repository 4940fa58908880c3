// Identifiers above 2^53 do not lose digits.
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { refuse } from '../../contract-tests/self/tampering.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openBehindProxy, openCommand, openMock } from '../testing.ts';

const { folder, startMockProcess, run, runHere } = openCommand();

describe('the mock', { tags: ['ci'] }, () => {
  const site = '1892345678901234567';
  const world = join(folder, 'world.yaml');
  writeFileSync(
    world,
    `tenants:
  - name: Acme
    users: [{ username: lin, password: pw }]
    api_keys: [{ key: sp_acme }]
    sites:
      - id: ${site}
        name: Hills
        subscriptions: [{ url: "http://127.0.0.1:9/", events: [comment.created], channel: custom }]
`,
  );

  /** Digits of a rounded identifier. */
  const others = /1892345678901234[0-46-9]\d\d|(?<!\d)4[5-9]\d{14}(?!\d)/;

  test('prints every digit', async () => {
    await using mock = await startMockProcess(['--world', world]);
    expect(mock.line).toContain(`"site_ids":[${site}]`);
    const steer = (...args: string[]) => runHere(args, { SITEPUB_CONTROL_URL: mock.ready.control_url });
    const saved = join(folder, 'saved.json');
    const outputs = [
      await steer('mock', 'trigger', 'comment.created', '--site', site, '--json'),
      await steer('mock', 'trigger', 'comment.created'),
      await steer('mock', 'deliveries', '--json'),
      await steer('mock', 'save', saved),
      await steer('mock', 'load', saved),
      await steer('mock', 'requests', '--json'),
    ];
    for (const output of outputs) expect(output).toMatchObject({ status: 0, stderr: '' });
    for (const index of [0, 2]) expect(outputs[index]?.stdout).toContain(`"site_id":${site}`);
    expect(readFileSync(saved, 'utf8')).toContain(`"${site}":{"id":${site},`);
    const all = outputs.map(({ stdout }) => stdout).join('') + mock.line + readFileSync(saved, 'utf8');
    expect(all).not.toMatch(others);
    // In another process, the world continues.
    await using after = await openMock({ world: saved });
    expect(after.control.sites().sites.map(({ id }) => id)).toEqual([BigInt(site)]);
    const wrong = await steer('mock', 'trigger', 'comment.created', '--site', `${site}0`);
    expect(wrong.stderr).toContain(
      `--site is "${site}0"; expected a whole number from 0 to 9223372036854775807`,
    );
  });
});

describe('the suite', { tags: ['nightly'] }, () => {
  const largeSiteId = '1892345678000000101';

  /** A rounded identifier ends with zeros or has an exponent. */
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

  test('cleanup deletes what the journal lists', async () => {
    await using deployment = await openDeployment();
    const TMPDIR = mkdtempSync(join(folder, 'journal-'));
    const credentials = { ...deployment.credentials, TMPDIR };
    deployment.deletions.areRefused = true;
    const only = ['--profile', 'default', '--only', 'HOOK-1,EVENT-6,IDEM-1,KEY-3'];
    await run(['test', ...deployment.addresses, ...only], credentials);
    const [journal = ''] = globSync(join(TMPDIR, 'sitepub-*', 'run-*.jsonl'));
    deployment.deletions.areRefused = false;
    const { status, stdout } = await run(['cleanup', journal], credentials);
    expect(stdout).toMatch(
      new RegExp(`^deleted {2}subscription 1892345678\\d+ on site ${largeSiteId}: `, 'm'),
    );
    expect(stdout).toMatch(/^deleted {2}site 1892345678\d+ /m);
    expect(stdout).not.toMatch(/^left {5}(subscription|site|content|API key)/m);
    expect({ status, rounded: rounded.exec(stdout)?.[0] }).toEqual({ status: 0, rounded: undefined });
  });

  test('discover writes the same profile as with small identifiers', async () => {
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

  function writePaths(): string {
    const path = join(folder, 'paths.yaml');
    const values = Object.entries(statedValues(loadProfile('default')));
    writeFileSync(path, stringify(Object.fromEntries(values.filter(([id]) => id.startsWith('operation.')))));
    return path;
  }

  /** A mock with large identifiers, which can refuse deletions. */
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
});
