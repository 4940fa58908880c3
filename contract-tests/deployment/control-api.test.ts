import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ControlError, openControl } from './control-api.ts';

test.for([
  ['no JSON', 'text/html', '<h1>Hello</h1>', 200],
  ['no time', 'application/json', '{}', 200],
  ['a refusal', 'application/json', '{"error":"a control token is needed"}', 401],
] as const)('an address that answers with %s is no control API', async ([, type, body, status]) => {
  await using server = await serve(type, body, status);
  const opened = openControl(server.url, undefined);
  await expect(opened).rejects.toThrow(ControlError);
  await expect(opened).rejects.toThrow(
    /^--control-url http:\S+ does not answer as a mock's control API does/,
  );
});

test('sends the token as Bearer', async () => {
  await using server = await serve('application/json', '{"mode":"manual","now":"2026-01-02T03:04:05Z"}', 200);
  await openControl(`${server.url}/`, 't0ken');
  expect(server.seen).toEqual(['GET /clock Bearer t0ken']);
});

async function serve(type: string, body: string, status: number) {
  const seen: string[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers.authorization}`);
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
