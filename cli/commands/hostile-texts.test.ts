// @module-tag nightly
// A deployment with hostile texts in its answers cannot inject commands into terminals, CI logs or reports.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Reply } from '../../contract-tests/self/tampering-proxy.ts';
import { credentialsOf, openBehindProxy, openCommand, writeJournal } from '../testing.ts';

const { folder, run, runHere } = openCommand();

const hostile = [
  '::stop-commands::t\r\n ::add-mask::u\n##[add-mask]v ##vso[task.setvariable]w ##teamcity[x]',
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u0085\b\rover\u2028',
  '\u202e\u2066\u200f\u061c\u200b\ufeff\u{e0041}\ud800',
  `]]>\u0000<script>alert(1)</script>![i](https://evil.example) @octocat | \`\`\`\n# x\n\`\`\`\`\`\ninjected: true`,
  `'; touch /tmp/pwned; $(id) \`id\` "!!`,
].join(' ');

/** CI commands, terminal control characters and invisible characters. Annotations of sitepub itself are allowed. */
const obeyed = /^[^\S\n]*::(?!error title=)|##[a-z]*\[|(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/imu;

/** `texts`: outputs or files by name. */
function expectHarmless(texts: object): void {
  for (const [name, text] of Object.entries(texts)) {
    const found = obeyed.exec(String(text));
    const near = found && JSON.stringify(text.slice(found.index - 40, found.index + 40));
    expect({ name, near }).toEqual({ name, near: null });
  }
}

test('a run with all outputs, report, report diff and cleanup', async () => {
  await using deployment = await openHostile();
  const pathOf = (name: string) => join(folder, name);
  const formats = ['json', 'junit', 'html', 'markdown'];
  const environment = {
    ...deployment.credentials,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: pathOf('step.md'),
  };
  const ids = 'ENV-1,ENV-2,ENV-3,HOOK-1,HOOK-4,HOOK-5,LOGIN-1,KEY-1,AUTH-1';
  const { status, stdout, stderr } = await run(
    [
      ...['test', '--base-url', deployment.baseUrl, '--only', ids, '--journal', pathOf('run.jsonl')],
      ...['--har', pathOf('run.har'), '--evidence', pathOf('evidence')],
      ...formats.flatMap((format) => ['--report', `${format}=${pathOf(`out.${format}`)}`]),
    ],
    environment,
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error title=/m);
  expect(stdout).toContain('\\u003a:stop-commands');
  const written = globSync(['out.*', 'run.har', 'step.md', 'evidence/*'], { cwd: folder });
  expect(written).toHaveLength(13);
  const texts = Object.fromEntries(written.map((name) => [name, readFileSync(pathOf(name), 'utf8')]));
  expectHarmless({ stdout, stderr, ...texts });
  expect(XMLValidator.validate(`${texts['out.junit']}`)).toBe(true);
  expect(JSON.parse(`${texts['out.json']}`).summary.failed).toBeGreaterThan(0);
  expect(texts['out.html']).not.toContain('<script>alert');
  const blocks = /^(`{3,})\w+\n[\s\S]*?\n\1$/gm;
  expect(texts['out.markdown']?.replaceAll(blocks, '')).not.toMatch(/(?<!\\)\]\(|@octocat|<script/);
  const report = pathOf('out.json');
  for (const format of ['text', ...formats])
    expectHarmless(await runHere(['report', report, '--format', format]));
  for (const format of ['text', 'markdown', 'json'])
    expectHarmless(await runHere(['report', 'diff', report, report, '--format', format]));
  const comment = { what: 'comment', site: hostile, target: hostile, tenant: 'main' };
  const lines = [
    { entry: 1, ...comment },
    { entry: 1, created: hostile },
  ];
  const left = writeJournal(pathOf('left.jsonl'), deployment.baseUrl, lines, {});
  const cleaned = await run(['cleanup', left], environment);
  expect(cleaned.stdout).toMatch(/^left .*stop-commands/m);
  expectHarmless(cleaned);
}, 240_000);

test('discover, and its profile', async () => {
  await using deployment = await openHostile();
  const { status, stdout, stderr } = await run(
    ['discover', '--base-url', deployment.baseUrl, '--create', '--max-wait', '1s'],
    deployment.credentials,
  );
  expect([0, 3, 4]).toContain(status);
  expectHarmless({ stdout, stderr });
  expect(parse(stdout) ?? {}).not.toHaveProperty('injected');
}, 240_000);

async function openHostile() {
  const mock = await openBehindProxy(async (message, forward) =>
    poison(await forward(message), message.method === 'POST' && /\/webhooks$/.test(message.path)),
  );
  return { ...mock, credentials: credentialsOf(mock) };
}

const poisoned = ['message', 'trace_id', 'name', 'title', 'note', 'username'];

/** Puts the texts into every message, trace id and name, into a header, and into the identifier of a subscription. */
function poison({ status, headers, body }: Reply, isSubscription: boolean): Reply {
  const names = isSubscription ? [...poisoned, 'id'] : poisoned;
  const text = JSON.stringify(JSON.parse(body.toString() || 'null'), (name, value) =>
    names.includes(name) && ['string', 'number'].includes(typeof value) ? hostile : value,
  );
  return { status, headers: { ...headers, 'x-odd': '\u009b31m ##[add-mask]x' }, body: Buffer.from(text) };
}
