import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readFlags } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { readLog, readStore, readStoreMigrate, startMockFromFlags } from './mock-options.ts';

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
    [
      ['--tls-cert', missing, '--tls-key', file],
      `--tls-cert: ${missing} can't be read (there is no file ${missing})`,
    ],
    [['--tls-cert', file, '--tls-key', file], "https can't be served: the certificate is none in PEM"],
  ] as const;
  for (const [args, message] of refusals) await expect(async () => start(...args)).rejects.toThrow(message);
});

test.for([
  ['', true],
  ['{}\n', true],
  ['# login.status: 201\n', true],
  ['login.status: 201\n', false],
] as const)(
  'with the profile %j the mock starts; that it states nothing is told: %j',
  async ([text, isTold]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'sitepub-profile-')), 'mine.yaml');
    writeFileSync(file, text);
    const told = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => told.mockRestore());
    const mock = await start('--profile', file);
    onTestFinished(() => mock.close());
    expect((await mock.control.health()).profile.name).toBe('mine');
    const notice = `sitepub: the profile ${file} states nothing, so each gap has its default`;
    expect(told.mock.calls).toEqual(isTold ? [[notice]] : []);
  },
);

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

const read = (args: string[]) => readLog(readFlags(args, mockFlags, {}));

test.for([
  [[], 'text'],
  [['--log', 'json'], 'json'],
  [['--quiet'], undefined],
  [['--json'], undefined],
  [['--json', '--log', 'json'], 'json'],
] as const)('%j tells as %s', ([args, want]) => {
  expect(read([...args])).toBe(want);
});

test.for([
  [['--log', 'xml'], '--log is "xml"; expected text or json'],
  [['--log', 'json', '--quiet'], '--quiet and --log exclude each other'],
] as const)('%j is refused', ([args, want]) => {
  expect(() => read([...args])).toThrow(want);
});

describe('store option', () => {
  function read(args: readonly string[], environment: Record<string, string> = {}): string | undefined {
    return readStore(readFlags(args, mockFlags, {}), environment);
  }

  test.each(['file:mock.db', 'postgres://sitepub@db/sitepub'])(
    '%s comes by flag and by environment',
    (store) => {
      expect(read(['--store', store])).toBe(store);
      expect(read([], { SITEPUB_STORE: store })).toBe(store);
      expect(read([])).toBeUndefined();
    },
  );

  test.each([
    'postgres://sitepub:s3cr3t@db/sitepub',
    'postgres://db/sitepub?password=s3cr3t',
    'postgres://u:s3/cr3t@db',
    'host=db password=s3cr3t',
  ])('%s comes by environment only', (store) => {
    expect(() => read(['--store', store])).toThrow(/^--store has a password in it.*SITEPUB_STORE_FILE/);
    expect(read([], { SITEPUB_STORE: store })).toBe(store);
  });

  test('whether tables are made comes by flag', () => {
    const readMigrate = (args: readonly string[]) => readStoreMigrate(readFlags(args, mockFlags, {}));
    expect(readMigrate([])).toBe('start');
    expect(readMigrate(['--store-migrate', 'never'])).toBe('never');
    expect(() => readMigrate(['--store-migrate', 'no'])).toThrow(
      '--store-migrate is "no"; expected start or never',
    );
  });
});
