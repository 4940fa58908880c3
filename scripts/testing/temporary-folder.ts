// A folder for the temporary files of a test run. Tests that a tier leaves out are loaded all the same, and their `afterAll` is not called.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest calls it before the first worker starts, and what it returns after the last one has ended. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-tests-'));
  // PostgreSQL runs as another user, who has to get through it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
