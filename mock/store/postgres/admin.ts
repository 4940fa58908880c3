import { sqlAdmin } from '../sql/admin.ts';
import type { StoreAdmin } from '../store-admin.ts';
import { openConnection } from './connection.ts';
import { createTables, lockTables, postgresDatabase } from './tables.ts';

export async function openPostgresAdmin(url: string): Promise<StoreAdmin> {
  const connection = await openConnection(url);
  const { place, use, close } = connection;
  return sqlAdmin({
    engine: 'PostgreSQL',
    database: postgresDatabase(connection),
    lock: lockTables,
    erase: [],
    create: () => use('migrated', (db) => createTables(db, place)),
    close: () => close(async () => {}),
  });
}
