// Whatever a recording holds as a secret, wherever and however it is written there: nothing of it is in what is learnt or told.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretForms } from '../../redaction/testing/secret-forms.ts';
import { digestOfRecording } from './digest-of-recording.ts';
import { learnRecording } from './learn-recording.ts';
import { harOf, readText, type WrittenCall } from './testing/write-har.ts';

type Plant = (text: string) => WrittenCall;

const post = { method: 'POST', path: '/tenant/things' };

/** A body as it was sent. */
function sent(mimeType: string, text: string): WrittenCall {
  const url = 'https://api.example.com/api/v1/tenant/things';
  return { ...post, entry: { request: { method: 'POST', url, postData: { mimeType, text } } } };
}

function escapeXml(char: string): string {
  return { '<': '&lt;', '>': '&gt;' }[char] ?? '&amp;';
}

/** Where a recording shows what is secret. */
const known: Readonly<Record<string, Plant>> = {
  'a password': (text) => ({
    method: 'POST',
    path: '/auth/tenant/login',
    headers: {},
    body: { password: text },
  }),
  'a signing secret': (text) => ({ ...post, body: { hook: { signSecret: text } } }),
  'a list under a secret name': (text) => ({ ...post, body: { secrets: [{ a: text }] } }),
  'a bearer token': (text) => ({ ...post, headers: { Authorization: `Bearer ${text}` } }),
  'basic credentials': (text) => ({
    ...post,
    headers: { Authorization: `Basic ${Buffer.from(`mei:${text}`).toString('base64')}` },
  }),
  'a form': (text) => sent('application/x-www-form-urlencoded', `pwd=${encodeURIComponent(text)}`),
  'JSON in a text': (text) => ({ ...post, body: { payload: JSON.stringify({ login: { password: text } }) } }),
  'base64 of JSON': (text) => ({
    ...post,
    body: { data: Buffer.from(JSON.stringify({ password: text })).toString('base64') },
  }),
  GraphQL: (text) => ({
    ...post,
    body: { query: `mutation { login(user: "mei", password: ${JSON.stringify(text)}) { id } }` },
  }),
  'a text': (text) => sent('text/plain', `user: mei\npassword: ${text}\n`),
  XML: (text) =>
    sent('application/xml', `<login><password>${text.replace(/[<>&]/g, escapeXml)}</password></login>`),
  'a query': (text) => ({ path: `/tenant/things?password=${encodeURIComponent(text)}` }),
};

/** Where anything may stand. */
const places: Readonly<Record<string, Plant>> = {
  'a path': (text) => ({ path: `/tenant/${encodeURIComponent(text)}/things` }),
  'the end of a path': (text) => ({ path: `/tenant/things/${encodeURIComponent(text)}` }),
  'a value of a query': (text) => ({ path: `/tenant/things?state=${encodeURIComponent(text)}` }),
  'a name in a query': (text) => ({ path: `/tenant/things?${encodeURIComponent(text)}=1` }),
  'a choice': (text) => ({ ...post, body: { state: text, options: { kind: text } } }),
  'a text': (text) => ({ ...post, body: { title: text, theme: text, tags: [text] } }),
  'a name in a body': (text) => ({ ...post, body: { [text]: true, x: { [text]: { y: 1 } } } }),
  'an answer': (text) => ({
    path: '/tenant/things',
    data: { state: text, id: text, list: [{ type: text }] },
  }),
  'a name in an answer': (text) => ({
    path: '/tenant/things',
    data: { [text]: { id: 1 }, list: [{ [text]: 1 }] },
  }),
  'a message': (text) => ({ path: '/tenant/things', answer: { code: 0, message: text, trace_id: text } }),
  'a refusal': (text) => ({
    path: `/tenant/${encodeURIComponent(text)}`,
    answer: { code: 4, message: text, trace_id: '1' },
  }),
  'the name of a header': (text) => ({
    path: '/tenant/things',
    headers: { [text]: '1', Authorization: 'Bearer st_00000001' },
  }),
  'a later link': (text) => ({
    path: `/tenant/things?after=${encodeURIComponent(text)}&id=${encodeURIComponent(text)}`,
  }),
  'another address': (text) => ({ path: `https://cdn.example.com/${encodeURIComponent(text)}` }),
};

const letters = [...'abcdefghijkmpqrstuvwxyzABCDEFGH0123456789!#$%&()*+,-./:;<=>?@[]^_{|}~ äß中'];
const typed = fc
  .array(fc.constantFrom(...letters), { minLength: 8, maxLength: 24 })
  .map((all) => all.join(''))
  .filter((text) => /\d/.test(text) && text.trim() === text);

function shownOf(calls: readonly WrittenCall[]): string {
  const { operations, notes } = learnRecording(readText(harOf(calls)).exchanges);
  return [JSON.stringify(operations), ...digestOfRecording(operations), ...notes].join('\n');
}

const usual = { path: '/tenant/sites', data: { list: [] } };
const form = fc.constantFrom(...secretForms);

function expectHidden(shown: string, secret: string, written: string): void {
  const found = [secret, written, JSON.stringify(secret).slice(1, -1)].filter((one) => shown.includes(one));
  if (found.length > 0) throw new Error(`${found[0]} is in ${shown}`);
}

test('a secret that a recording shows as one is nowhere in what is learnt, however it is written', () => {
  const property = fc.property(
    typed,
    fc.constantFrom(...Object.values(known)),
    fc.array(fc.tuple(fc.constantFrom(...Object.values(places)), form), { minLength: 1, maxLength: 5 }),
    (secret, plant, others) => {
      const echoes = others.map(([place, [, write]]) => place(write(secret)));
      const shown = shownOf([usual, plant(secret), ...echoes]);
      for (const [, [, write]] of others) expectHidden(shown, secret, write(secret));
    },
  );
  expect(fc.defaultReportMessage(fc.check(property, { numRuns: 150 }))).toBe(undefined);
});

const hex = fc.uint8Array({ minLength: 12, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const token = fc
  .tuple(hex, fc.constantFrom('hex', 'base64url', 'base64'), fc.constantFrom('', 'sp_', 'st_', 'hk-'))
  .map(([bytes, encoding, prefix]) => prefix + bytes.toString(encoding as BufferEncoding))
  .filter((text) => (text.match(/\d+/g) ?? []).length > 2);
const person = fc
  .tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.stringMatching(/^[a-z]{3,8}$/))
  .map(([name, host]) => `${name}@${host}.example`);

test('a token or an address of a person is nowhere in what is learnt, though nothing says what it is', () => {
  const property = fc.property(
    fc.oneof(token, person),
    fc.constantFrom(...Object.values(places)),
    (secret, place) => expectHidden(shownOf([usual, place(secret)]), secret, secret),
  );
  expect(fc.defaultReportMessage(fc.check(property, { numRuns: 200 }))).toBe(undefined);
});
