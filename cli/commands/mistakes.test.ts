// @module-tag ci
// A mistake ends each command in a few lines of which the last says what to do, and blames no deployment. Tests of options hold the single messages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

interface Mistake {
  command: string;
  name: string;
  args: (baseUrl: string) => string[];
  environment?: Record<string, string>;
  status: 2 | 3;
  says: RegExp;
  /** How many things it creates and deletes again. */
  creates?: number;
}

const runs = (profile = 'default') => [
  '--profile',
  profile,
  '--report',
  `json=${join(folder, 'report.json')}`,
];

const mistakes: readonly Mistake[] = [
  {
    command: 'test',
    name: 'a base address without the version',
    args: (baseUrl) => ['--base-url', baseUrl.replace('/api/v1', ''), ...runs()],
    status: 2,
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    command: 'test',
    name: 'a wrong API key, where a new one shows that keys are accepted',
    args: (baseUrl) => ['--base-url', baseUrl, ...runs()],
    environment: { SITEPUB_API_KEY: 'sp_0123456789abcdef0123456789abcdef' },
    creates: 2,
    status: 2,
    says: /the API key is refused everywhere .*; check SITEPUB_API_KEY, or leave it out$/,
  },
  {
    command: 'test',
    name: 'a site of another tenant',
    args: (baseUrl) => ['--base-url', baseUrl, ...runs()],
    environment: { SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' },
    status: 2,
    says: /site 201 was refused to this user, .*: check SITEPUB_SITE_ID$/,
  },
  {
    command: 'test',
    name: 'the profile of another deployment',
    args: (baseUrl) => ['--base-url', baseUrl, ...runs('nested-201-uuid')],
    status: 2,
    says: /`sitepub discover` write one$/,
  },
  {
    command: 'mock',
    name: 'a profile that is missing',
    args: () => ['--profile', 'nowhere.yaml'],
    status: 2,
    says: /nowhere\.yaml can't be read \(there is no file .*nowhere\.yaml\); give the path of a YAML file/,
  },
  {
    command: 'discover',
    name: 'no base address',
    args: () => [],
    status: 2,
    says: /the address of the deployment is missing; give it, or set SITEPUB_BASE_URL/,
  },
  {
    command: 'cleanup',
    name: 'a journal that is missing',
    args: () => ['/nowhere/journal'],
    status: 2,
    says: /the journal \/nowhere\/journal can't be read \(there is no file .*\); give the file that `sitepub test` has named /,
  },
  {
    command: 'test-receiver',
    name: 'a port at which nobody listens',
    args: () => ['http://127.0.0.1:9/'],
    status: 3,
    says: /start the receiver, or correct its address$/,
  },
  {
    command: 'listen',
    name: 'a port that is none',
    args: () => ['--listen', '127.0.0.1:abc'],
    status: 2,
    says: /--listen is "127\.0\.0\.1:abc"; expected/,
  },
  {
    command: 'mock',
    name: 'no mock that runs',
    args: () => ['advance', 'PT1M'],
    status: 3,
    says: /no mock is running here; start one with `sitepub mock`/,
  },
  {
    command: 'report',
    name: 'a report that is missing',
    args: () => ['/nowhere/report.json'],
    status: 2,
    says: /can't be read \(there is no file .*\); give one that `sitepub test --report json=FILE` has written/,
  },
  {
    command: 'mock',
    name: 'a store that is missing',
    args: () => ['store', 'status', '--store', 'file:/nowhere/worlds.db'],
    status: 3,
    says: /store \/nowhere\/worlds\.db: there is no such file$/,
  },
];

test.for(mistakes)('$command: $name', async ({ command, args, environment, status, says, creates = 0 }) => {
  await using mock = await openMock();
  const result = await run([command, ...args(mock.baseUrl)], { ...credentialsOf(mock), ...environment });
  const lines = `${result.stdout}${result.stderr}`.trimEnd().split('\n');
  expect({ status: result.status, last: lines.at(-1) }).toEqual({
    status,
    last: expect.stringMatching(says),
  });
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(verdictsIn(join(folder, 'report.json'))).toEqual([]);
  expect(requestsOf(mock).filter(isCreation)).toHaveLength(creates);
});

/** The requirements that a report says anything else of than that it could not be verified. */
function verdictsIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return requirements.filter(({ outcome }) => outcome !== 'not-verified').map(({ id }) => id);
}

function isCreation({ operation, code }: { operation?: string; code?: number | undefined }): boolean {
  return code === 0 && /^(create|import|publish|submit|update|delete)/.test(operation ?? '');
}
