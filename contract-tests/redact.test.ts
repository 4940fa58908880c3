import { expect, test } from 'vitest';
import { createSecrets } from './redact.ts';

const secret = 'p"ss wörd/+1';

test.for([
  ['as it is', secret],
  ['escaped in JSON', JSON.stringify({ password: secret }).slice(13, -2)],
  ['percent-encoded', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
] as const)('hides a secret %s', ([, form]) => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_PASSWORD', secret);
  expect(secrets.redact(`before ${form} between ${form} after`)).toBe(
    'before {SITEPUB_PASSWORD} between {SITEPUB_PASSWORD} after',
  );
});

test('hides the beginning of a secret that was cut off', () => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_TOKEN', 'st_0123456789');
  expect(secrets.redact('Bearer st_01234…, st_01234 and st_…')).toBe(
    'Bearer {SITEPUB_TOKEN}…, st_01234 and st_…',
  );
});

test('hides the longer of two secrets as a whole', () => {
  const secrets = createSecrets();
  secrets.add('SHORT', 'abcd');
  secrets.add('LONG', 'abcdef');
  expect(secrets.redact('abcdef abcd')).toBe('{LONG} {SHORT}');
  expect(secrets.entries()).toEqual([
    ['abcdef', 'LONG'],
    ['abcd', 'SHORT'],
  ]);
});

test('remembers every value of a name', () => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_TOKEN', 'first-token');
  secrets.add('SITEPUB_TOKEN', 'renewed-token');
  expect(secrets.redact('first-token, renewed-token')).toBe('{SITEPUB_TOKEN}, {SITEPUB_TOKEN}');
});

test.for([[undefined], [null], [''], [42]] as const)('takes %j for no secret', ([value]) => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_PASSWORD', value);
  expect(secrets.entries()).toEqual([]);
  expect(secrets.redact('42 null undefined')).toBe('42 null undefined');
});
