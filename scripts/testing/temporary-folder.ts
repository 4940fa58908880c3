// A temporary folder for a test run. Files of other tiers are loaded too, but their `afterAll` is not called.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest calls it before the first worker starts, and its result after the last one has ended. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-tests-'));
  // PostgreSQL runs as another user, who must pass through the folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
