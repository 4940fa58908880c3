// docs/receivers.md: its session is run, and its program is called.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { receiverFlags } from './options/receiver-command-options.ts';
import { openCommand, openMock } from './testing.ts';

const page = readFileSync(new URL('../docs/receivers.md', import.meta.url), 'utf8');
const { start, remove } = openCommand();
afterAll(remove);

test('the session shows what it tells', async () => {
  await using mock = await openMock();
  const [, receiver = '', session = '', byHand = ''] = blocks('sh');
  const [, secret = ''] = /SITEPUB_WEBHOOK_SECRET=(\S+)/.exec(receiver) ?? [];
  const [, respond = ''] = /--respond (\S+)/.exec(receiver) ?? [];
  const args = ['receiver', '--respond', respond, '--listen', '127.0.0.1:0'];
  const child = start(args, { SITEPUB_WEBHOOK_SECRET: secret });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const printed = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(printed, 'line');
  const script = `set -e\n${session}${byHand}`
    .replaceAll('http://127.0.0.1:4010', new URL(mock.baseUrl).origin)
    .replaceAll('http://127.0.0.1:4020', new URL(String(lines[0])).origin);
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  expect(stdout).toMatch(/{"received":true}$/);
  await expect.poll(() => lines.filter((line) => line.startsWith('  answered'))).toHaveLength(3);
  child.kill('SIGINT');
  await once(child, 'exit');
  const told = blocks('text')
    .join('')
    .split('\n')
    .filter((line) => line !== '' && line !== '…');
  const happened = lines.filter((line) => /^\d{4}-|^ {2}answered/.test(line));
  expect(happened.slice(0, 4).map(withoutTime)).toEqual(told.map(withoutTime));
  expect(withoutTime(String(happened[4]))).toBe('POST /  content.publish  attempt 1  verified');
});

test('the program verifies what it is given', async () => {
  const [source = ''] = blocks('ts');
  const body = JSON.stringify({
    event: 'publish.complete',
    timestamp: '2026-01-02T03:04:05Z',
    site_id: 1,
    site_name: 'Café',
    data: { message: '', pages: 12, version: 1 },
  });
  const signature = `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`;
  const call = (headers: object) =>
    `console.log(await receive(new TextEncoder().encode(${JSON.stringify(body)}), ${JSON.stringify(headers)}));`;
  const program = `${source}\n${call({ 'x-webhook-signature': signature })}\n${call({})}`;
  const hook = fileURLToPath(new URL('../examples/use-checkout.ts', import.meta.url));
  const args = ['--import', hook, '--input-type=module-typescript', '--eval', program];
  const env = { ...process.env, WEBHOOK_SECRET: 's' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toBe(
    '12 pages\n200\nmissing-header: the push has no X-Webhook-Signature header, so it is not signed\n401\n',
  );
});

test('every flag stands in it, and every file that it names is there', () => {
  for (const flag of Object.keys(receiverFlags).filter((name) => name !== 'help'))
    expect(page).toMatch(new RegExp(`\\| \`--${flag}[ \`]`));
  const links = [...page.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, link = '']) => link);
  const missing = links.filter((link) => !existsSync(new URL(link, new URL('../docs/', import.meta.url))));
  expect(missing).toEqual([]);
});

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
}

function withoutTime(line: string): string {
  return line.replace(/^\S+Z {2}/, '');
}
