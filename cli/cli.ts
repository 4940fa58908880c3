// The process of the command line: its output, its cache and its end.
import { enableCompileCache } from 'node:module';
import { cacheFolder } from '../contract-tests/deployment/own-folder.ts';
import { guardOutput } from './screen/guard-output.ts';
import { isInterrupted } from './screen/interruption.ts';

guardOutput();
keepCompiledCode();
// Node's own status for a wait that nothing can end any more is 13.
process.exitCode = 4;
// Imported here, since only what is compiled from now on is in the cache.
const { runCommandLine } = await import('./program/program.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
// What an interruption has abandoned must not hold the process. And while Node ends by itself, the same signal, passed on by what started this process, would kill it.
if (isInterrupted()) process.exit();

/** Keeps compiled code where only this user can write, unless NODE_COMPILE_CACHE names another folder: Node's own one is shared by all users. */
function keepCompiledCode(): void {
  const folder = process.env.NODE_COMPILE_CACHE ?? cacheFolder('compiled');
  if (folder !== undefined) enableCompileCache(folder);
}
