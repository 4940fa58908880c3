// The comment of a job, against a fake of GitHub's API.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { compareReports } from '../../contract-tests/reports/compare-reports.ts';
import { reportOf, requirementWith, sample, sampleWith } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { commentOnPullRequest } from './comment-on-pull-request.ts';
import { type FakeGithub, openFakeGithub } from './testing/fake-github.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-comment-'));
const event = join(folder, 'event.json');
const summary = join(folder, 'summary.md');
writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(summary, { force: true });
});

const reportWith = (outcome: 'passed' | 'failed', profile = 'acme') =>
  reportOf({
    target: { base_url: 'http://x/api/v1', profile },
    requirements: [requirementWith('ENV-1', { a: outcome })],
  });
const worse = compareReports(reportWith('passed'), reportWith('failed'));
const better = compareReports(reportWith('failed'), reportWith('passed'));
const same = compareReports(reportWith('passed'), reportWith('passed'));
const patience = { answerMs: 2_000, retryMs: 2_000, pauseMs: 1 };

/** What a job prints that is about this comparison. */
async function comment(
  github: Pick<FakeGithub, 'url'>,
  comparison = worse,
  environment: Record<string, string> = {},
) {
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  await commentOnPullRequest(comparison, {
    patience,
    environment: {
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_PATH: event,
      GITHUB_API_URL: github.url,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_TOKEN: 'ghs_secret',
      GITHUB_WORKFLOW: 'contract',
      GITHUB_JOB: 'service',
      ...environment,
    },
  });
  return printed.join('');
}

test('writes a comment once, and then keeps it up to date', async () => {
  await using github = await openFakeGithub();
  expect(await comment(github)).toBe('');
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toMatch(
    /^<!-- sitepub diff [\da-f]{16} -->\n\n### sitepub: 1 regressed\n/,
  );
  await comment(github, better);
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('### sitepub: 1 newly verified');
  await comment(github, better);
  expect(github.asked.filter((one) => one.startsWith('PATCH'))).toHaveLength(1);
  expect([...github.tokens]).toEqual(['Bearer ghs_secret']);
  expect(readFileSync(summary, 'utf8')).toContain('# 1 regressed');
});

test('writes none where nothing has changed, and takes back one that says otherwise', async () => {
  await using github = await openFakeGithub();
  await comment(github, same);
  expect(github.comments).toEqual([]);
  await comment(github, worse);
  await comment(github, same);
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('### sitepub: No requirement changed'),
  ]);
});

test('finds its comment behind many others, and leaves those of other jobs alone', async () => {
  const others = [...Array(250).keys()].map((at) => ({
    id: at + 1,
    body: `comment ${at}`,
    user: { type: 'User' },
  }));
  await using github = await openFakeGithub(others);
  await comment(github);
  await comment(github, worse, { GITHUB_JOB: 'another' });
  await comment(github, compareReports(reportWith('passed', 'x'), reportWith('failed', 'x')));
  expect(github.comments).toHaveLength(253);
  await comment(github, better);
  expect(github.comments).toHaveLength(253);
  expect(github.asked.filter((one) => one.includes('page=3'))).toHaveLength(4);
});

test.for([
  [{ user: { type: 'User' }, author_association: 'NONE' }, 2],
  [{ user: { type: 'User' }, author_association: 'MEMBER' }, 1],
  [{ user: { type: 'Bot' } }, 1],
] as const)('of a comment by %j with the same marker there are then %i', async ([by, want]) => {
  await using github = await openFakeGithub();
  await comment(github);
  const [{ body = '' } = {}] = github.comments;
  github.comments = [{ id: 1, body, ...by }];
  await using another = await openFakeGithub(github.comments);
  await comment(another, better);
  expect(another.comments).toHaveLength(want);
});

test.for<[string, string, number, Record<string, string>, RegExp]>([
  [
    'a fork',
    'POST',
    403,
    {},
    /answered with HTTP 403: the token may not write comments; pull requests from forks never may/,
  ],
  ['a token that is not good', 'GET', 401, {}, /HTTP 401: the token is not accepted/],
  [
    'no such pull request',
    'GET',
    404,
    {},
    /GET \/repos\/acme\/shop\/issues\/7\/comments was answered with HTTP 404: there is no such/,
  ],
  ['a locked conversation', 'POST', 422, {}, /HTTP 422: the comment is not taken/],
  ['a fault of GitHub', 'POST', 502, {}, /POST .* was answered with HTTP 502/],
  [
    'a long wait',
    'GET',
    429,
    { 'retry-after': '3600' },
    /HTTP 429: too many requests; GitHub asks to wait 3600 s/,
  ],
  [
    'a limit that is used up',
    'GET',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
    /too many requests/,
  ],
])('%s is told in a notice, and the summary is written', async ([, method, status, headers, want]) => {
  await using github = await openFakeGithub();
  github.refuse = [{ method, refusal: [status, headers, 'no'] }];
  const printed = await comment(github);
  expect(printed).toMatch(/^::notice title=No comment on the pull request::[^\n]*\n$/);
  expect(printed).toMatch(want);
  expect(printed).not.toContain('ghs_');
  expect(github.comments).toEqual([]);
  expect(github.refuse).toEqual([]);
  expect(readFileSync(summary, 'utf8')).toContain('# 1 regressed');
});

test.for<[string, string, number, Record<string, string>]>([
  ['too many requests', 'POST', 429, { 'retry-after': '1' }],
  ['too many at once', 'POST', 403, { 'retry-after': '0' }],
  ['too many, without a time', 'GET', 429, {}],
  ['a fault while reading', 'GET', 502, {}],
])('after %s it tries again', async ([, method, status, headers]) => {
  await using github = await openFakeGithub();
  github.refuse = [{ method, refusal: [status, headers] }];
  const before = performance.now();
  expect(await comment(github)).toBe('');
  expect(github.comments).toHaveLength(1);
  if (headers['retry-after'] === '1') expect(performance.now() - before).toBeGreaterThan(990);
});

test('it tries three times, and no more', async () => {
  await using github = await openFakeGithub();
  github.refuse = [...Array(9)].map(() => ({ method: 'GET', refusal: [503] as const }));
  expect(await comment(github)).toContain('HTTP 503: GitHub has a fault');
  expect(github.asked).toHaveLength(3);
});

test.for([
  ['nobody listens', 'http://127.0.0.1:9', /GitHub can't be reached: .*(ECONNREFUSED|bad port)/],
  ['there is no such name', 'http://github.invalid', /GitHub can't be reached: .*(ENOTFOUND|EAI_AGAIN)/],
] as const)('where %s, a notice says so', async ([, url, want]) => {
  expect(await comment({ url })).toMatch(want);
});

test('an answer that is no JSON is told', async () => {
  await using github = await openFakeGithub();
  github.refuse = [{ method: 'GET', refusal: [200, {}, '<html>'] }];
  expect(await comment(github)).toMatch(/^::notice .*the answer of GitHub can't be read/);
});

test('without a token, a pull request or a job there is none', async () => {
  await using github = await openFakeGithub();
  expect(await comment(github, worse, { GITHUB_TOKEN: '' })).toMatch(/^::notice .*there is no token/);
  writeFileSync(join(folder, 'push.json'), JSON.stringify({ issue: { number: 7 } }));
  expect(await comment(github, worse, { GITHUB_EVENT_PATH: join(folder, 'push.json') })).toBe('');
  expect(await comment(github, worse, { GITHUB_EVENT_PATH: join(folder, 'absent') })).toMatch(
    /^::notice .*can't be read/,
  );
  expect(github.asked).toEqual([]);
  await expect(comment(github, worse, { GITHUB_REPOSITORY: '' })).rejects.toThrow(UsageError);
  await expect(comment(github, worse, { GITHUB_REPOSITORY: '../x' })).rejects.toThrow(UsageError);
});

test('a hostile deployment gets no mention, no link and no command into it, and fits it into the limit', async () => {
  await using github = await openFakeGithub();
  const hostile =
    '@octocat #1 [a](https://evil.example) <img src=x> | \n::error::x \u202e`--> </details>'.repeat(20);
  const bad = sampleWith(hostile);
  const requirements = [...Array(400).keys()].map((at) => ({
    ...requirementWith(`ENV-${at}`, { a: 'failed' }),
    checks: bad.requirements[1]?.checks ?? [],
    reason: hostile,
  }));
  const before = { ...sample, gaps: [], remarks: [], requirements: [] };
  const printed = await comment(github, compareReports(before, { ...bad, requirements }));
  expect(printed).toBe('');
  const [{ body = '' } = {}] = github.comments;
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body.length).toBeGreaterThan(40_000);
  expect(body).toMatch(/\n\n\d+ more lines are left out, since a comment may have 65536 characters: .*$/);
  // What names the runs is code as a whole.
  const outsideCode = body.replace(/^(before|now): (`+).*?\2$/gm, '');
  expect(outsideCode).not.toMatch(/@octocat|#1\b|(?<!\\)\[a|https:\/\/evil|<img|<\/details|\u202e/);
  expect(outsideCode.match(/-->/g)).toHaveLength(1);
});

test('a comparison that the summary of a step has no room for says where to read it', async () => {
  await using github = await openFakeGithub();
  const requirements = [...Array(4_000).keys()].map((at) => ({
    ...requirementWith(`ENV-${at}`, { a: 'failed' }),
    title: 'x'.repeat(300),
  }));
  await comment(github, compareReports(reportOf({}), reportOf({ requirements })));
  expect(readFileSync(summary, 'utf8')).toMatch(
    /\n1 part left out, since a step's summary may have 1 MiB: `sitepub diff` prints all of it\.\n$/,
  );
});
