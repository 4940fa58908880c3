import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';
import { mockFlags, startMockFromFlags } from './mock-options.ts';

const start = (...args: string[]) => startMockFromFlags(readFlags(args, mockFlags, {}), 0);

test.each([
  [
    '--tenants',
    '0',
    '--tenants is 0; the demo world has 1 to 1000 tenants, and a world file as many as it names',
  ],
  ['--tenants', '1001', '--tenants is "1001"; expected a whole number from 0 to 1000'],
  ['--tenants', 'two', '--tenants is "two"; expected a whole number from 0 to 1000'],
  ['--limits', 'none', '--limits is "none"; expected on or off'],
  ['--clock', 'still', '--clock is "still"; expected real or manual'],
])('%s %s is refused', async (flag, value, message) => {
  await expect(async () => start(flag, value)).rejects.toThrow(message);
});

test('half of a certificate is refused, and so is a file that is none', async () => {
  const [file, missing] = [fileURLToPath(import.meta.url), '/no/such/file.pem'];
  const refusals = [
    [['--tls-cert', file], '--tls-cert needs its key; give --tls-key FILE too'],
    [['--tls-key', file], '--tls-key needs a certificate; give --tls-cert FILE too'],
    [['--tls-cert', missing, '--tls-key', file], `--tls-cert: ${missing} can't be read (ENOENT)`],
    [['--tls-cert', file, '--tls-key', file], "https can't be served: the certificate is none in PEM"],
  ] as const;
  for (const [args, message] of refusals) await expect(async () => start(...args)).rejects.toThrow(message);
});

test('--tenants beside --world is refused', async () => {
  await expect(start('--tenants', '3', '--world', 'acme.yaml')).rejects.toThrow(
    '--tenants is for the demo world, and --world names another; leave one of them out',
  );
});

test('--tenants makes as many, and --limits off lets them log in as often as they like', async () => {
  const mock = await start('--tenants', '3', '--limits', 'off');
  const body = JSON.stringify(mock.tenants[2]?.users[1]);
  const headers = { 'Content-Type': 'application/json' };
  const codes = [];
  for (let count = 0; count < 12; count++) {
    const answer = await fetch(`${mock.baseUrl}/auth/tenant/login`, { method: 'POST', headers, body });
    codes.push(((await answer.json()) as { code: number }).code);
  }
  await mock.close();
  expect([mock.tenants.length, codes]).toEqual([3, Array(12).fill(0)]);
});
