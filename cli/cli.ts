import { enableCompileCache } from 'node:module';
import { cacheFolder } from '../contract-tests/deployment/own-folder.ts';
import { guardOutput } from './screen/guard-output.ts';
import { isInterrupted } from './screen/interruption.ts';

guardOutput();
cacheCompiledCode();
// Node exits with 13 if it waits for something that never happens; this code replaces 13.
process.exitCode = 4;
// Imported after enableCompileCache, which caches only modules that are loaded later.
const { runCommandLine } = await import('./program/program.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
// Exit explicitly, because interrupted work could keep the process alive, and Node ignores signals during a normal exit.
if (isInterrupted()) process.exit();

/** Uses a folder that only this user can write, because Node's default one is shared by all users. */
function cacheCompiledCode(): void {
  const folder = process.env.NODE_COMPILE_CACHE ?? cacheFolder('compiled');
  if (folder !== undefined) enableCompileCache(folder);
}
