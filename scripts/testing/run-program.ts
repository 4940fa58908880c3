import { execFile } from 'node:child_process';

/** Runs a program to its end. `status` is 1 if it was killed or could not start. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(file, args, { maxBuffer: 1e7, ...options }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) || 1 : 0, stdout, stderr }),
    );
  });
}

/** Runs the source of an ES module with Node. */
export function runModule(source: string, env = process.env) {
  return runProgram(process.execPath, ['--input-type=module', '--eval', source], { env });
}
