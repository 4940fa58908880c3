import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { mockEnvironment } from '../options/mock-environment.ts';
import { mockFlags, profileOf, startMockFromFlags } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { withoutProxy } from '../options/without-proxy.ts';
import { trustIn } from '../output/certificate-file.ts';
import { checkPlace, execInWorld, worldFlags } from './exec-in-world.ts';
import { takeSignals } from './run-command.ts';

const flags: Flags = {
  port: textFlag('N', 'port of the mock (default: any free one)'),
  ...mockFlags,
  ...worldFlags,
};

/** `sitepub exec -- CMD`: runs a command while a mock is running, and returns its exit code. */
export async function exec(args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const usage = 'sitepub exec -- CMD: runs a command while a mock is running';
  const own = end === -1 ? args : args.slice(0, end);
  const given = readFlagsOrHelp(own, flags, { usage });
  if (!given) return 0;
  const [command, ...commandArgs] = end === -1 ? [] : args.slice(end + 1);
  if (command === undefined)
    throw new UsageError(
      'the command to run is missing; put it after two dashes: `sitepub exec -- npm test`',
    );
  checkPlace(own, given);
  if (given.switched('world-of-its-own')) return execInWorld(given, [command, ...commandArgs]);
  const run = takeSignals();
  const mock = await startMockFromFlags(given, 0);
  try {
    const env = {
      ...process.env,
      ...mockEnvironment(mock),
      ...withoutProxy(mock.baseUrl),
      ...trustIn(mock.certificate),
      SITEPUB_PROFILE: profileOf(given),
    };
    return await run(command, commandArgs, env);
  } finally {
    await mock.close();
  }
}
