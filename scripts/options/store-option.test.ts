import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';
import { readStore, readStoreMigrate, storeFlag, storeMigrateFlag } from './store-option.ts';

function read(args: readonly string[], environment: Record<string, string> = {}): string | undefined {
  return readStore(readFlags(args, { store: storeFlag }, environment), environment);
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

test('whether tables are made comes by flag and by environment', () => {
  const readMigrate = (args: readonly string[], environment = {}) =>
    readStoreMigrate(readFlags(args, { 'store-migrate': storeMigrateFlag }, environment));
  expect(readMigrate([])).toBe('start');
  expect(readMigrate(['--store-migrate', 'never'])).toBe('never');
  expect(readMigrate([], { SITEPUB_STORE_MIGRATE: 'never' })).toBe('never');
  expect(() => readMigrate(['--store-migrate', 'no'])).toThrow(
    '--store-migrate is "no"; expected start or never',
  );
});
