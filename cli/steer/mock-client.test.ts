import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFlood, listenTo } from '../../contract-tests/testing.ts';
import { openReceiver } from '../../mock/testing/open-mock.ts';
import { readFlags } from '../options/flags.ts';
import { controlFlags } from '../options/mock-flags.ts';
import { openCommand } from '../testing.ts';
import { readPages } from './control-calls.ts';
import { findMock } from './mock-client.ts';
import { lastMock, recordMock } from './running-mocks.ts';

async function serve(listener: RequestListener, changed: { question?: number } = {}) {
  const { origin, close } = await listenTo(createServer(listener));
  onTestFinished(close);
  const limits = { question: 200, change: 400, answer: 3_145_728, event: 3_145_728, ...changed };
  return findMock(readFlags([`--control-url=${origin}/_mock`], controlFlags, {}), limits);
}

test.for<[string, RequestListener]>([
  ['no answer', () => {}],
  ['a part of an answer', (_request, response) => response.write('{"on": [')],
])('gives up on a mock that sends %s', { timeout: 5_000 }, async ([, listener]) => {
  const mock = await serve(listener);
  await expect(mock.GET('/faults')).rejects.toThrow(
    `the mock at ${mock.url} gave no complete answer to GET /faults within 0.2 s; check whether it still works`,
  );
  await expect(mock.POST('/drain')).rejects.toThrow('to POST /drain within 0.4 s');
});

test.for([
  ['an answer', '{"on": [', 200],
  ['an error', '{"error": "', 500],
  ['an event of its stream', 'event: request\ndata: ', 200],
] as const)('gives up on %s without end', async ([what, beginning, status]) => {
  const flood = createFlood();
  const listener: RequestListener = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).write(beginning);
    flood.fill(response);
  };
  const mock = await serve(listener, { question: 20_000 });
  const read = async () => {
    if (!what.startsWith('an event')) return mock.GET('/faults');
    for await (const event of await mock.listen(new AbortController().signal)) expect(event).toBeUndefined();
  };
  await expect(read()).rejects.toThrow(
    `the mock at ${mock.url} answers with more than 3 MB; check --control-url`,
  );
  expect(flood.megabytes()).toBeLessThan(64);
});

test('gives up on a list without end', async () => {
  const listener: RequestListener = (_request, response) => response.end('{"requests": [1], "next": 1}');
  // A busy machine may need more than 0.2 s for one of a hundred pages.
  const mock = await serve(listener, { question: 10_000 });
  const listed = readPages(mock, 'requests', (query) => mock.GET('/requests', { query }));
  await expect(listed).rejects.toThrow('lists more than 100 pages of requests');
});

test('sends every digit of event data', async () => {
  const { url, received } = await openReceiver(() => ({ status: 200, body: '{"deliveries": []}' }));
  const words = ['mock', 'trigger', 'form.submit', '--data', '{"order": 1892345678901234567}'];
  await openCommand().runHere(words, { SITEPUB_CONTROL_URL: `${url}/_mock` });
  const body = '{"event":"form.submit","data":{"order":1892345678901234567}}';
  expect(received).toMatchObject([{ body }]);
});

let temporary = '';
const outer = () => join(temporary, `sitepub-${userInfo().username}`);
const folder = () => join(outer(), 'mocks');

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'sitepub-mocks-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => void vi.unstubAllEnvs());

const alive = { pid: process.pid, control_url: 'http://127.0.0.1:1/_mock', started_at: 1 };

function writeRecord(name: string, record: object = alive): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder(), `${name}.json`), JSON.stringify(record));
}

test('finds a recorded mock, and only this user can read the record', () => {
  expect(lastMock()).toBeUndefined();
  const forget = recordMock('http://127.0.0.1:4010/_mock');
  expect(lastMock()?.control_url).toBe('http://127.0.0.1:4010/_mock');
  const paths = [outer(), folder(), join(folder(), `${process.pid}.json`)];
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  forget?.();
  expect(lastMock()).toBeUndefined();
  expect(readdirSync(folder())).toEqual([]);
});

test('finds the mock that was started last, and removes invalid records and records of dead processes', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeRecord('dead', { ...alive, pid: child.pid, started_at: 9 });
  writeRecord('negative', { ...alive, pid: -1, started_at: 9 });
  writeRecord('no-url', { ...alive, control_url: 'x', started_at: 9 });
  writeFileSync(join(folder(), 'broken.json'), '{');
  writeRecord('a', { ...alive, control_url: 'http://127.0.0.1:2/_mock', started_at: 2 });
  writeRecord('b', { ...alive, control_url: 'http://127.0.0.1:3/_mock', started_at: 3 });
  writeRecord('c');
  expect(lastMock()?.control_url).toBe('http://127.0.0.1:3/_mock');
  expect(readdirSync(folder()).sort()).toEqual(['a.json', 'b.json', 'c.json']);
});

test('ignores records if others can write the folder', () => {
  writeRecord('alive');
  expect(lastMock()).toBeDefined();
  chmodSync(folder(), 0o777);
  expect(lastMock()).toBeUndefined();
  expect(recordMock('http://127.0.0.1:4010/_mock')).toBeUndefined();
});

test('does not follow a link in place of the folder', () => {
  const elsewhere = join(temporary, 'elsewhere');
  mkdirSync(join(elsewhere, 'mocks'), { recursive: true, mode: 0o700 });
  writeFileSync(join(elsewhere, 'mocks', 'a.json'), JSON.stringify(alive));
  symlinkSync(elsewhere, outer());
  expect(lastMock()).toBeUndefined();
});
