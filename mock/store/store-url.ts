import { StoreError } from './store-error.ts';

/** Returns the path of a file, or undefined for a PostgreSQL URL. Throws a StoreError for any other URL. */
export function fileOf(url: string): string | undefined {
  const path = pathOf(url);
  if (path !== undefined || parseDatabaseUrl(url)) return path;
  const shown = showStoreUrl(url);
  throw new StoreError(
    `unsupported store URL${shown === '…' ? '' : ` ${shown}`}; expected a file, for example file:mock.db, or a database, for example postgres://sitepub@localhost/sitepub (write @, /, ? and # in a password as %40, %2F, %3F and %23)`,
  );
}

/** Removes passwords and options; an invalid URL shows only its scheme, since the rest may be a password. */
export function showStoreUrl(url: string): string {
  if (pathOf(url) !== undefined) return url;
  const parsed = parseDatabaseUrl(url);
  if (!parsed) return /^[a-z][a-z\d+.-]*:\/\//i.exec(url)?.[0].concat('…') ?? '…';
  const { protocol, username, host, pathname } = parsed;
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

export function hidesPassword(url: string): boolean {
  if (pathOf(url) !== undefined) return false;
  const parsed = parseDatabaseUrl(url);
  if (!parsed) return /[@=]/.test(url);
  return parsed.password !== '' || [...parsed.searchParams.keys()].some((name) => /password/i.test(name));
}

function pathOf(url: string): string | undefined {
  return /^file:(?:\/\/(?=\/))?(.+)$/s.exec(url)?.[1];
}

/** Also returns undefined if host or path may be part of an unescaped password. */
function parseDatabaseUrl(url: string): URL | undefined {
  const parsed = /^postgres(?:ql)?:\/\//.test(url) ? URL.parse(url) : null;
  if (!parsed || `${parsed.pathname}${parsed.search}`.includes('@') || parsed.hash !== '') return undefined;
  return isEncoded(parsed.username) && isEncoded(parsed.password) ? parsed : undefined;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function passwordIn(url: string): string | undefined {
  const parsed = parseDatabaseUrl(url);
  return decodeURIComponent(parsed?.password ?? '') || parsed?.searchParams.get('password') || undefined;
}
