// @module-tag ci
// Runs what the pages of docs/ tell people to run: their blocks of `sh` one after the other, beside a mock, and their TypeScript that is
// followed by what it prints. Blocks of `bash` are for machines with more on them than this one.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMock } from '../mock/start.ts';
import { credentialsOf } from './testing.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = fileURLToPath(new URL('sitepub.mjs', import.meta.url));

test.concurrent.for(['front-end', 'ci', 'config', 'promises-and-gaps', 'profiles'])(
  'docs/%s.md tells what works',
  async (page) => {
    const text = readPage(`docs/${page}.md`);
    const stdout = await beside(text, (script, env, cwd) => run('bash', ['-ec', script], env, cwd));
    const shown = [...blocks(text, 'json'), ...blocks(text, 'text')].flatMap((block) =>
      block.trim().split('\n'),
    );
    const printed = withoutVariables(stdout);
    expect(shown.filter((line) => !printed.includes(withoutVariables(line)))).toEqual([]);
  },
);

test('the program in docs/client.md prints what it says', async () => {
  const text = readPage('docs/client.md');
  const [, source = '', told = ''] = /```ts\n([^`]*)```\s+```text\n(.*?)```/s.exec(text) ?? [];
  const hook = join(root, 'examples/use-checkout.ts');
  const stdout = await beside(text, (_script, env, cwd) => {
    writeFileSync(join(cwd, 'program.ts'), source);
    return run(process.execPath, ['--import', hook, 'program.ts'], env, cwd);
  });
  expect(stdout).toBe(told);
});

type Run = (script: string, env: NodeJS.ProcessEnv, cwd: string) => Promise<string>;

/** Runs something in an empty folder, with a mock up at the address that the page names. */
async function beside(page: string, work: Run): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'sitepub-docs-'));
  const mock = await startMock();
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const access = { SITEPUB_BASE_URL: mock.baseUrl, ...credentialsOf(mock) };
  const env = { ...Object.fromEntries(own), ...access, PATH, TMPDIR: cwd, NO_COLOR: '1' };
  const script = blocks(page, 'sh')
    .join('\n')
    .replaceAll('npx sitepub', `'${process.execPath}' '${command}'`)
    .replaceAll('http://127.0.0.1:4010', new URL(mock.baseUrl).origin);
  try {
    return await work(script, env, cwd);
  } finally {
    await mock.close();
    rmSync(cwd, { recursive: true });
  }
}

async function run(program: string, args: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1e7 })).stdout;
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );
}

function withoutVariables(text: string): string {
  return text.replaceAll(/"trace_id":"\w+"/g, '"trace_id":"…"').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
}

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}
