import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readFlags } from '../options/flags.ts';
import { controlFlags, findMock } from './mock-client.ts';
import { readPages } from './read-pages.ts';

async function serve(listener: RequestListener, changed: { question?: number } = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const limits = { question: 200, change: 400, answer: 3_145_728, event: 3_145_728, ...changed };
  return {
    mock: findMock(readFlags([`--control-url=http://127.0.0.1:${port}/_mock`], controlFlags, {}), limits),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.for<[string, RequestListener]>([
  ['no answer', () => {}],
  ['a part of an answer', (_request, response) => response.write('{"on": [')],
])('a mock that gives %s is not waited for without end', { timeout: 5_000 }, async ([, listener]) => {
  await using served = await serve(listener);
  const { mock } = served;
  await expect(mock.call('GET', '/faults')).rejects.toThrow(
    `the mock at ${mock.url} has given no whole answer to GET /faults within 0.2 s; look whether it still works`,
  );
  await expect(mock.call('POST', '/drain')).rejects.toThrow('to POST /drain within 0.4 s');
});

/** Answers with a beginning, and then with spaces without end; counts their megabytes. */
function answerWithoutEnd(beginning: string, status = 200) {
  const sent = { megabytes: 0 };
  const spaces = Buffer.alloc(1_048_576, ' ');
  const listener: RequestListener = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write(beginning);
    const flood = Readable.from(
      (function* () {
        for (; sent.megabytes < 400; sent.megabytes++) yield spaces;
      })(),
    );
    response.on('close', () => flood.destroy());
    flood.pipe(response);
  };
  return { listener, sent };
}

test.for([200, 500])('an answer without end is left, with the status %i', async (status) => {
  const { listener, sent } = answerWithoutEnd('{"on": [', status);
  await using served = await serve(listener, { question: 20_000 });
  await expect(served.mock.call('GET', '/faults')).rejects.toThrow(
    `the mock at ${served.mock.url} answers with more than 3 MB, and is left; check --control-url`,
  );
  expect(sent.megabytes).toBeLessThan(64);
});

test('so is a list without end', async () => {
  await using served = await serve((_request, response) => response.end('{"requests": [1], "next": 1}'));
  const listed = readPages(served.mock, '/requests', { member: 'requests' });
  await expect(listed).rejects.toThrow('lists more than 100 pages of requests');
});

test('so is an event without end of its stream', async () => {
  const { listener, sent } = answerWithoutEnd('event: request\ndata: ');
  await using served = await serve(listener);
  const read = async () => {
    const events = await served.mock.listen(new AbortController().signal);
    for await (const event of events) expect(event).toBeUndefined();
  };
  await expect(read()).rejects.toThrow('answers with more than 3 MB');
  expect(sent.megabytes).toBeLessThan(64);
});
