import { expect, test } from 'vitest';
import { openContext, secretsWith } from '../testing.ts';
import { createSecrets, secretsOf } from './redact.ts';
import { secretForms } from './testing/secret-forms.ts';

const nasty = 'p"s\'s wörd/+<1>&%25\\\\\n€😀';

test.for(secretForms)('hides a secret %s', ([, write]) => {
  const secret = nasty;
  const secrets = secretsWith({ SITEPUB_PASSWORD: secret });
  const given = write(secret);
  expect(secrets.redact(`before ${given} between ${given} after`)).toBe(
    'before {SITEPUB_PASSWORD} between {SITEPUB_PASSWORD} after',
  );
});

test.for([
  ['abc', 'Basic YWJj{SITEPUB_PASSWORD}'],
  ['a', 'Basic Y{SITEPUB_PASSWORD}'],
  ['ab', 'Basic YW{SITEPUB_PASSWORD}'],
] as const)('hides the base64 character that a secret shares with %j before it', ([before, want]) => {
  const secrets = secretsWith({ SITEPUB_PASSWORD: 'correct horse' });
  const text = Buffer.from(`${before}correct horse`).toString('base64');
  expect(secrets.redact(`Basic ${text}`)).toBe(want);
});

test.for(secretForms)('hides the beginning of a cut secret %s', ([, write]) => {
  const secrets = secretsWith({ SITEPUB_PASSWORD: `abcd${nasty}` });
  const whole = write(`abcd${nasty}`);
  for (let length = 9; length < whole.length; length += 1) {
    const left = secrets.redact(`Bearer ${whole.slice(0, length)}…, and on`);
    expect(left).toMatch(/^Bearer \{SITEPUB_PASSWORD\}.{0,2}…, and on$/s);
  }
});

test('hides a very long secret, even if it is cut', () => {
  const long = 'ab/c9'.repeat(20_000);
  const secrets = secretsWith({ SITEPUB_TOKEN: long });
  expect(secrets.redact(`Bearer ${long} and`)).toBe('Bearer {SITEPUB_TOKEN} and');
  expect(secrets.redact(`Bearer ${long.slice(0, 4000)}… and`)).toBe('Bearer {SITEPUB_TOKEN}… and');
});

test('stores only as much of a secret as a text may show', () => {
  const long = 'ab/c9'.repeat(400_000);
  const secrets = secretsWith({ SITEPUB_TOKEN: long });
  expect(secrets.redact(`Bearer ${long}`)).toBe('Bearer {SITEPUB_TOKEN}…');
  expect(secrets.entries().map(([value]) => value.length)).toEqual([131_072]);
});

test('hides the longer of two overlapping secrets completely', () => {
  const secrets = secretsWith({ SHORT: 'abcd', LONG: 'abcdef' });
  expect(secrets.redact('abcdef abcd')).toBe('{LONG} {SHORT}');
  expect(secrets.entries()).toEqual([
    ['abcdef', 'LONG'],
    ['abcd', 'SHORT'],
  ]);
});

test('hides every value of a name', () => {
  const secrets = secretsWith({ SITEPUB_TOKEN: 'first-token' });
  secrets.add('SITEPUB_TOKEN', 'renewed-token');
  expect(secrets.redact('first-token, renewed-token')).toBe('{SITEPUB_TOKEN}, {SITEPUB_TOKEN}');
});

test.for([[undefined], [null], [''], [42]] as const)('ignores %j as a secret', ([value]) => {
  const secrets = secretsWith({ SITEPUB_PASSWORD: value });
  expect(secrets.entries()).toEqual([]);
  expect(secrets.redact('42 null undefined')).toBe('42 null undefined');
});

test('hides the secrets of proxies and gateways, but no header of three letters', () => {
  const { options } = openContext({
    connection: {
      proxy: { url: 'http://mei:p%40ss%25word@proxy:3128/', variable: 'HTTPS_PROXY' },
      passphrase: 'open sesame',
      headers: { 'X-Gate-Token': 'gate', 'X-Canary': 'yes' },
    },
  });
  const basic = Buffer.from('mei:p@ss%word').toString('base64');
  expect(secretsOf(options).redact(`gate yes, open sesame, p@ss%word p%40ss%25word ${basic}`)).toBe(
    '{SITEPUB_HEADER_X_GATE_TOKEN} yes, {SITEPUB_KEY_PASSPHRASE}, {PROXY_PASSWORD} {PROXY_PASSWORD} bWVpO{PROXY_PASSWORD}',
  );
});

test('hides all secrets in the options', () => {
  const person = (password: string) => ({ username: 'mei', password });
  const { options } = openContext({
    account: person('one'),
    second: person('two'),
    other: person('three'),
    apiKey: 'four',
    controlToken: 'five',
  });
  expect(secretsOf(options).redact('one two three four five mei')).toBe(
    '{SITEPUB_PASSWORD} {SITEPUB_SECOND_PASSWORD} {SITEPUB_OTHER_PASSWORD} {SITEPUB_API_KEY} {SITEPUB_CONTROL_TOKEN} mei',
  );
});

test.for([
  ['with codes after a further backslash', 'S3cret\\u002dw\u00f6rd'],
  ['with named entities', 'S3cret&dash;w&ouml;rd'],
  ['with entities that lack their semicolon', 'S3c&#114et-w\u00f6rd'],
  ['after a percent sign', '%S3cret-w\u00f6rd'],
] as const)('hides a secret %s in every encoding', ([, given]) => {
  const secrets = secretsWith({ S: 'S3cret-w\u00f6rd' });
  expect(secrets.redact(`"${given}"`)).toMatch(/^"%?\{S\}"$/);
});

test.for([
  ['that is cut', 'st_0123456789', 'Bearer st_01234…, st_01234 and st_…', 'Bearer {S}…, st_01234 and st_…'],
  ['cut at the end of a text', 'correct horse>?1', 'the password is correct ho', 'the password is {S}'],
  ['before three dots', 'correct horse>?1', 'the password is correct ho...', 'the password is {S}...'],
  ['only if enough is left', 'correct horse>?1', 'the password is correct', 'the password is correct'],
  ['with escapes in an escaped page', '%6aaaa&aaa', '<p>%6aaaa&amp;aa</p>', '<p>{S}</p>'],
  ['of two letters', 'pi', '/api/v1 {"password":"pi"} pi; pie', '/api/v1 {"password":"{S}"} {S}; pie'],
  ['that is a word', 'test', 'testSubscription, a test, Test', 'testSubscription, a {S}, Test'],
  ['of digits', '1234', '17123499 1234', '17123499 {S}'],
  ['that is a longer word', 'publish', 'publishSite POST PUBLISH Publish', '{S}Site POST {S} Publish'],
  ['with a digit', 'integration1', 'the integration of integration1', 'the integration of {S}'],
  ['in capitals', 'PASSWORD', 'password PASSWORD', '{S} {S}'],
] as const)('hides a secret %s: %s', ([, secret, given, want]) => {
  expect(secretsWith({ S: secret }).redact(given)).toBe(want);
});

test('does not change placeholders', () => {
  const secrets = secretsWith({ SITEPUB_PASSWORD: 'PASSWORD', SITEPUB_TOKEN: '{SITEPUB_P' });
  const text = '{SITEPUB_PASSWORD} "$SITEPUB_PASSWORD" PASSWORD';
  expect(secrets.redact(text)).toBe('{SITEPUB_PASSWORD} "$SITEPUB_PASSWORD" {SITEPUB_PASSWORD}');
});

test('cuts very long texts', () => {
  const secrets = secretsWith({ S: 'S3cret-word' });
  expect(secrets.redact(`${'x '.repeat(65_534)}S3cret-word and more`)).toMatch(/^(x )+\{S\}…$/);
});

test('hides more tokens than it stores in full', () => {
  const secrets = createSecrets();
  const tokens = Array.from({ length: 20_000 }, (_, index) => `st_0123456789abcdef${index}`);
  for (const token of tokens) secrets.learn('SITEPUB_TOKEN', token);
  expect(secrets.redact(`${tokens[0]} "${tokens.at(-1)}"`)).toBe('{SITEPUB_TOKEN} "{SITEPUB_TOKEN}"');
});
