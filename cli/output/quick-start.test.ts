import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { wordsIn } from '../../contract-tests/testing.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { readFlags } from '../options/flags.ts';
import { mockFlags } from '../options/mock-flags.ts';
import { openMock } from '../testing.ts';
import { quickStart, settingsGiven } from './quick-start.ts';

const hostile = `it's "x" $(touch /tmp/x) \`id\` !x\n::stop-commands::x\u001b[2J\u202e ##[add-mask]y`;

const usual = { profile: loadProfile('default'), settings: [], isLogged: true };

const mock = {
  baseUrl: 'http://127.0.0.1:4010/api/v1',
  controlUrl: 'http://127.0.0.1:4010/_mock',
  controlToken: undefined,
  tenants: [
    {
      id: 1,
      name: hostile,
      users: [{ username: hostile, password: hostile }],
      apiKey: hostile,
      sites: [{ id: 1892345678901234567n, name: hostile }],
    },
  ],
} as unknown as Parameters<typeof quickStart>[0];

test('escapes names of a world file, and its shell lines can be copied', () => {
  const text = quickStart(mock, usual);
  expect(visibleLines(text)).toBe(text);
  expect(text).toContain(' --control-url http://127.0.0.1:4010/_mock\n');
  expect(text).toContain('\n  console       http://127.0.0.1:4010/_mock/console\n');
  const [login = ''] = /curl \S+ \S+auth\/tenant\/login .*/.exec(text) ?? [];
  expect(JSON.parse(wordsIn('sh', login).at(-1) ?? '')).toEqual({ username: hostile, password: hostile });
  const [, exported = ''] = /export ((?:.*\\\n)*.*)\n/.exec(text) ?? [];
  const variables = wordsIn('sh', exported.replaceAll(/\\\n\s*/g, ' '));
  const site = '1892345678901234567';
  expect(variables).toEqual(
    expect.arrayContaining([`SITEPUB_PASSWORD=${hostile}`, `SITEPUB_SITE_ID=${site}`]),
  );
  // Identifiers do not lose digits.
  for (const part of [`sites    ${site} `, `/tenant/sites/${site}/webhooks`, `"site_id":${site}`])
    expect(text).toContain(part);
});

test('with HTTPS, it names the certificate, and its curl lines trust it', () => {
  const certificateFile = '/tmp/of me/4711.pem';
  const text = quickStart(mock, { ...usual, certificateFile });
  expect(text).toContain('\n  certificate   /tmp/of me/4711.pem\n');
  expect(text).toContain("NODE_EXTRA_CA_CERTS='/tmp/of me/4711.pem'");
  const calls = text.split('\n').filter((line) => line.includes('curl'));
  expect(calls).toHaveLength(6);
  expect(calls.filter((line) => !line.includes("curl -sS --cacert '/tmp/of me/4711.pem' "))).toEqual([]);
  expect(text).toContain("    NODE_EXTRA_CA_CERTS='/tmp/of me/4711.pem'\n  sitepub test ");
});

test.each(['default', 'always-200-camel-case', 'flags-and-cursors'])(
  'its curl lines make a push fail and be retried, with profile %s',
  async (name) => {
    await using running = await openMock({ profile: name });
    const profile = loadProfile(name);
    const text = quickStart(running, { ...usual, profile });
    const calls = text.split('\n').filter((line) => line.startsWith('  curl'));
    expect(calls).toHaveLength(6);
    const answers: string[] = [];
    for (const call of calls) answers.push((await promisify(execFile)('sh', ['-c', call])).stdout);
    const { messages } = JSON.parse(answers.at(-1) ?? '') as { messages: unknown[] };
    expect(messages).toHaveLength(4);
  },
);

test('shows no retries if the world has no API key or no site', () => {
  const [tenant] = mock.tenants;
  const bare = { ...mock, tenants: [{ ...tenant, sites: [] }] } as unknown as typeof mock;
  expect(quickStart(bare, usual)).not.toContain('/inbox/shop');
});

test.for<[string, string[]]>([
  ['', []],
  ['--profile acme.yaml', ['  profile       acme.yaml']],
  ['--world a\u001b[2J.yaml --clock manual', ['  world         a\\u001b[2J.yaml', '  clock         manual']],
  ['--fault a,b --cors', ['  fault         a, b', '  cors          true']],
])('shows the settings of "%s"', ([words, want]) => {
  const given = readFlags(words.split(' ').filter(Boolean), mockFlags, {});
  expect(settingsGiven(given)).toEqual(want);
});

test('shows a store without its password', () => {
  const given = readFlags([], mockFlags, { SITEPUB_STORE: 'postgres://me:secret@db/x' });
  expect(settingsGiven(given)).toEqual(['  store         postgres://me@db/x']);
});
