import { expect, test, vi } from 'vitest';
import type { Discovery } from '../../contract-tests/discover/discover.ts';
import type { OperationRow } from '../../contract-tests/learn/learnt-findings.ts';
import { printLeftovers, summarizeCalls, summarizeReading } from './discovery-summary.ts';

const row: OperationRow = { name: 'ai', call: 'POST /ai', state: 'certain', why: '' };
const nothing = { found: [], missed: [], values: {}, count: { requests: 2, logins: 1 } };

test.for<[string[], string[], string]>([
  [[], [], '; 0 called, 0 passed'],
  [['operation.ai'], [], '; 1 called, 0 passed'],
  [['operation.ai'], ['operation.ai'], '; 1 called, 1 passed'],
])('counts %j called and %j accepted: "%s"', ([called, accepted, sentence]) => {
  const discovery = { ...nothing, called, accepted, learnt: [row] } as unknown as Discovery;
  const text = summarizeCalls(discovery, { deployment: ['staging'], known: 0, out: undefined });
  expect(text).toContain(sentence);
});

const suggestion = '`sitepub test staging --profile acme.yaml --suite full --max-wait 2m` verifies up to ';
const bareSuggestion = '`sitepub test staging --suite full --max-wait 2m` verifies up to ';

test.for<[string[], string | undefined, string]>([
  [['staging'], 'acme.yaml', '  next: sitepub test staging --profile acme.yaml --max-wait 61s'],
  [
    ['--base-url', 'http://x/api/v1?a b'],
    'acme.yaml',
    "  next: sitepub test --base-url 'http://x/api/v1?a b' --profile acme.yaml",
  ],
  [['staging'], 'acme.yaml', `\nwith all credentials, ${suggestion}`],
  [['staging'], undefined, `\nwith this profile and all credentials, ${bareSuggestion}`],
])('names the next run against %j with the profile %s: %s', ([deployment, out, want]) => {
  const discovery = { ...nothing, called: [], accepted: [], learnt: [] } as unknown as Discovery;
  expect(summarizeCalls(discovery, { deployment, known: 0, out })).toContain(want);
});

test('aligns operations, and escapes their texts', () => {
  const rows: OperationRow[] = [
    { ...row, name: 'create-site', call: 'POST /sites\u001b[2J\nx' },
    { ...row, name: 'delete-site', call: 'DELETE /sites', state: 'to confirm', why: 'its name says ##[x]y' },
    { ...row, name: 'list-keys', call: '', state: 'not found', why: 'click: open the list of keys\u202e' },
  ];
  const text = summarizeReading({ rows, count: 3, values: {}, out: undefined });
  expect(text.split('\n').slice(0, 4)).toEqual([
    '  create-site  POST /sites\\u001b[2J\\nx  certain',
    '  delete-site  DELETE /sites            to confirm: its name says #\\u0023[x]y',
    '  list-keys                             not found; click: open the list of keys\\u202e',
    '3 operations read: 1 certain, 1 to confirm, 1 not found',
  ]);
});

test('names leftovers with their site, and failed publishes as such', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  const left = { site: 101, tenant: 'main', isFailed: false } as const;
  const leftovers: Discovery['leftovers'] = [
    { ...left, what: 'published version', id: 7, target: 'note' },
    { ...left, what: 'published version', id: undefined, target: 'other note', isFailed: true },
    { ...left, what: 'site', site: undefined, id: undefined, target: 'name' },
  ];
  printLeftovers({ leftovers, doubtful: [] }, 'run.jsonl');
  const lines = print.mock.calls.map(([line]) => line);
  print.mockRestore();
  expect(lines.slice(0, 3)).toEqual([
    '  left behind: published version 7 on site 101, note',
    '  left behind: failed publish on site 101, other note',
    '  left behind: site (unknown identifier), name',
  ]);
});
