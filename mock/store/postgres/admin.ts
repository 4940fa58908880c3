import { sqlAdmin } from '../sql/admin.ts';
import type { StoreAdmin } from '../store-admin.ts';
import { openConnection } from './connection.ts';
import { createTables, lockTables, postgresDatabase } from './tables.ts';

export async function openPostgresAdmin(url: string): Promise<StoreAdmin> {
  const connection = await openConnection(url);
  const database = postgresDatabase(connection);
  return sqlAdmin({
    database,
    lock: lockTables,
    erase: [],
    create: () => createTables(database, 'migrated'),
    close: () => connection.close(async () => {}),
  });
}
