import { expect, test } from 'vitest';
import { findField, findNeededName, namesForField, spellLike } from './likely.ts';

test.for([
  ['CALLBACK_URL', ['TARGET_URL', 'EVENTS', 'target_url', 'events']],
  ['callback-url', ['target-url', 'events', 'target_url']],
  ['CallbackUrl', ['TargetUrl', 'Events', 'target_url', 'events']],
  ['callbackUrl', ['target_url', 'events']],
] as const)('names are spelt as %s is', ([example, spelt]) => {
  expect(spellLike(['target_url', 'events'], example)).toEqual(spelt);
});

test('a name is that of one field alone', () => {
  const names = ['hookSecret', 'notifyUrl', 'event_type', 'robotKind', 'title'];
  const fields = ['url', 'events', 'channel', 'secret'] as const;
  expect(fields.map((field) => namesForField(field, names))).toEqual([
    ['notifyUrl'],
    ['event_type'],
    ['robotKind'],
    ['hookSecret'],
  ]);
});

test('halving finds the one name that a request needs', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const tried: string[] = [];
  const passes = async (some: readonly string[]) => {
    tried.push(some.join(''));
    return some.includes('d');
  };
  expect(await findNeededName(names, passes)).toBe('d');
  expect(tried).toEqual(['abc', 'd']);
});

test('halving ends where an answer says nothing', async () => {
  const tried: string[] = [];
  const passes = async (some: readonly string[]) => {
    tried.push(some.join(''));
    return undefined;
  };
  expect(await findNeededName(['a', 'b', 'c', 'd'], passes)).toBeUndefined();
  expect(tried).toEqual(['ab']);
});

test('the field of a body is looked for among the names of a refusal, and then among likely ones', async () => {
  const refusal = { sure: ['Event'], possible: ['the', 'Session'] };
  const search = { isLikely: (name: string) => name !== 'the', likely: ['access_token', 'token'] };
  const needing = (wanted: string) => async (names: readonly string[]) => names.includes(wanted);
  expect(await findField(refusal, search, needing('Session'))).toBe('Session');
  expect(await findField(refusal, search, needing('AccessToken'))).toBe('AccessToken');
  expect(await findField(refusal, search, needing('jwt'))).toBeUndefined();
});
