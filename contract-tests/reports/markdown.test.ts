import { expect, test } from 'vitest';
import { markdownBlocks, markdownReport } from './markdown.ts';
import { code, escapeMarkdown, fence, table } from './markdown-text.ts';
import { noCounts, passed, reportOf, sample, sampleWith, unclear } from './testing.ts';

test('begins with the headline, the target and the counts', () => {
  expect(markdownBlocks(sample)[0]).toBe(`# The deployment breaks 1 promise

Target \`http://127.0.0.1:9/api/v1\`, profile \`acme\`

| requirements | number |
| --- | --- |
| ✗ failed | 1 |
| ! suite error | 1 |
| ✗ failed as expected | 1 |
| – not verified | 1 |
| ◐ partly verified | 1 |
| ✓ passed | 1 |
| drift warnings | 3 |
| remarks | 1 |

Gaps: 1 matching the profile or the default, 3 drifting, 1 not observed.

2026-01-02 03:04:05 UTC, 42 requests in 1.2 s, sitepub 0.2.0`);
});

test('shows a failure with all of its evidence', () => {
  expect(markdownReport(sample)).toContain(`## Failed

### ✗ HOOK-4 Another channel is refused

implied in section 2.4 of the interface document

promise: The sentence that promises it.

rule: Four values are named, and no others.

**hook-4-channel-slack**

\`\`\`text
expected: the channel "slack" to be refused (a code other than 0)
actual: HTTP 200 {"code":0}
call: POST /x (createSubscription): HTTP 200
answer: {"code":0,"message":"success"}
similar: 3 more answers, all HTTP 200: createSubscription 3
times: 0 s ● created ──── 61 s ○ nothing
trace_id: a1b2
\`\`\`

\`\`\`sh
curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"
\`\`\`

To accept this failure for a while, add this to the file of \`--expected-failures\`:

\`\`\`yaml
HOOK-4: { reason: "why it is accepted", until: 2026-04-02 }
\`\`\`
`);
});

test.for([
  ['- known.yaml:2: ENV-1 passed, so its entry is stale; remove it'],
  ['### ! SIG-1 Every push carries three headers'],
  ['| login.status | 200 (default) | 201 |'],
  ['<details><summary>Expected failures (1)</summary>'],
  ['| HOOK-7 | Only known events are taken | fixed in release 12 (until 2026-12-31) |'],
  ['<details><summary>Not verified (1)</summary>'],
  ['<details><summary>Partly verified (1)</summary>'],
  ['| needs another site | LIMIT-8 |'],
  ['| late | Something came late | 2 | a push came after 12.3 s |'],
  ['| needs an API key; set SITEPUB\\_API\\_KEY | AUTH-3 |'],
  ['| subscription 7 on site 101: http&#58;//127.0.0.1:1/run/1 |'],
  ['| token.lifetime | 7200 (default) |  | not-observed |'],
  ['| publishSite | never called |  |'],
  ['| login | 4 | 201, 401 |'],
] as const)('has the line %s', ([line]) => {
  expect(markdownReport(sample).split('\n')).toContain(line);
});

test('groups by reason, and lists unmet conditions first', () => {
  const text = markdownReport(unclear);
  expect(text).toContain('<details><summary>Not verified (3)</summary>');
  expect(text).toContain('\n| because of a | HOOK-1, HOOK-2 |\n');
  expect(text).toMatch(/^# Not all conditions of this run were met\n/);
  expect(text).toContain('\n## Conditions not met\n\n- --require: because of a (HOOK-1, HOOK-2)\n');
});

test('is short if everything passed', () => {
  const text = markdownReport(reportOf({ requirements: [passed], summary: { ...noCounts, passed: 1 } }));
  expect(text).toMatch(/^# All verified requirements passed\n/);
  expect(text.match(/^#.*/gm)).toEqual(['# All verified requirements passed', '## Summary']);
});

test('says why a run ended early', () => {
  const aborted = { kind: 'unreachable', reason: 'nothing *answers*' } as const;
  expect(markdownReport(reportOf({ aborted }))).toContain(
    '# Not tested: no verdict on the deployment\n\nTarget `http://127.0.0.1:9/api/v1`, profile `acme`\n\n**The run ended early:** nothing \\*answers\\*',
  );
});

const hostile = 'a | b\n```\n</details><script>alert(1)</script> ~~~~ # *x* [y](z) `c` ``````';

test('confines texts of a deployment to their block, cell or line', () => {
  const lines = markdownReport(sampleWith(hostile)).split('\n');
  const outside = withoutBlocks(lines).filter((line) => !line.startsWith('Target `'));
  expect(outside.join('\n')).not.toMatch(/<script|<\/details>.|alert\(1\)<|\n```\n/);
  expect(outside.filter((line) => line.startsWith('#'))).toEqual([
    '# The deployment breaks 1 promise',
    '## Summary',
    '## Outdated expected failures',
    '## Failed',
    '### ✗ HOOK-4 Another channel is refused',
    '## Suite errors',
    '### ! SIG-1 Every push carries three headers',
    '## Drift: gaps that differ from the profile',
  ]);
  const rows = outside.filter((line) => line.startsWith('| login.status'));
  expect(rows.map((row) => row.replaceAll('\\|', '').split('|').length)).toEqual([5, 6]);
});

/** The lines outside code blocks, by the rules of CommonMark. */
function withoutBlocks(lines: readonly string[]): string[] {
  const outside: string[] = [];
  let open = '';
  for (const line of lines) {
    const marks = /^(`{3,})[^`]*$/.exec(line)?.[1] ?? '';
    if (open === '' && marks !== '') open = marks;
    else if (open === '') outside.push(line);
    else if (marks.length >= open.length && line === marks) open = '';
  }
  return outside;
}

test.for([
  ['a | b', 'a \\| b'],
  ['a\r\n\tb', 'a b'],
  ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
  [
    '*a* _b_ `c` [d](e) ~f~ #1 $x$ @me \\',
    '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~ #&#8203;1 \\$x\\$ @&#8203;me \\\\',
  ],
  ['a\u0000b\ud800\u202e', 'a\\\\u0000b�\\\\u202e'],
  ['##[add-mask]x', '#&#8203;\\\\u0023\\[add-mask\\]x'],
  ['![x](https://evil.example)', '!\\[x\\](https&#58;//evil.example)'],
  ['WWW.evil.example', 'WWW&#46;evil.example'],
  ['GH-12, gh-1; weigh-1 GH-x', 'GH&#8203;-12, gh&#8203;-1; weigh-1 GH-x'],
  ['- a', '\\- a'],
  ['---', '\\---'],
  ['===', '\\==='],
  ['12. a', '12\\. a'],
  ['--require: 2.4', '--require: 2.4'],
] as const)('escapes %j', ([given, want]) => {
  expect(escapeMarkdown(given)).toBe(want);
});

test.for([
  ['plain', '`plain`'],
  ['a`b', '``a`b``'],
  ['`a', '`` `a ``'],
  ['a\nb', '`a b`'],
] as const)('shows %j as code', ([given, want]) => {
  expect(code(given)).toBe(want);
});

test('uses a fence longer than any in the text', () => {
  expect(fence('a\r\n````\nb', 'text')).toBe('`````text\na\n````\nb\n`````');
  expect(fence('a', 'sh')).toBe('```sh\na\n```');
});

test('escapes separators and line breaks in table cells', () => {
  expect(table(['x', 'y'], [['1|2', '3\n4']])).toBe('| x | y |\n| --- | --- |\n| 1\\|2 | 3 4 |');
});

test('fences a text with very many backticks', () => {
  expect(fence('` '.repeat(400_000), '')).toMatch(/^```\n/);
});
