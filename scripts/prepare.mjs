// Builds dist/ before npm packs this folder, also where a project depends on the repository by a git URL.
// Plain JavaScript: it has to run on Node 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, findNode24, packageRoot, runToTheEnd } from './node24.mjs';

const isInstalled = existsSync(join(packageRoot, 'node_modules/typescript'));
const build = join(packageRoot, 'scripts/build.ts');
const setup = join(packageRoot, 'scripts/setup.mjs');

try {
  runToTheEnd(findNode24(), isInstalled ? [build] : [setup, 'node', build]);
} catch (error) {
  fail(error);
}
