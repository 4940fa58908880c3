import { describe, expect, test } from 'vitest';
import { makeSchema } from '../../testing/postgres-server.ts';
import { databaseOfTests } from '../../testing/replicas.ts';
import { openConnection } from './connection.ts';
import { openPostgres } from './open-postgres.ts';
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
