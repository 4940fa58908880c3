// A development tool of node_modules, run on the whole project by a test.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script of Node in the project's folder; the output is all that it has printed, or why it could not be run. */
export function runScript(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, [script, ...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr || (error ? String(error) : '') });
    });
  });
}
