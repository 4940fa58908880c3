// @module-tag nightly
// The commands against a deployment that puts hostile texts wherever it may: nothing that is printed or written obeys them.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Reply, startProxy } from '../../contract-tests/self/tampering-proxy.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

const hostile = [
  '::stop-commands::t\r\n ::add-mask::u\n##[add-mask]v ##vso[task.setvariable]w ##teamcity[x]',
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u0085\b\rover\u2028',
  '\u202e\u2066\u200f\u061c\u200b\ufeff\u{e0041}\ud800',
  `]]>\u0000<script>alert(1)</script>![i](https://evil.example) @octocat | \`\`\`\n# x\n\`\`\`\`\`\ninjected: true`,
  `'; touch /tmp/pwned; $(id) \`id\` "!!`,
].join(' ');

/** What a log obeys, what a terminal obeys, and what nobody sees. The tool's own annotations are in lines of their own. */
const obeyed = /^[^\S\n]*::(?!error title=)|##[a-z]*\[|(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/imu;

function expectHarmless(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const found = obeyed.exec(text);
    expect({ name, found: found && JSON.stringify(text.slice(found.index - 40, found.index + 40)) }).toEqual({
      name,
      found: null,
    });
  }
}

test('a run with all of its outputs, its reports anew, a comparison and a clean-up', async () => {
  await using deployment = await openHostile();
  const formats = ['json', 'junit', 'html', 'markdown'];
  const paths = Object.fromEntries(formats.map((format) => [format, join(folder, `report.${format}`)]));
  const [har, evidence, summary] = [
    join(folder, 'run.har'),
    join(folder, 'evidence'),
    join(folder, 'step.md'),
  ];
  const environment = { ...deployment.credentials, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const journal = join(folder, 'run.jsonl');
  const only = ['ENV-1', 'ENV-2', 'ENV-3', 'HOOK-1', 'HOOK-4', 'HOOK-5', 'LOGIN-1', 'KEY-1', 'AUTH-1'];
  const tested = await run(
    [
      ...[
        'test',
        '--base-url',
        deployment.baseUrl,
        '--har',
        har,
        '--evidence',
        evidence,
        '--journal',
        journal,
      ],
      ...only.flatMap((id) => ['--only', id]),
      ...Object.entries(paths).flatMap(([format, path]) => ['--report', `${format}=${path}`]),
    ],
    environment,
  );
  expect(tested.status).toBe(1);
  expect(tested.stdout).toMatch(/^::error title=/m);
  expect(tested.stdout).toContain('\\u003a:stop-commands');
  const written = [...Object.values(paths), har, summary, ...globSync(join(evidence, '*'))];
  expect(written).toHaveLength(13);
  const files = Object.fromEntries(written.map((path) => [path, readFileSync(path, 'utf8')]));
  expectHarmless({ stdout: tested.stdout, stderr: tested.stderr, ...files });
  expect(XMLValidator.validate(`${files[`${paths.junit}`]}`)).toBe(true);
  expect(JSON.parse(`${files[`${paths.json}`]}`).summary.failed).toBeGreaterThan(0);
  expect(files[`${paths.html}`]).not.toContain('<script>alert');
  const blocks = /^(`{3,})\w+\n[\s\S]*?\n\1$/gm;
  expect(files[`${paths.markdown}`]?.replaceAll(blocks, '')).not.toMatch(/(?<!\\)\]\(|@octocat|<script/);
  expectHarmless(await printedBy(['report', `${paths.json}`], ['--format'], ['text', ...formats]));
  expectHarmless(
    await printedBy(
      ['report', 'diff', `${paths.json}`, `${paths.json}`],
      ['--format'],
      ['text', 'markdown', 'json'],
    ),
  );
  const lines = [
    { sitepub_journal: 1, run: 'a1', base_url: deployment.baseUrl, profile: { name: hostile, stated: {} } },
    { entry: 1, what: 'comment', site: hostile, target: hostile, tenant: 'main' },
    { entry: 1, created: hostile },
  ];
  const left = join(folder, 'left.jsonl');
  writeFileSync(left, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const cleaned = await run(['cleanup', left], environment);
  expect(cleaned.stdout).toMatch(/^left .*stop-commands/m);
  expectHarmless({ stdout: cleaned.stdout, stderr: cleaned.stderr });
}, 240_000);

test('a discovery, and the profile that it writes', async () => {
  await using deployment = await openHostile();
  const { status, stdout, stderr } = await run(
    ['discover', '--base-url', deployment.baseUrl, '--create', '--max-wait', '1s'],
    deployment.credentials,
  );
  expect([0, 3, 4]).toContain(status);
  expectHarmless({ stdout, stderr });
  expect(parse(stdout) ?? {}).not.toHaveProperty('injected');
}, 240_000);

async function printedBy(command: string[], flag: string[], values: string[]) {
  const texts: Record<string, string> = {};
  for (const value of values) {
    const { stdout, stderr } = await run([...command, ...flag, value]);
    texts[`${command[0]} ${value}`] = stdout + stderr;
  }
  return texts;
}

async function openHostile() {
  const mock = await openMock();
  const { origin, pathname } = new URL(mock.baseUrl);
  const proxy = await startProxy(
    (path) => `${origin}${path}`,
    async (message, forward) =>
      poison(await forward(message), message.method === 'POST' && /\/webhooks$/.test(message.path)),
  );
  return {
    baseUrl: `${proxy.origin}${pathname}`,
    credentials: credentialsOf(mock),
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await mock.close();
    },
  };
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
