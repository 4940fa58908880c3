// @module-tag ci
// Runs the README's session of everyday use against a mock, and compares what it prints with what the README shows.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMock } from '../mock/start.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, session = ''] = /## Everyday use\n(.*?)\n## /s.exec(readme) ?? [];
const command = fileURLToPath(new URL('sitepub.mjs', import.meta.url));

test('the story in the README tells what happens', async () => {
  const [, source = '', told = ''] = /```ts\n(.*?)```\s+```text\n(.*?)```/s.exec(readme) ?? [];
  const story = join(root, `story-${process.pid}.ts`);
  writeFileSync(story, source);
  try {
    const hook = join(root, 'examples/use-checkout.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', hook, story]);
    expect(stdout).toBe(told);
  } finally {
    rmSync(story);
  }
});

test('the session in the README does what it shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-readme-'));
  const mock = await startMock();
  const receiver = await startReceiver();
  try {
    const { stdout } = await run(scriptFor(mock.baseUrl, receiver.url), folder);
    // What the suite shows of answers comes after.
    const [calls = ''] = stdout.split('sitepub test  ');
    const answers = calls.match(/\{"code":.*?"trace_id":"\w+"\}/g) ?? [];
    const told = blocks('json').join('').replaceAll(receiverUrl, receiver.url).trim().split('\n');
    expect(answers.map(withoutTraceId)).toEqual(told.map(withoutTraceId));
    expect(receiver.printed()).toContain('POST /  publish.complete  attempt 1  verified\n');
    expect(stdout).toMatch(
      /81 requirements: \d+ passed, 0 failed, \d+ partly, \d+ not verified, 0 drift warnings/,
    );
    for (const line of blocks('text').join('\n').split('\n').filter(isComparable))
      expect(stdout).toContain(line);
    const files = ['report.json'];
    expect(files.filter((name) => existsSync(join(folder, name)))).toEqual(files);
  } finally {
    await mock.close();
    await receiver.close();
    rmSync(folder, { recursive: true });
  }
});

const receiverUrl = 'http://127.0.0.1:4020/';

async function startReceiver() {
  const env = { ...process.env, SITEPUB_WEBHOOK_SECRET: 's3cr3t' };
  const child = spawn(process.execPath, [command, 'listen', '--listen', '127.0.0.1:0'], { env });
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(child.stdout, 'data');
  const close = async () => {
    child.kill();
    await ended;
  };
  return { url: printed.split('\n')[0] ?? '', printed: () => printed, close };
}

function scriptFor(baseUrl: string, receiver: string): string {
  const commands = blocks('sh').join('\n').replaceAll('npx sitepub', `node '${command}'`);
  const script = commands.replaceAll('http://127.0.0.1:4010', new URL(baseUrl).origin);
  return `set -e\n${script.replaceAll(receiverUrl, receiver)}`;
}

function blocks(language: string): string[] {
  return [...session.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );
}

function withoutTraceId(answer: string): string {
  return answer.replace(/"trace_id":"\w+"/, '"trace_id":"…"').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '…');
}

/** How many requests it took, and how long, is not promised. */
function isComparable(line: string): boolean {
  return line !== '' && line !== '…' && !line.startsWith('81 requirements');
}

async function run(script: string, cwd: string) {
  const environment = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...Object.fromEntries(environment), PATH: path };
  return promisify(execFile)('bash', ['-c', script], { cwd, env, maxBuffer: 1e7 });
}
