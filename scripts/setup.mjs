// Sets the checkout up, then runs the given command: node scripts/setup.mjs [command args…]
// Plain JavaScript, because it must run on Node 20. It takes a few milliseconds if the checkout is set up.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillOnce, installLocked, packageRoot } from './install.mjs';
import { fetchedVersion, findNode24 } from './node24.mjs';
import { environmentOf, fail, runToTheEnd } from './programs.mjs';

const modules = join(packageRoot, 'node_modules');
const binaries = join(modules, '.bin');

try {
  const node = findNode24();
  fillOnce(packageRoot, fingerprint(node), () => {
    console.error(`sitepub: installing dependencies into ${modules}`);
    installLocked(packageRoot, node);
  });
  linkCommand();
  const [command, ...args] = process.argv.slice(2);
  if (command) runToTheEnd(command === 'node' ? node : command, args, environmentOf(node, binaries));
} catch (error) {
  fail(error);
}

/** A hash of everything that determines the installed dependencies.
 * @param {string} node */
function fingerprint(node) {
  const lock = readFileSync(join(packageRoot, 'package-lock.json'));
  const [major] = (node === process.execPath ? process.versions.node : fetchedVersion).split('.');
  const machine = `${process.platform} ${process.arch} ${major}`;
  return createHash('sha256').update(lock).update(machine).digest('hex');
}

/** npx runs the commands in node_modules/.bin; without this link it would install the checkout into its cache. */
function linkCommand() {
  const link = join(binaries, process.platform === 'win32' ? 'sitepub.cmd' : 'sitepub');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  if (process.platform === 'win32') writeFileSync(link, '@node "%~dp0..\\..\\cli\\sitepub.mjs" %*\r\n');
  else symlinkSync('../../cli/sitepub.mjs', link);
}
