#!/usr/bin/env node
// The command `sitepub`: runs the command line under a Node that is new enough.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('./cli.ts', import.meta.url);
const inCheckout = existsSync(source);

if (inCheckout && !existsSync(new URL('../node_modules', import.meta.url))) {
  console.error('sitepub: this checkout is not set up yet; run `npm run setup` in it.');
  process.exit(2);
}

const { fail, findNode24, isNewEnough, runToTheEnd } = await import('./node24.mjs');

if (isNewEnough(process.versions.node)) {
  if (inCheckout) await keepCompiledCode();
  await import((inCheckout ? source : new URL('../dist/scripts/cli.js', import.meta.url)).href);
} else {
  try {
    runToTheEnd(findNode24(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } catch (error) {
    fail(error);
  }
}

/** Before the first file of TypeScript: loading what compiles it takes longer than running all of it. */
async function keepCompiledCode() {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
}
