// @module-tag ci
// A mistake ends a command in a few lines of which the last says what to do, and blames no deployment. Tests of options hold the single messages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, runHere, remove } = openCommand();

afterAll(remove);

const file = join(folder, 'report.json');
const sites = { SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' };
const wrongKey = { SITEPUB_API_KEY: 'sp_0123456789abcdef0123456789abcdef' };
const testOf = (profile = 'default') => ['test', '--profile', profile, '--report', `json=${file}`];

interface Mistake {
  name: string;
  args: string[];
  environment?: Record<string, string>;
  /** What follows the origin of the mock, where the command takes its address. */
  path?: string;
  says: RegExp;
  /** How many things it creates and deletes again. */
  creates?: number;
}

test.for<Mistake>([
  {
    name: 'a base address without the version',
    args: testOf(),
    path: '',
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'a wrong API key, where a new one shows that keys are accepted',
    args: testOf(),
    environment: wrongKey,
    path: '/api/v1',
    creates: 2,
    says: /every call refuses the API key .*; check SITEPUB_API_KEY or unset it$/,
  },
  {
    name: 'a site of another tenant',
    args: testOf(),
    environment: sites,
    path: '/api/v1',
    says: /no access to site 201 .*; check SITEPUB_SITE_ID$/,
  },
  {
    name: 'the profile of another deployment',
    args: testOf('nested-201-uuid'),
    path: '/api/v1',
    says: /write one with `sitepub discover`$/,
  },
  {
    name: 'a profile that is missing',
    args: ['mock', '--profile', 'nowhere.yaml'],
    says: /nowhere\.yaml can't be read \(there is no file .*nowhere\.yaml\); give the path of a YAML file/,
  },
  {
    name: 'a journal that is missing',
    args: ['cleanup', '/nowhere/journal'],
    says: /the journal \/nowhere\/journal can't be read \(there is no file .*\); pass the file that `sitepub test` named /,
  },
  {
    name: 'a journal that is none',
    args: ['cleanup', 'package.json'],
    says: /package\.json is not a sitepub journal/,
  },
])('$name', async ({ args, environment, path, says, creates = 0 }) => {
  await using mock = await openMock();
  const address = path === undefined ? [] : ['--base-url', new URL(mock.baseUrl).origin + path];
  const result = await runHere([...args, ...address], { ...credentialsOf(mock), ...environment });
  const lines = `${result.stdout}${result.stderr}`.trimEnd().split('\n');
  expect({ status: result.status, last: lines.at(-1) }).toEqual({
    status: 2,
    last: expect.stringMatching(says),
  });
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(verdictsIn(file)).toEqual([]);
  expect(requestsOf(mock).filter(isCreation)).toHaveLength(creates);
});

/** The requirements that a report says anything else of than that it could not be verified. */
function verdictsIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const { requirements } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return requirements.filter(({ outcome }) => outcome !== 'not-verified').map(({ id }) => id);
}

function isCreation({ operation, code }: { operation?: string; code?: number | undefined }): boolean {
  return code === 0 && /^(create|import|publish|submit|update|delete)/.test(operation ?? '');
}
