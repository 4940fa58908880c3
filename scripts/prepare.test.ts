// @module-tag ci
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { npmCommand } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-prepare-'));
const { prepare, postpack } = packageJson.scripts;
const manifest = `${JSON.stringify({ name: 'packed', version: '1.0.0', scripts: { prepare, postpack, test: 'true' } }, null, 4)}\n`;

test.for([
  { build: 'works', source: '', scripts: { test: 'true' } },
  { build: 'fails', source: 'process.exit(1);', scripts: undefined },
])(
  'packs no script that npm would warn about, and restores package.json, if the build $build',
  ({ source, scripts }) => {
    for (const name of ['scripts', 'node_modules/typescript'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    writeFileSync(join(folder, 'scripts/build.ts'), source);
    for (const file of ['prepare.mjs', 'node24.mjs', 'install.mjs', 'programs.mjs'])
      cpSync(fileURLToPath(new URL(file, import.meta.url)), join(folder, 'scripts', file));
    expect(packedScripts()).toEqual(scripts);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(manifest);
  },
);

/** Undefined if packing fails. */
function packedScripts(): unknown {
  const tarball = join(folder, 'packed-1.0.0.tgz');
  rmSync(tarball, { force: true });
  const [npm, args, shell] = npmCommand(process.execPath, ['pack', '--silent']);
  try {
    execFileSync(npm, args, { cwd: folder, shell, stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const text = execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  return JSON.parse(text).scripts;
}
