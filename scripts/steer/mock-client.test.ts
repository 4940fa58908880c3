import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readFlags } from '../options/flags.ts';
import { controlFlags, findMock } from './mock-client.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const limits = { question: 200, change: 400 };
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
