import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { isPrivateHost } from './private-targets.ts';
import { createSender } from './send.ts';

test.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['10.1.2.3', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['[fe80::1]', true],
  ['[fd00::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['[::ffff:a00:1]', true],
  ['[2606:4700::1111]', false],
  ['8.8.8.8', false],
  ['localhost', true],
  ['LOCALHOST.', true],
  ['app.localhost', true],
  ['printer.local', true],
  ['metadata.google.internal', true],
  ['hooks.example', false],
  ['localhost.example', false],
])('%s is private: %s', (host, want) => {
  expect(isPrivateHost(host)).toBe(want);
});

test.each(['127.0.0.1', 'localhost'])('nothing is sent to %s', async (host) => {
  let count = 0;
  const server = createServer((_request, response) => {
    count++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const sender = createSender({ refusesPrivateTargets: true });
  const url = `http://${host}:${(server.address() as AddressInfo).port}/`;
  const target = { attempt: 'the first', url, timeoutSeconds: 5, redirects: 'not-followed' } as const;
  expect([await sender.send(target, () => ({ headers: {}, body: '' })), count]).toEqual([
    { error: `EPRIVATE: ${host} is in a private network` },
    0,
  ]);
  await sender.close();
  server.close();
});
