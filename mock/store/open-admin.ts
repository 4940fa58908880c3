import { resolve } from 'node:path';
import type { StoreAdmin } from './store-admin.ts';
import { parseStoreUrl } from './store-url.ts';

/** Throws a StoreError for what is no store. Connects when it is used. */
export async function openAdmin(url: string): Promise<StoreAdmin> {
  const { engine, path } = parseStoreUrl(url);
  // Each is loaded on demand, and so is its driver.
  if (engine === 'postgres') return (await import('./postgres/admin.ts')).openPostgresAdmin(url);
  return (await import('./sqlite/admin.ts')).openSqliteAdmin(resolve(path));
}
