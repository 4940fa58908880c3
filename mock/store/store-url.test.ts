import { expect, test } from 'vitest';
import { openAdmin } from './store-admin.ts';
import { fileOf, hidesPassword, showStoreUrl } from './store-url.ts';

test.for([
  'postgres://sitepub:hunter2/x@db.example/sitepub',
  'postgres://sitepub:12/hunter2@db.example/sitepub',
  'postgres://sitepub:12?hunter2@db.example/sitepub',
  'postgres://sitepub:12#hunter2@db.example/sitepub',
  'postgres://sitepub:hunter2%zz@db.example/sitepub',
  'postgres://sitepub:hunter2 @db example/sitepub',
  'POSTGRES://sitepub:hunter2/x@db.example/sitepub',
  'mysql://sitepub:hunter2@db.example/sitepub',
  'sitepub:hunter2@db.example/sitepub',
  'host=db.example user=sitepub password=hunter2',
  'jdbc:postgresql://db.example/sitepub?password=hunter2',
  ' postgres://sitepub:hunter2@db.example/sitepub',
])('shows only the scheme of an invalid URL: %s', (url) => {
  const [scheme] = /^\w+:\/\//.exec(url) ?? [];
  const shown = scheme === undefined ? '' : ` ${scheme}…`;
  expect(() => fileOf(url)).toThrow(
    `unsupported store URL${shown}; expected a file, for example file:mock.db`,
  );
  expect(() => fileOf(url)).toThrow(/^(?!.*(hunter2|sitepub:12|db.example))/s);
  expect(showStoreUrl(url)).toBe(scheme === undefined ? '…' : `${scheme}…`);
});

test.for([
  ['postgres://sitepub:hunter2@db.example/sitepub', 'postgres://sitepub@db.example/sitepub'],
  ['postgres://sitepub:p%40/@db.example/sitepub', 'postgres://…'],
  [
    'postgres://sitepub:a:b%2f@db.example:5433/sitepub?sslmode=require',
    'postgres://sitepub@db.example:5433/sitepub',
  ],
  ['postgresql://db.example/sitepub?user=sitepub&password=hunter2', 'postgresql://db.example/sitepub'],
  ['postgres:///sitepub?host=/run/postgresql', 'postgres:///sitepub'],
  ['file:mock.db', 'file:mock.db'],
] as const)('shows %s as %s', ([url, shown]) => {
  expect(showStoreUrl(url)).toBe(shown);
});

test.for([
  ['postgres://sitepub:hunter2@db.example/sitepub', true],
  ['postgres://db.example/sitepub?password=hunter2', true],
  ['postgres://db.example/sitepub?sslpassword=hunter2', true],
  ['postgres://sitepub:hunter2/x@db.example/sitepub', true],
  ['host=db.example password=hunter2', true],
  ['postgres://sitepub@db.example/sitepub?sslmode=require', false],
  ['file:a@b:c.db', false],
  ['mock.db', false],
] as const)('%s may contain a password: %s', ([url, may]) => {
  expect(hidesPassword(url)).toBe(may);
});

test('hides the password in messages of the driver', async () => {
  const url = 'postgres://sitepub:hunter2@127.0.0.1:9/sitepub?sslcert=/nowhere/hunter2.pem';
  const admin = await openAdmin(url);
  const failed = await admin.report().catch(String);
  await admin.close();
  expect(failed).toContain("store postgres://sitepub@127.0.0.1:9/sitepub can't be read: ");
  expect(failed).not.toContain('hunter2');
});
