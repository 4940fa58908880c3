// The package as users get it: packed, and installed in a folder of its own.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand } from '../node24.mjs';
import { packCheckout } from '../testing/pack-checkout.ts';

export interface InstalledPackage {
  /** The module of `sitepub`. */
  command: string;
  remove(): void;
}

export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-installed-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await packCheckout(folder);
    const home = join(folder, 'user');
    mkdirSync(home);
    const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
    const words = [
      'install',
      '--prefix',
      home,
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      tarball,
    ];
    const [npm, args, shell] = npmCommand(process.execPath, words);
    await promisify(execFile)(npm, args, { cwd: home, shell });
    return { command: join(home, 'node_modules/sitepub/scripts/sitepub.mjs'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
