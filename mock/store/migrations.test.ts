import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { postgresMigrations } from './postgres/migrations.ts';
import { sqliteMigrations } from './sqlite/migrations.ts';

// Stores have them: a change of the tables is one more migration, and one more line here.
test.each([
  [
    'PostgreSQL',
    postgresMigrations,
    [
      'a70b91f7d241',
      '5d080aefe8d8',
      '5fef3d934193',
      'fceaad967273',
      'a9c188e78a62',
      '95c9d7a69fb2',
      '3ca79bc8fef6',
      '91232a0b416d',
    ],
  ],
  [
    'SQLite',
    sqliteMigrations,
    ['a4589f3807de', 'e4f37f78cfdd', 'c076bf9c516d', '6e0db034d52b', '91232a0b416d'],
  ],
])('the migrations of %s are what they were', (_engine, migrations, digests) => {
  expect(migrations.map(({ sql }) => hash('sha256', sql).slice(0, 12))).toEqual(digests);
});
