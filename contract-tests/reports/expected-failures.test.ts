import { expect, test } from 'vitest';
import { acceptingLine, loadExpectedFailures, parseExpectedFailures } from './expected-failures.ts';

const checks = [
  { id: 'hook-7-unknown-event', requirement: 'HOOK-7' },
  { id: 'hook-7-empty-list', requirement: 'HOOK-7' },
  { id: 'env-1-in-every-answer', requirement: 'ENV-1' },
];

const parse = (text: string) => parseExpectedFailures(text, 'known.yaml', checks);

test('reads requirements and checks, with and without a last day', () => {
  const text = [
    '# what we know of',
    'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }',
    'env-1-in-every-answer:',
    '  reason: |',
    '    an old proxy',
    'RECV-1: { reason: never made, until: null }',
  ];
  expect(parse(text.join('\n'))).toEqual({
    file: 'known.yaml',
    entries: [
      {
        id: 'HOOK-7',
        line: 2,
        reason: 'fixed in release 12',
        until: '2026-12-31',
        checks: ['hook-7-unknown-event', 'hook-7-empty-list'],
      },
      {
        id: 'env-1-in-every-answer',
        line: 3,
        reason: 'an old proxy',
        until: null,
        checks: ['env-1-in-every-answer'],
      },
      { id: 'RECV-1', line: 6, reason: 'never made', until: null, checks: [] },
    ],
  });
});

test('takes an empty file for no entries', () => {
  expect(parse('# none\n').entries).toEqual([]);
});

const example = 'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }';

test.for([
  [
    '\nHOOK-77: { reason: x }',
    'known.yaml:2: there is no requirement or check "HOOK-77"; did you mean "HOOK-7"? (`sitepub list requirements` and `sitepub list checks` show all)',
  ],
  ['HOOK-7: a reason', `known.yaml:1: HOOK-7 needs a map with a reason, such as ${example}`],
  ['HOOK-7: {}', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  ['HOOK-7: { reason: " " }', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  ['HOOK-7: { reason: 12 }', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  [
    'HOOK-7: { reason: x, untill: 2026-12-31 }',
    'known.yaml:1: HOOK-7 has "untill", and an entry has reason and until alone; did you mean "until"?',
  ],
  [
    'HOOK-7: { reason: x, until: 31.12.2026 }',
    'known.yaml:1: HOOK-7: until is "31.12.2026"; expected its last day, such as 2026-12-31, or nothing',
  ],
  [
    'HOOK-7: { reason: x, until: 2026-02-30 }',
    'known.yaml:1: HOOK-7: until is "2026-02-30"; expected its last day, such as 2026-12-31, or nothing',
  ],
  [
    '- HOOK-7',
    `known.yaml:1: expected failures are a map of requirement or check id to reason, such as ${example}`,
  ],
  [
    'HOOK-7: { reason: x }\nHOOK-7: { reason: y }',
    'known.yaml:2: HOOK-7 appears here a second time; keep one of the two',
  ],
  [
    'HOOK-7: {}\nX-1: { reason: x }',
    `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}\nknown.yaml:2: there is no requirement or check "X-1" (\`sitepub list requirements\` and \`sitepub list checks\` show all)`,
  ],
] as const)('refuses %j', ([text, message]) => {
  expect(() => parse(text)).toThrow(message);
});

test('refuses a file that is not there', () => {
  expect(() => loadExpectedFailures('missing.yaml', checks)).toThrow(
    "--expected-failures: missing.yaml can't be read (ENOENT); give the path of a YAML file, or leave the flag out",
  );
});

test('the line to paste is good for ninety days, and is read back', () => {
  const line = acceptingLine('HOOK-7', '2026-11-21T23:59:59.000Z');
  expect(line).toBe('HOOK-7: { reason: "why it is accepted", until: 2027-02-19 }');
  expect(parse(line).entries).toMatchObject([{ reason: 'why it is accepted', until: '2027-02-19' }]);
});
