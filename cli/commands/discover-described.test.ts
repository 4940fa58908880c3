// @module-tag nightly
// From a description to a whole run: nobody writes a line of the profile, and the suite verifies all but the duties of receivers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const fixtures = new URL('../../contract-tests/learn/fixtures/', import.meta.url);
const { folder, run, remove } = openCommand();

afterAll(remove);

test.for(['openapi-clean', 'nestjs'] as const)(
  'a discovery with a description as %s writes it, and a run verify 79 of 81',
  async (style) => {
    await using mock = await openMock(loadProfile('default'));
    const api = fileURLToPath(new URL(`${style}-default.json`, fixtures));
    const [out, report] = ['found.yaml', 'report.json'].map((name) => join(folder, `${style}-${name}`));
    const addresses = ['--base-url', mock.baseUrl, '--control-url', mock.controlUrl];
    const found = await run(
      ['discover', ...addresses, '--create', '--openapi', api, '--out', `${out}`],
      credentialsOf(mock),
    );
    expect(found.status).toBe(0);
    expect(found.stderr).toContain(
      'verifies 79 of 81; missing:\n    RECV-1, RECV-2, because: It is a duty of receivers',
    );
    expect(found.stderr).toContain(
      '25 certain, 0 to confirm, 0 not found; 25 called, 25 passed',
    );
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
