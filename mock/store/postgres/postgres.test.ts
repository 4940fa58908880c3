import { describe, expect, test } from 'vitest';
import { makeSchema } from '../../testing/postgres-server.ts';
import { databaseOfTests } from '../../testing/replicas.ts';
import { openConnection } from './connection.ts';
import { openPostgres } from './open-postgres.ts';
import { wireMessage } from './send-together.ts';
import { changesSince } from './statements.ts';

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  const database = databaseOfTests();

  test('what others have changed is found by indexes where one world has changed much, and is not compiled', async () => {
    const url = await makeSchema(database);
    const engine = await openPostgres(url);
    const connection = await openConnection(url);
    const { text } = changesSince(new Map());
    const plan = await connection.use('read', async (db) => {
      await db.query(
        "insert into sitepub_change (world, version, kinds, keys) select 1, version, '{1}', array[version::text] from generate_series(1, 60000) as version order by random()",
      );
      await db.query('analyze sitepub_change');
      await db.query(`prepare changes (bigint[], bigint[]) as ${text}`);
      const { rows } = await db.query<{ 'QUERY PLAN': string }>("explain execute changes ('{1}', '{59999}')");
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('sitepub_change_pkey');
    expect(plan).not.toMatch(/Seq Scan|JIT/);
    await connection.close(async () => {});
    await engine.close();
  });
});

test('statements are written as the protocol says', () => {
  const written = wireMessage(
    [{ text: 'begin' }, { name: 'find', text: 'select $1, $2', values: ['ä', null] }],
    new Set(),
  );
  const expected = [
    ['P', 4 + 1 + 6 + 2, '\0begin\0\0\0'],
    ['B', 4 + 8, '\0\0\0\0\0\0\0\0'],
    ['E', 4 + 5, '\0\0\0\0\0'],
    ['P', 4 + 5 + 14 + 2, 'find\0select $1, $2\0\0\0'],
    ['B', 4 + 1 + 5 + 4 + 4 + 2 + 4 + 2, '\0find\0\0\0\0\u0002\0\0\0\u0002ä\u00ff\u00ff\u00ff\u00ff\0\0'],
    ['E', 4 + 5, '\0\0\0\0\0'],
    ['S', 4, ''],
  ] as const;
  const bytes = expected.map(([kind, length, body]) => {
    const head = Buffer.alloc(5);
    head.write(kind);
    head.writeInt32BE(length, 1);
    // The sample has one letter of two bytes; the other bytes are as they are.
    return Buffer.concat([
      head,
      ...[...body].map((one) => (one === 'ä' ? Buffer.from(one) : Buffer.from(one, 'latin1'))),
    ]);
  });
  expect(written.toString('hex')).toBe(Buffer.concat(bytes).toString('hex'));
});

test('what the server remembers is not sent again', () => {
  const written = wireMessage([{ name: 'find', text: 'select 1' }], new Set(['find']));
  expect(written.toString('latin1')).not.toContain('select');
});

test('what is sent twice is planned once', () => {
  const known = new Set<string>();
  const [one, other] = [
    { name: 'find', text: 'select 1' },
    { name: 'find', text: 'select 1' },
  ];
  expect(wireMessage([one, other], known).toString('latin1').split('select 1')).toHaveLength(2);
  expect([...known]).toEqual(['find']);
});

test('long texts of any letters fit', () => {
  const value = '发布🚀é'.repeat(10_000);
  const written = wireMessage([{ text: 'select $1', values: [value] }], new Set());
  expect(written.includes(Buffer.from(value))).toBe(true);
});
