import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteOptions } from '../core/suite-options.ts';
import { runInThread } from './run-in-thread.ts';
import type { Watcher } from './run-suite.ts';

const options = { baseUrl: 'http://localhost/api/v1', account: { username: 'mei', password: 'pass word' } };

const told = `
  import { parentPort } from 'node:worker_threads';
  const post = (message) => parentPort.postMessage(message);
  post({ selected: 7 });
  post({ result: { requirement: 'ENV-1', result: { id: 'env-1', outcome: 'passed' } } });
`;
const result = { requirement: 'ENV-1', result: { id: 'env-1', outcome: 'passed' } };

test('passes on the messages and the result of the thread', async () => {
  const seen: unknown[] = [];
  const run = await runScript(
    `post({ begun: true }); post({ waiting: { until: 7, what: 'a push' } }); post({ end: { results: [], requests: 3 } }); setInterval(() => {}, 1000);`,
    {
      onSelected: (count) => seen.push(count),
      onBegun: () => seen.push('begun'),
      onResult: (entry) => seen.push(entry),
      onWait: (...wait) => seen.push(wait),
    },
  );
  expect(run).toEqual({ results: [], requests: 3 });
  expect(seen).toEqual([7, result, 'begun', [7, 'a push']]);
});

test.for([
  ['throws', 'throw new Error("lost: pass word")', 'lost: {SITEPUB_PASSWORD}'],
  ['exits', 'process.exit(1)', 'the thread returned no results'],
  ['reports a problem', 'post({ problem: "broken" }); post({ end: undefined })', 'broken'],
] as const)('reports the results so far of a thread that %s', async ([, code, why]) => {
  const reason = `error in the suite: the run did not finish: ${why}`;
  expect(await runScript(code)).toMatchObject({
    results: [result],
    abort: { kind: 'suite-error', reason },
  });
});

test('reports the results so far of a thread that runs out of memory', () => {
  const module = new URL('./run-in-thread.ts', import.meta.url).href;
  const program = `
    const { runInThread } = await import(${JSON.stringify(module)});
    const { results, abort } = await runInThread(${JSON.stringify(options)}, {}, new URL(${JSON.stringify(
      scriptOf('const all = []; for (;;) all.push({ all });').href,
    )}));
    console.log(JSON.stringify({ results, abort }));
  `;
  const args = ['--max-old-space-size=50', '--input-type=module', '--eval', program];
  const printed = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(JSON.parse(printed)).toEqual({
    results: [result],
    abort: { kind: 'suite-error', reason: expect.stringContaining('reaching memory limit') },
  });
});

test('gives up on a blocked thread after an interruption, and reads leftovers from the journal', async () => {
  const journal = join(mkdtempSync(join(tmpdir(), 'sitepub-thread-')), 'run.jsonl');
  const lines = [
    { sitepub_journal: 1, run: 'abcdef01', base_url: options.baseUrl, profile: { name: 'none', stated: {} } },
    { entry: 1, what: 'subscription', site: 101, target: 'http://127.0.0.1:9/1', tenant: 'main' },
    { entry: 1, created: 55 },
  ];
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const interruption = new AbortController();
  const run = await runScript(
    'for (;;);',
    { signal: interruption.signal, onResult: () => interruption.abort() },
    { journal, recordsExchanges: true },
  );
  expect(run).toMatchObject({
    results: [result],
    abort: { kind: 'interrupted' },
    leftovers: [{ what: 'subscription', id: 55, site: 101 }],
    har: { log: { version: '1.2', entries: [] } },
  });
});

test('an interruption reaches a thread that is still loading', async () => {
  const code = `await new Promise((resolve) => setTimeout(resolve, 50)); parentPort.once('message', () => post({ end: { results: [], requests: 0 } }))`;
  expect(await runScript(code, { signal: AbortSignal.abort() })).toEqual({ results: [], requests: 0 });
});

function runScript(code: string, watcher: Watcher = {}, more: Partial<SuiteOptions> = {}) {
  return runInThread({ ...options, ...more } as SuiteOptions, watcher, scriptOf(code));
}

function scriptOf(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(told + code)}`);
}
