#!/usr/bin/env node
// The command `sitepub`. In a checkout, it looks for a newer Node if this one is too old.
// Plain JavaScript, for old versions of Node.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('./cli.ts', import.meta.url);

if (existsSync(source)) await runCheckout();
else await runPackage();

async function runPackage() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = wanted.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) {
    await import(new URL('../dist/cli/cli.js', import.meta.url).href);
    return;
  }
  console.error(
    `sitepub: Node ${wanted} or newer is needed, and this is ${process.versions.node}; install Node 24 from https://nodejs.org and try again.`,
  );
  process.exitCode = 2;
}

async function runCheckout() {
  if (!existsSync(new URL('../node_modules', import.meta.url))) {
    console.error('sitepub: this checkout is not set up yet; run `npm run setup` in it.');
    process.exit(2);
  }
  const { findNode24, isNewEnough } = await import('../scripts/node24.mjs');
  if (isNewEnough(process.versions.node)) {
    const { enableCompileCache } = await import('node:module');
    // Before the first TypeScript file, because loading the compiler takes longer than everything else.
    enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
    await import(source.href);
    return;
  }
  const { fail, runToTheEnd } = await import('../scripts/programs.mjs');
  try {
    runToTheEnd(findNode24(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } catch (error) {
    fail(error);
  }
}
