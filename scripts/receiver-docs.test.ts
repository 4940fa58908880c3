// @module-tag ci
// docs/receivers.md: its session is run, and its program is called.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listenFlags } from './options/webhook-flags.ts';
import { openCommand, openMock } from './testing.ts';

const page = readFileSync(new URL('../docs/receivers.md', import.meta.url), 'utf8');
const { start, remove } = openCommand();
afterAll(remove);

test('the session shows what it tells', async () => {
  await using mock = await openMock();
  const [, receiver = '', session = '', byHand = ''] = blocks('sh');
  const [, secret = ''] = /SITEPUB_WEBHOOK_SECRET=(\S+)/.exec(receiver) ?? [];
  const [, respond = ''] = /--respond (\S+)/.exec(receiver) ?? [];
  const args = ['listen', '--respond', respond, '--listen', '127.0.0.1:0'];
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
  const call = (headers: object) =>
    `console.log(await receive(new TextEncoder().encode(${JSON.stringify(body)}), ${JSON.stringify(headers)}));`;
  const { stdout } = await run(source, `${call({ 'x-webhook-signature': signature })}\n${call({})}`);
  expect(stdout).toBe(
    '12 pages\n200\nmissing-header: the push has no X-Webhook-Signature header, so it is not signed\n401\n',
  );
});

const body = JSON.stringify({
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05Z',
  site_id: 1,
  site_name: 'Café',
  data: { message: '', pages: 12, version: 1 },
});
const signature = `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`;

test.for<[string, object]>([
  ['a function URL', { headers: { 'x-webhook-signature': signature } }],
  ['API Gateway', { headers: {}, multiValueHeaders: { 'X-Webhook-Signature': [signature] } }],
  ['a load balancer', { multiValueHeaders: { 'x-webhook-signature': [signature], host: ['h'] } }],
  ['HTTP API', { headers: { 'X-WEBHOOK-SIGNATURE': signature }, multiValueHeaders: null }],
])('the recipe for Lambda verifies what %s hands over, as text and in Base64', async ([, event]) => {
  const base64 = Buffer.from(body).toString('base64');
  const events = [
    { ...event, body, isBase64Encoded: false },
    { ...event, body: base64, isBase64Encoded: true },
    { ...event, body: base64, isBase64Encoded: false },
    { ...event, body: null, isBase64Encoded: false },
    { body, isBase64Encoded: false, headers: null },
  ];
  const { stdout } = await run(
    recipe('lambda.ts'),
    `for (const event of ${JSON.stringify(events)}) console.log((await handler(event)).statusCode);`,
  );
  expect(stdout).toBe(`${'Café publish.complete\n200\n'.repeat(2)}${'401\n'.repeat(3)}`);
});

/** What the frameworks do before their handlers are called; `handle` is what the recipe has made. */
const frameworks = [
  {
    file: 'main.js',
    stub: `const { default: express } = await import('express');
      const keep = (request, _, bytes) => { request.rawBody = bytes; };
      const AppModule = {};
      const NestFactory = { create: async (_, { rawBody }) => {
        const app = express();
        return { use: (...words) => app.use(...words), listen: () => {
          app.use(express.json(rawBody ? { verify: keep } : {}));
          globalThis.handle = app;
        } };
      } };`,
    after: '',
  },
  {
    file: 'index.js',
    stub: `const { default: express } = await import('express');
      const keep = (request, _, bytes) => { request.rawBody = bytes; };
      const onRequest = (_, handle) => express().use(express.json({ verify: keep }), (request, response) => handle(request, response));`,
    after: 'const handle = webhooks;',
  },
  {
    file: 'webhooks.ts',
    stub: `const { default: express } = await import('express');`,
    after: `const handle = express();
      if (config.api.bodyParser) handle.use(express.json());
      handle.use((request, response) => handler(request, response));`,
  },
];

test.for(frameworks)(
  'the recipe $file verifies what its framework hands over',
  async ({ file, stub, after }) => {
    const source = recipe(file)
      .replace(/^import .* from '(?!sitepub\/)[^']*';$/gm, '')
      .replace("const { options } = await import('./handle-push.js');", '')
      .replace('export default ', 'const handler = ');
    const push = recipe('handle-push.ts').replace('export const options', 'const options');
    const caller = `${after}
    const { createServer } = await import('node:http');
    const server = createServer(globalThis.handle ?? handle).listen(0, '127.0.0.1', async () => {
      for (const headers of [{ 'x-webhook-signature': ${JSON.stringify(signature)} }, {}]) {
        const url = 'http://127.0.0.1:' + server.address().port + '/webhooks';
        const answer = await fetch(url, { method: 'POST', body: ${JSON.stringify(body)}, headers: { ...headers, 'content-type': 'application/json' } });
        console.log(answer.status);
      }
      server.close();
    });`;
    const { stdout } = await run(`${push}\n${stub}\n${source}`, caller);
    expect(stdout).toMatch(/^[\da-f]{64} Café publish\.complete\n200\n401\n$/);
  },
);

/** The block of the page that names this file in its first line. */
function recipe(file: string): string {
  return [...blocks('ts'), ...blocks('js')].find((block) => block.startsWith(`// ${file}\n`)) ?? '';
}

function run(source: string, caller: string) {
  const hook = fileURLToPath(new URL('../examples/use-checkout.ts', import.meta.url));
  const args = ['--import', hook, '--input-type=module-typescript', '--eval', `${source}\n${caller}`];
  return promisify(execFile)(process.execPath, args, { env: { ...process.env, WEBHOOK_SECRET: 's' } });
}

test('every flag stands in it, and every file that it names is there', () => {
  for (const flag of Object.keys(listenFlags).filter((name) => name !== 'help'))
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
