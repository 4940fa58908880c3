// README, docs/ and CONTRIBUTING: their links work, and their programs and commands print the shown output.
import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../cli/options/config.ts';
import { credentialsOf, openCommand, openMock } from '../cli/testing.ts';
import { checks } from '../contract-tests/checks/index.ts';
import { remarkTitles } from '../contract-tests/deployment/remarks.ts';
import { parseExpectedFailures } from '../contract-tests/reports/expected-failures.ts';
import { cellsOf, firstColumns } from '../contract-tests/reports/say-quote.ts';
import { metricNames } from '../mock/metrics/metrics.ts';
import { checkWorldSeed } from '../mock/world-file/validate-seed.ts';
import { parseProfile } from '../openapi/profile.ts';
import { gaps, readRequirements } from '../openapi/registers.ts';
import packageJson from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'cli/sitepub.mjs');
const checkout = join(root, 'examples/use-checkout.ts');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manual = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).sort();
const pages = [...manual, 'action.yml', ...globSync(['examples/**/*.*', '.github/**/*.*'], { cwd: root })];
const sources = globSync('{cli,scripts,client,webhooks,mock,contract-tests}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: ['**/*.test.ts'],
});

test.for(manual)('the links of %s lead to files and headings', (page) => {
  const text = read(page).replaceAll(/^```.*?^```|`[^`\n]*`/gms, '');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)];
  const broken = links.filter(([, target = '', anchor = '']) => {
    const linked = target === '' ? page : join(dirname(page), decodeURI(target));
    if (!existsSync(join(root, linked))) return true;
    return anchor !== '' && !anchorsOf(read(linked)).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
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

test('the interface document contains each sentence that requirements and gaps quote', () => {
  const document = read('docs/reference/interface-document.md');
  const quotes = [...readRequirements(), ...gaps].flatMap(({ id, quote = '' }) =>
    quote.split(' … ').map((part) => ({ id, part })),
  );
  expect(quotes.length).toBeGreaterThan(150);
  expect(quotes.filter(({ part }) => !document.includes(part))).toEqual([]);
});

test('each quoted table row follows the header of its table', () => {
  const document = read('docs/reference/interface-document.md');
  const headers = [...document.matchAll(/^(\|.*\|)\n\|---/gm)].map(([, header = '']) => header);
  expect([...new Set(headers.map((header) => cellsOf(header)[0]))].sort()).toEqual(firstColumns);
  const orphans = readRequirements().flatMap(({ id, quote }) => {
    const parts = quote.split(' … ');
    const isRow = (part: string) => cellsOf(part).length > 1 && !headers.includes(part);
    return parts
      .filter(isRow)
      .filter((part) => {
        const header = parts.slice(0, parts.indexOf(part)).findLast((one) => headers.includes(one));
        const table = header === undefined ? '' : (document.split(`${header}\n`)[1]?.split('\n\n')[0] ?? '');
        return !table.includes(part);
      })
      .map((part) => ({ id, part }));
  });
  expect(orphans).toEqual([]);
});

test('docs/reference/report.md explains each remark, and readings name no other', () => {
  const [, remarks = ''] = /^## Remarks\n(.*?)^## /ms.exec(read('docs/reference/report.md')) ?? [];
  const explained = [...remarks.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
  expect(explained).toEqual(Object.keys(remarkTitles));
  const named = readRequirements().flatMap(({ reading }) =>
    [...reading.matchAll(/\((?:remark )?([a-z]+(?:-[a-z]+)*)\)/g)].map(([, id]) => id),
  );
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(named.filter((id) => !explained.includes(id))).toEqual([]);
});

test('docs/guides/shared-mock.md explains each metric', () => {
  const named = [...read('docs/guides/shared-mock.md').matchAll(/^\| `(sitepub_\w+)/gm)].map(([, id]) => id);
  expect(named.sort()).toEqual([...metricNames].sort());
});

test('every file and folder that CONTRIBUTING.md names is there', () => {
  const page = read('CONTRIBUTING.md');
  const named = [...page.matchAll(/`([\w./*-]+(?:\.ts|\.yaml|\/))`/g)].map(([, path = '']) => path);
  const there = globSync(['*', '*/*', '{mock,contract-tests,cli,scripts,openapi}/**'], { cwd: root });
  const isThere = (path: string) => {
    const name = path.replace(/\/$/, '');
    const patterns = [name, `openapi/${name}`, `{mock,contract-tests,cli,scripts}/**/${name}`];
    return there.some((one) => patterns.some((each) => matchesGlob(one, each)));
  };
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('README.zh-CN.md has the code blocks of README.md, and leads to the same pages', () => {
  const [english, chinese] = [read('README.md'), read('README.zh-CN.md')];
  const blocks = (text: string) => [...text.matchAll(/^```[^\n]*\n.*?^```/gms)].map(([block]) => block);
  expect(blocks(english).length).toBeGreaterThan(8);
  expect(blocks(chinese)).toEqual(blocks(english));
  const headings = (text: string) => text.match(/^## /gm)?.length;
  // An additional section for users of WeCom, DingTalk and Feishu.
  expect(headings(chinese)).toBe(Number(headings(english)) + 1);
  const targets = (text: string) =>
    new Set([...text.matchAll(/\]\((?!README)([^)#]+)/g)].map(([, to]) => to));
  expect([...targets(chinese)].sort()).toEqual([...targets(english)].sort());
});

/** A name that npm would look up in a registry, although it is not published. */
const registryName =
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|exec)\b[^`\n]*?\ssitepub(?![-\w./])|\bsitepub@\d|--package=sitepub(?![-\w./])/;

test('no page tells users to install sitepub by an unpublished name', () => {
  const asks = (text: string) => registryName.test(text);
  const commands = ['npm i -D sitepub vitest', 'npx sitepub@0.1.0 test', 'npm i ../sitepub/a.tgz'];
  expect(commands.map(asks)).toEqual([true, true, false]);
  expect([...pages, ...sources].filter((file) => registryName.test(read(file)))).toEqual([]);
});

test('tarballs and tags that the manual names belong to this version', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/sitepub-(\d[\w.]*?)\.tgz|sitepub(?:\.git#|@)v(\d[\w.]*)/g)].map(
      ([, tarball, tag]) => `${page}: ${tarball ?? tag}`,
    ),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((one) => !one.endsWith(`: ${packageJson.version}`))).toEqual([]);
});

test('every block of JSON is JSON, as a whole or line by line', () => {
  const parsed = blocksIn('json').map(({ text }) => {
    const isWhole = /^[[{]$/.test(text.split('\n')[0] ?? '');
    return (isWhole ? [text] : text.trimEnd().split('\n')).map((one) => JSON.parse(one));
  });
  expect(parsed.length).toBeGreaterThan(5);
});

/** What reads a block of YAML, by one of its members. */
const readers = new Map<string, (text: string) => unknown>([
  ['deployments', (text) => parseConfig(text, 'block')],
  ['tenants', (text) => checkWorldSeed(parse(text), 'block')],
  ...gaps.map(({ id }) => [id, (text: string) => parseProfile(text, 'block')] as const),
  ...readRequirements().map(
    ({ id }) => [id, (text: string) => parseExpectedFailures(text, 'block', checks)] as const,
  ),
]);

test('every block of YAML is YAML that its reader accepts', () => {
  const accepted = blocksIn('yaml').flatMap(({ page, text }) => {
    if (page === 'docs/reference/control-api.md') return [];
    const member = Object.keys(parse(text) ?? {}).find((name) => readers.has(name)) ?? '';
    return readers.get(member)?.(text) ?? [];
  });
  expect(accepted.length).toBeGreaterThan(4);
});

test('every block for a shell is valid Bash', () => {
  const wrong = [...blocksIn('sh'), ...blocksIn('bash')].filter(
    ({ text }) => spawnSync('bash', ['-n'], { input: text }).status !== 0,
  );
  expect(wrong).toEqual([]);
});

function blocksIn(language: string) {
  return manual.flatMap((page) => blocksOf(read(page), language).map((text) => ({ page, text })));
}

/** Blocks of `sh` run here. Those of `bash` need more than this machine has. */
describe('commands in the documentation', { tags: ['ci'] }, () => {
  const { start, settings, folder } = openCommand();
  const program = /```ts\n([^`]*(?:`(?!``)[^`]*)*)```\s+```text\n(.*?)```/s;
  const english = manual.filter((page) => /^(README|docs\/(\w+\/)?[\w-]+)\.md$/.test(page));
  const pathsFirst = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

  const withCommands = english.filter((page) => /^```sh$/m.test(read(page)));
  test.concurrent.for(withCommands)('the commands of %s print what it shows', async (page, { expect }) => {
    const text = read(page).replace(program, '');
    await using mock = await openMock();
    await using receiver = await startReceiver(text);
    const { origin } = new URL(mock.baseUrl);
    // As if a minute passed between two blocks: a tenant has ten logins a minute, and runs of the suite count them.
    const later = `export TMPDIR=$(mktemp -d); curl -sS -X DELETE ${origin}/_mock/limits -o /dev/null\n`;
    const script = blocksOf(text, 'sh')
      .join(later)
      .replaceAll('npx sitepub', `'${process.execPath}' '${command}'`)
      .replaceAll('http://127.0.0.1:4010', origin)
      .replaceAll('http://127.0.0.1:4020', receiver.origin);
    const stdout = await run('bash', ['-ec', script]);
    const shown = [...blocksOf(text, 'json'), ...blocksOf(text, 'text')];
    const lines = shown.flatMap((block) => block.trimEnd().split('\n')).map(withoutVariables);
    const missing = () => {
      const printed = withoutVariables(`${stdout}\n${receiver.printed()}`)
        .replaceAll(receiver.origin, 'http://127.0.0.1:4020')
        .replaceAll(origin, 'http://127.0.0.1:4010');
      return lines.filter((line) => !printed.includes(line));
    };
    await expect.poll(missing).toEqual([]);
  });

  const withPrograms = english.filter((page) => program.test(read(page)));
  test.concurrent.for(withPrograms)('the program of %s prints what it shows', async (page, { expect }) => {
    const [, source = '', told = ''] = program.exec(read(page)) ?? [];
    await using mock = await openMock();
    const access = { SITEPUB_BASE_URL: mock.baseUrl, ...credentialsOf(mock) };
    const args = ['--import', checkout, '--input-type=module-typescript', '--eval', source];
    expect(await run(process.execPath, args, access)).toBe(told);
  });

  async function run(file: string, args: string[], environment: Record<string, string> = {}) {
    const cwd = mkdtempSync(join(folder, 'page-'));
    const env = settings({ ...pathsFirst, ...environment });
    return (await promisify(execFile)(file, args, { cwd, env, maxBuffer: 1e7 })).stdout;
  }

  /** `sitepub listen` on a free port, with the secret and the answers that the page gives it. */
  async function startReceiver(page: string) {
    const told = /SITEPUB_WEBHOOK_SECRET=(\S+)\s+npx sitepub listen( --respond \S+)?/.exec(page);
    const [, secret = 'none', flags = ''] = told ?? [];
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

function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
}

/** Times and the number of requests differ between runs. */
function withoutVariables(text: string): string {
  return text
    .replaceAll(/"trace_id":"\w+"/g, '"trace_id":"…"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/\(\d+ requests in [\d.]+ s\)/g, '(…)');
}

describe('the programs of docs/guides/receivers.md', { tags: ['ci'] }, () => {
  const receivers = read('docs/guides/receivers.md');

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

  /** In place of the frameworks. `keep` is how Nest and Firebase pass on the raw body. */
  const common = `const { default: express } = await import('express');
    const keep = (request, _, bytes) => { request.rawBody = bytes; };`;
  /** What a framework does before it calls a handler; `handle` is what the recipe has made. */
  const frameworks = [
    {
      file: 'main.js',
      stub: `const AppModule = {};
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
      stub: `const onRequest = (_, handle) => express().use(express.json({ verify: keep }), (request, response) => handle(request, response));`,
      after: 'const handle = webhooks;',
    },
    {
      file: 'webhooks.ts',
      stub: '',
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
      const { stdout } = await runProgram(`${push}\n${common}\n${stub}\n${source}`, caller);
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
