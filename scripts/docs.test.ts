// README, docs/ and CONTRIBUTING: what they name is there, and what they tell people to run does what they show.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, matchesGlob, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { listenFlags } from '../cli/options/webhook-flags.ts';
import { credentialsOf, openCommand, openMock } from '../cli/testing.ts';
import { remarkTitles } from '../contract-tests/deployment/remarks.ts';
import { metricNames } from '../mock/metrics/metrics.ts';
import { readRequirements } from '../openapi/registers.ts';
import packageJson from '../package.json' with { type: 'json' };
import { typeScriptBlocks } from './testing/type-check-blocks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'cli/sitepub.mjs');
const checkout = join(root, 'examples/use-checkout.ts');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manual = [
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];
const pages = [...manual, 'action.yml', ...globSync(['examples/**/*.*', '.github/**/*.*'], { cwd: root })];
const sources = globSync('{cli,scripts,client,webhooks,mock,contract-tests}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: ['**/*.test.ts'],
});

test('links to headings lead to a heading', () => {
  const broken = manual.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
      .filter(([, target = '', anchor = '']) => {
        const linked = target === '' ? page : join(dirname(page), target);
        return !anchorsOf(read(linked)).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file and folder that CONTRIBUTING.md names is there', () => {
  const page = read('CONTRIBUTING.md');
  const named = [...page.matchAll(/`([\w./*-]+(?:\.ts|\.yaml|\/))`/g)].map(([, path = '']) => path);
  const there = globSync(['*', '*/*', '{mock,contract-tests,cli,scripts}/**'], { cwd: root });
  const isThere = (path: string) => {
    const pattern = path.replace(/\/$/, '');
    const patterns = [pattern, `openapi/${pattern}`, `{mock,contract-tests,cli,scripts}/**/${pattern}`];
    return (
      existsSync(resolve(root, path)) || there.some((one) => patterns.some((each) => matchesGlob(one, each)))
    );
  };
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('docs/verdicts.md explains every remark, and readings name no other', () => {
  const explained = [...read('docs/verdicts.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
  expect(explained).toEqual(Object.keys(remarkTitles));
  const named = readRequirements().flatMap(({ reading }) =>
    [...reading.matchAll(/\((?:remark )?([a-z]+(?:-[a-z]+)*)\)/g)].map(([, id]) => id),
  );
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(named.filter((id) => !explained.includes(id))).toEqual([]);
});

test('docs/shared-mock.md explains each metric', () => {
  const named = read('docs/shared-mock.md').match(/(?<=`)sitepub_\w+(?=[`{])/g) ?? [];
  const places = ['sitepub_entry', 'sitepub_deliveries', 'sitepub_sessions'];
  const isMetric = (name: string) => !places.includes(name);
  expect([...new Set(named.filter(isMetric))].sort()).toEqual([...metricNames].sort());
});

test('README.zh-CN.md has the code blocks of README.md, and leads to the same pages', () => {
  const [english, chinese] = [read('README.md'), read('README.zh-CN.md')];
  const blocks = (text: string) => [...text.matchAll(/^```[^\n]*\n.*?^```/gms)].map(([block]) => block);
  expect(blocks(english).length).toBeGreaterThan(8);
  expect(blocks(chinese)).toEqual(blocks(english));
  const headings = (text: string) => text.match(/^## /gm)?.length;
  // One section more: what those want to know who use WeCom, DingTalk and Feishu.
  expect(headings(chinese)).toBe(Number(headings(english)) + 1);
  const targets = (text: string) =>
    new Set([...text.matchAll(/\]\((?!README)([^)#]+)/g)].map(([, to]) => to));
  expect([...targets(chinese)].sort()).toEqual([...targets(english)].sort());
});

/** A name that npm would ask a registry for, where nobody has published it. */
const registryName =
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|exec)\b[^`\n]*?\ssitepub(?![-\w./])|\bsitepub@\d|--package=sitepub(?![-\w./])/;

test('nothing tells people to fetch sitepub by a name that nobody has published', () => {
  expect([...pages, ...sources].filter((file) => registryName.test(read(file)))).toEqual([]);
});

test.for([
  ['npm install --save-dev sitepub', true],
  ['npm i -D sitepub vitest', true],
  ['npx --yes sitepub@0.1.0 test', true],
  ['npx --package=sitepub --package=typescript@5 sitepub types', true],
  ['npm install ../sitepub/sitepub-0.2.0.tgz', false],
  ["npm install 'git+https://host/sitepub.git#v0.2.0'", false],
  ['npx --package=./sitepub-0.2.0.tgz sitepub types', false],
  ['uses: your-organisation/sitepub@v0.2.0', false],
] as const)('%s asks a registry for that name: %s', ([text, want]) => {
  expect(registryName.test(text)).toBe(want);
});

test('tarballs and tags that the manual names are those of this version', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/sitepub-(\d[\w.]*?)\.tgz|sitepub(?:\.git#|@)v(\d[\w.]*)/g)].map(
      ([, tarball, tag]) => `${page}: ${tarball ?? tag}`,
    ),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((one) => !one.endsWith(`: ${packageJson.version}`))).toEqual([]);
});

test('a block of TypeScript is found whatever its language is called', () => {
  const page = '```ts\na\n```\n\n1. x\n   ```typescript title="b"\n   b\n   ```\n';
  expect(typeScriptBlocks(page)).toEqual(['a\n', '   b\n']);
  expect(typeScriptBlocks(read('README.md'))).toHaveLength(1);
});

test('docs/receivers.md has every flag of `sitepub listen`', () => {
  const flags = Object.keys(listenFlags).filter((name) => name !== 'help');
  const page = read('docs/receivers.md');
  expect(flags.filter((flag) => !new RegExp(`\\| \`--${flag}[ \`]`).test(page))).toEqual([]);
});

/** Blocks of `bash` are for machines with more on them than this one. */
describe('what people are told to run', { tags: ['ci'] }, () => {
  const { start, remove } = openCommand();
  afterAll(remove);

  test.concurrent.for<[page: string, also: string[]]>([
    ['README.md', ['POST /  publish.complete  attempt 1  verified']],
    ['docs/receivers.md', ['POST /  content.publish  attempt 1  verified', '{"received":true}']],
    ['docs/front-end.md', []],
    ['docs/config.md', []],
    ['docs/ci.md', []],
    ['docs/promises-and-gaps.md', []],
    ['docs/profiles.md', []],
  ])('the commands of %s print what it shows', async ([page, also], { expect }) => {
    const [, text = read(page)] = /\n## Everyday use\n(.*?)\n## /s.exec(read(page)) ?? [];
    await using place = await openPlace(page);
    await using receiver = await startReceiver(text);
    const isServer = (block: string) => /npx sitepub (listen|mock(?= *(#|-|$)))/m.test(block);
    const script = blocksOf(text, 'sh').filter((block) => !isServer(block));
    const stdout = await place.run('bash', [
      '-ec',
      script
        .join('\n')
        .replaceAll('npx sitepub', `'${process.execPath}' '${command}'`)
        .replaceAll('http://127.0.0.1:4010', place.origin)
        .replaceAll('http://127.0.0.1:4020', receiver.origin),
    ]);
    const shown = [...blocksOf(text, 'json'), ...blocksOf(text, 'text'), ...also];
    const lines = shown.flatMap((block) => block.trimEnd().split('\n')).map(withoutVariables);
    const missing = () => {
      const printed = withoutVariables(`${stdout}\n${receiver.printed()}`);
      const asTold = printed.replaceAll(receiver.origin, 'http://127.0.0.1:4020');
      return lines.filter((line) => !asTold.includes(line));
    };
    await expect.poll(missing).toEqual([]);
  });

  test.concurrent.for(['README.md', 'docs/client.md'])(
    'the program of %s prints what it shows',
    async (page, { expect }) => {
      const [, source = '', told = ''] = /```ts\n(.*?)```\s+```text\n(.*?)```/s.exec(read(page)) ?? [];
      await using place = await openPlace(page);
      writeFileSync(join(place.folder, 'program.ts'), source);
      expect(await place.run(process.execPath, ['--import', checkout, 'program.ts'])).toBe(told);
    },
  );

  /** The receiver that a page tells to start, if any. */
  async function startReceiver(page: string) {
    const told = /SITEPUB_WEBHOOK_SECRET=(\S+)\s+npx sitepub listen( --respond \S+)?/.exec(page);
    const none = {
      origin: 'http://127.0.0.1:4020',
      printed: () => '',
      [Symbol.asyncDispose]: async () => {},
    };
    if (!told) return none;
    const [, secret = '', flags = ''] = told;
    const args = ['listen', '--listen', '127.0.0.1:0', ...flags.split(' ').filter(Boolean)];
    const child = start(args, { SITEPUB_WEBHOOK_SECRET: secret });
    const ended = once(child, 'exit');
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await once(child.stdout, 'data');
    return {
      origin: new URL(printed.split('\n')[0] ?? '').origin,
      printed: () => printed,
      async [Symbol.asyncDispose]() {
        child.kill();
        await ended;
      },
    };
  }
});

/** An empty folder with a mock beside it. README gives the credentials by itself. */
async function openPlace(page: string) {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-docs-'));
  const mock = await openMock();
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const access = page === 'README.md' ? {} : { SITEPUB_BASE_URL: mock.baseUrl, ...credentialsOf(mock) };
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...Object.fromEntries(own), ...access, PATH, TMPDIR: folder, NO_COLOR: '1' };
  return {
    folder,
    origin: new URL(mock.baseUrl).origin,
    run: async (program: string, args: string[]) =>
      (await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 1e7 })).stdout,
    async [Symbol.asyncDispose]() {
      await mock.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );
}

/** How many requests a run takes, and how long, is not promised. */
function withoutVariables(text: string): string {
  return text
    .replaceAll(/"trace_id":"\w+"/g, '"trace_id":"…"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/\(\d+ requests in [\d.]+ s\)/g, '(…)');
}

describe('the programs of docs/receivers.md', { tags: ['ci'] }, () => {
  const receivers = read('docs/receivers.md');

  test('the program verifies what it is given', async () => {
    const [source = ''] = blocksOf(receivers, 'ts');
    const call = (headers: object) =>
      `console.log(await receive(new TextEncoder().encode(${JSON.stringify(body)}), ${JSON.stringify(headers)}));`;
    const { stdout } = await runProgram(source, `${call({ 'x-webhook-signature': signature })}\n${call({})}`);
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
    const { stdout } = await runProgram(
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
      const { stdout } = await runProgram(`${push}\n${stub}\n${source}`, caller);
      expect(stdout).toMatch(/^[\da-f]{64} Café publish\.complete\n200\n401\n$/);
    },
  );

  /** The block of the page that names this file in its first line. */
  function recipe(file: string): string {
    const programs = [...blocksOf(receivers, 'ts'), ...blocksOf(receivers, 'js')];
    return programs.find((block) => block.startsWith(`// ${file}\n`)) ?? '';
  }

  function runProgram(source: string, caller: string) {
    const args = ['--import', checkout, '--input-type=module-typescript', '--eval', `${source}\n${caller}`];
    return promisify(execFile)(process.execPath, args, { env: { ...process.env, WEBHOOK_SECRET: 's' } });
  }
});
