import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeSchema } from '../../testing/postgres-server.ts';
import { databaseOfTests } from '../../testing/replicas.ts';
import { StoreError } from '../store-error.ts';
import { openConnection } from './connection.ts';
import { openPostgres } from './open-postgres.ts';
import { changesSince } from './statements.ts';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(kind: string, text: string): Buffer {
  const head = Buffer.from(`${kind}????`);
  head.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

test.each([
  ['without tables', message('C', 'SELECT 0\0')],
  ['that does not let its queries be planned', message('E', 'SERROR\0C42501\0Mno\0\0')],
])('a connection to a server %s is closed', async (_, answer) => {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const ready = message('Z', 'I');
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', resolve);
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]));
      socket.on('data', () => socket.write(Buffer.concat([answer, ready])));
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const opening = openPostgres(`postgres://a@127.0.0.1:${port}/a`, { migrates: false });
  await expect(opening).rejects.toThrow(StoreError);
  await closed;
});

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
