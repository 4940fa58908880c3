import { StoreError } from '../engine.ts';

const fullCode = 13;
/** Keys are result codes of SQLite: https://www.sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = {
  5: 'another process uses it; end that one, or name another file',
  8: 'it may not be written; check who owns it, and its folder',
  10: 'the disk reports an error',
  11: 'it is damaged; name another file, and keep this one if what is in it is wanted',
  13: 'the disk is full; make room',
  14: 'it can not be opened; check who owns it, and its folder',
  26: 'it is no SQLite database; name another file',
};

export function explainSqlite(error: unknown, path: string, what: string): StoreError {
  const { errcode, message } = error as { errcode?: number; message: string };
  // The extended codes have the ordinary one in their lowest byte.
  const reason = errcode === undefined ? undefined : reasons[errcode & 255];
  const kind = errcode !== undefined && (errcode & 255) === fullCode ? 'full' : 'other';
  return new StoreError(`store ${path} can't be ${what}: ${reason ?? message}`, { reason: kind });
}
