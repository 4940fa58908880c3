import { expect, test, vi } from 'vitest';
import type { Discovery } from '../../contract-tests/discover/discover.ts';
import { summarizeCalls, tellLeftovers } from './tell-discovery.ts';

const row = { name: 'ai', call: 'POST /ai', state: 'certain', why: '' } as const;
const nothing = { found: [], missed: [], values: {}, count: { requests: 2, logins: 1 } };

test.for<[what: string, called: string[], accepted: string[], sentence: string]>([
  ['none', [], [], '; none was called'],
  ['one whose answers were lost', ['operation.ai'], [], '; 1 was called, and 0 of these passed'],
  ['one that passed', ['operation.ai'], ['operation.ai'], '; 1 was called, and 1 of these passed'],
])('says how many calls passed: %s', ([, called, accepted, sentence]) => {
  const discovery = { ...nothing, called, accepted, learnt: [row] } as unknown as Discovery;
  const text = summarizeCalls(discovery, { baseUrl: 'http://x/api/v1', known: 0, out: undefined });
  expect(text).toContain(sentence);
});

test('names what is left with its site, and a failed publish by what it is', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  const left = { site: 101, tenant: 'main', isFailed: false } as const;
  const leftovers: Discovery['leftovers'] = [
    { ...left, what: 'published version', id: 7, target: 'note' },
    { ...left, what: 'published version', id: undefined, target: 'other note', isFailed: true },
    { ...left, what: 'site', site: undefined, id: undefined, target: 'name' },
  ];
  tellLeftovers({ leftovers, doubtful: [] }, 'run.jsonl');
  const lines = print.mock.calls.map(([line]) => line);
  print.mockRestore();
  expect(lines.slice(0, 3)).toEqual([
    '  left behind: published version 7 on site 101, note',
    '  left behind: failed publish on site 101, other note',
    '  left behind: site (its identifier is not known), name',
  ]);
});
