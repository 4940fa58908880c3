// Builds dist/ before npm packs this folder, also for projects that install the repository by a git URL.
// Plain JavaScript, because it must run on Node 20.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './install.mjs';
import { findNode24 } from './node24.mjs';
import { fail, runToTheEnd } from './programs.mjs';

const manifest = join(packageRoot, 'package.json');
const backup = join(packageRoot, 'node_modules', '.sitepub-package.json');

try {
  if (existsSync(backup)) renameSync(backup, manifest);
  if (process.argv[2] !== 'restore') prepare();
} catch (error) {
  fail(error);
}

function prepare() {
  const isInstalled = existsSync(join(packageRoot, 'node_modules/typescript'));
  const build = join(packageRoot, 'scripts/build.ts');
  const setup = join(packageRoot, 'scripts/setup.mjs');
  if (process.env.npm_command === 'pack') process.once('exit', (status) => status === 0 && leaveOutPrepare());
  runToTheEnd(findNode24(), isInstalled ? [build] : [setup, 'node', build]);
}

/** npm warns about the script `prepare` when it installs a tarball, although it never runs there. */
function leaveOutPrepare() {
  const text = readFileSync(manifest, 'utf8');
  const { prepare: _, postpack: __, ...scripts } = JSON.parse(text).scripts;
  writeFileSync(backup, text);
  writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(text), scripts }, null, 2)}\n`);
}
