import { expect, test } from 'vitest';
import { findField, findNeededName, namesForField, spellLike } from './likely.ts';

test.for([
  ['CALLBACK_URL', ['TARGET_URL', 'EVENTS', 'target_url', 'events']],
  ['callback-url', ['target-url', 'events', 'target_url']],
  ['CallbackUrl', ['TargetUrl', 'Events', 'target_url', 'events']],
  ['callbackUrl', ['target_url', 'events']],
] as const)('spells names like %s', ([example, spelt]) => {
  expect(spellLike(['target_url', 'events'], example)).toEqual(spelt);
});

test('assigns each name to one field', () => {
  const names = ['hookSecret', 'notifyUrl', 'event_type', 'robotKind', 'title'];
  const fields = ['url', 'events', 'channel', 'secret'] as const;
  expect(fields.map((field) => namesForField(field, names))).toEqual([
    ['notifyUrl'],
    ['event_type'],
    ['robotKind'],
    ['hookSecret'],
  ]);
});

test('finds the needed name by halving', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const tried: string[] = [];
  const passes = async (some: readonly string[]) => {
    tried.push(some.join(''));
    return some.includes('d');
  };
  expect(await findNeededName(names, passes)).toBe('d');
  expect(tried).toEqual(['abc', 'd']);
});

test('stops halving after an answer without meaning', async () => {
  const tried: string[] = [];
  const passes = async (some: readonly string[]) => {
    tried.push(some.join(''));
    return undefined;
  };
  expect(await findNeededName(['a', 'b', 'c', 'd'], passes)).toBeUndefined();
  expect(tried).toEqual(['ab']);
});

test('searches the names of a refusal first, then common names', async () => {
  const refusal = { sure: ['Event'], possible: ['the', 'Session'] };
  const search = { isLikely: (name: string) => name !== 'the', likely: ['access_token', 'token'] };
  const needing = (wanted: string) => async (names: readonly string[]) => names.includes(wanted);
  expect(await findField(refusal, search, needing('Session'))).toBe('Session');
  expect(await findField(refusal, search, needing('AccessToken'))).toBe('AccessToken');
  expect(await findField(refusal, search, needing('jwt'))).toBeUndefined();
});
