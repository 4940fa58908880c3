// The schemas for editors accept and reject the same files as our readers.
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../cli/options/config.ts';
import { checks } from '../../contract-tests/checks/index.ts';
import { parseExpectedFailures } from '../../contract-tests/reports/expected-failures.ts';
import { checkWorldSeed } from '../../mock/world-file/validate-seed.ts';
import { parseProfile } from '../../openapi/profile.ts';

const root = new URL('../../', import.meta.url);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const validators = new Map(
  readdirSync(new URL('schemas/', root)).map((file) => [
    file.replace('.json', ''),
    ajv.compile(JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8'))),
  ]),
);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  config: (text) => parseConfig(text, 'f'),
  profile: (text) => parseProfile(text, 'f'),
  world: (text) => checkWorldSeed(parse(text), 'f'),
  'expected-failures': (text) => parseExpectedFailures(text, 'f', checks),
};

const webhook = 'url: "https://h/x", events: [publish.complete], channel: custom';

test.for<[string, boolean, string]>([
  [
    'config',
    true,
    `deployments: { a: { url: "http://h/api/v1", credentials: { password: "\${P}" } } }\nmock: { port: 0 }`,
  ],
  ['config', false, 'deployments: { a: { url: "http://h/api/v1", credentials: { password: p } } }'],
  ['config', false, 'deployments: { a: { profile: p } }'],
  ['config', false, 'mock: { prot: 0 }'],
  ['profile', true, 'login.token: /data/token\noperation.ai: not-offered'],
  ['profile', false, 'login.token: [1]'],
  ['profile', false, 'login.tokn: /data/token'],
  [
    'world',
    true,
    `tenants: [{ name: A, sites: [{ id: 9007199254740991, name: S, subscriptions: [{ ${webhook} }] }] }]`,
  ],
  ['world', false, 'tenants: []'],
  ['world', false, 'tenants: [{ name: A, sites: [{ name: S, id: 0 }] }]'],
  [
    'expected-failures',
    true,
    'HOOK-7: { reason: known, until: 2026-12-31 }\nenv-1-in-every-answer: { reason: known }',
  ],
  ['expected-failures', true, 'HOOK-7: { reason: known, until: null }'],
  ['expected-failures', false, 'HOOK-7: { reason: "  " }'],
  ['expected-failures', false, 'HOOK-7: { reason: known, until: 2026-02-31 }'],
  ['expected-failures', false, 'HOOK-7: { reason: known, unless: x }'],
  ['expected-failures', false, 'HOOK-77: { reason: known }'],
])('the schema and the reader of a %s agree that it is taken: %s (%s)', ([name, isTaken, text]) => {
  expect(validators.get(name)?.(parse(text))).toBe(isTaken);
  const read = expect(() => readers[name]?.(text));
  if (isTaken) read.not.toThrow();
  else read.toThrow();
});

test('each packaged profile fits the schema of profiles', () => {
  const profiles = readdirSync(new URL('profiles/', root));
  const misfits = profiles.filter((file) => {
    return !validators.get('profile')?.(parse(readFileSync(new URL(`profiles/${file}`, root), 'utf8')));
  });
  expect(profiles.length).toBeGreaterThan(3);
  expect(misfits).toEqual([]);
});
