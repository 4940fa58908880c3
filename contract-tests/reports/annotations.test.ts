import { expect, test } from 'vitest';
import { annotations } from './annotations.ts';
import { broken, failed, reportOf, sample } from './testing.ts';

test('writes one line for each failure, error and outdated entry, and for nothing else', () => {
  expect(annotations(sample)).toBe(
    [
      '::error title=HOOK-4 Another channel is refused::hook-4-channel-slack: expected a refusal; got a success (trace_id a1b2)%0Apromise: The sentence that promises it.%0Arule: Four values are named, and no others.',
      '::error title=SIG-1 Every push carries three headers::sig-1-three-headers: error in the suite: x (hooks.ts:7)',
      '::error title=outdated expected failure%3A ENV-1::known.yaml:2: ENV-1 passed, so its entry is stale; remove it',
      '::error title=outdated expected failure%3A HOOK-4::known.yaml:3: the entry of HOOK-4 expired after 2025-12-31; remove it or set a later date\n',
    ].join('\n'),
  );
});

test('escapes characters that would end the line, the title or the message', () => {
  const check = { ...failed.checks[0], reason: 'a\r\n::stop-commands::x, 100%', trace_id: null };
  const hostile = { ...failed, title: 'a, b: 100%\n##[c]', checks: [check, check] } as typeof failed;
  expect(annotations(reportOf({ requirements: [hostile] }))).toBe(
    '::error title=HOOK-4 a%2C b%3A 100%25\\n#\\u0023[c]::hook-4-channel-slack: a\\u000d\\n::stop-commands::x, 100%25%0A1 more check of this requirement failed%0Apromise: The sentence that promises it.%0Arule: Four values are named, and no others.\n',
  );
});

test('reports an error without a check', () => {
  expect(annotations(reportOf({ requirements: [{ ...broken, checks: [] }] }))).toBe(
    '::error title=SIG-1 Every push carries three headers::error in the suite: x (hooks.ts:7)\n',
  );
});
