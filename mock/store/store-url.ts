import { StoreError } from './engine.ts';

interface StorePlace {
  engine: 'postgres' | 'sqlite';
  /** Of a file. */
  path: string;
}

/** Throws a StoreError for what names no store. */
export function parseStoreUrl(url: string): StorePlace {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { engine: 'postgres', path: '' };
  const [, path = ''] = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(url) ?? [];
  if (path !== '') return { engine: 'sqlite', path };
  throw new StoreError(
    `the store ${JSON.stringify(readableUrl(url))} is none; expected a file, such as file:mock.db, or a database, such as postgres://sitepub@localhost/sitepub`,
  );
}

/** Without the password. */
export function readableUrl(url: string): string {
  return url.replace(/(:\/\/[^/@:]*):[^/]*@/, '$1@');
}
