import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { mockEnvironment } from '../options/mock-environment.ts';
import { mockFlags, profileOf, startMockFromFlags } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { writeTrusted } from '../output/certificate-file.ts';

const flags: Flags = {
  port: textFlag('N', 'port of the mock (default: any free one)'),
  ...mockFlags,
};

/** `sitepub exec -- CMD`: runs a command while a mock is running, and returns its exit code. */
export async function exec(args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const usage = 'sitepub exec -- CMD: runs a command while a mock is running';
  const given = readFlagsOrHelp(end === -1 ? args : args.slice(0, end), flags, { usage });
  if (!given) return 0;
  const [command, ...commandArgs] = end === -1 ? [] : args.slice(end + 1);
  if (command === undefined)
    throw new UsageError(
      'the command to run is missing; put it after two dashes: `sitepub exec -- npm test`',
    );
  const mock = await startMockFromFlags(given, 0);
  try {
    const env = {
      ...process.env,
      ...mockEnvironment(mock),
      ...trustIn(writeTrusted(mock.certificate)),
      SITEPUB_PROFILE: profileOf(given),
    };
    return await run(command, commandArgs, env);
  } finally {
    await mock.close();
  }
}

/** Node and `sitepub test` read the certificate of a mock that serves https from here. */
function trustIn(file: string | undefined): Record<string, string> {
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file, SITEPUB_CA: file };
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env });
  // A terminal sends Ctrl-C to the command too; it decides what that means, and the mock stays up until it has ended.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new UsageError(`can't run "${command}": ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}
