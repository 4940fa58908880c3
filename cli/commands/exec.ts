import { startMock } from '../../mock/start.ts';
import type { Given } from '../options/flags.ts';
import { mockEnvironment, withoutProxy } from '../options/mock-environment.ts';
import { readStartOptions } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useMock } from '../options/use-config.ts';
import { trustIn } from '../output/certificate-file.ts';
import { checkPlace, execInWorld } from './exec-in-world.ts';
import { takeSignals } from './run-command.ts';

/** `sitepub exec -- CMD`: runs a command while a mock is running, and returns its exit code. */
export async function exec(all: Given): Promise<number> {
  // Its own mock takes any free port, so that several may run.
  const given = await useMock(all, ['port', 'control-port']);
  const [command, ...commandArgs] = given.words;
  if (command === undefined)
    throw new UsageError(
      'the command to run is missing; put it after two dashes: `sitepub exec -- npm test`',
    );
  checkPlace(given);
  if (given.switched('in-running-mock')) return execInWorld(given, [command, ...commandArgs]);
  const run = takeSignals();
  const mock = await startMock(readStartOptions(given, 0));
  try {
    const env = {
      ...process.env,
      ...mockEnvironment(mock),
      ...withoutProxy(mock.baseUrl),
      ...trustIn(mock.certificate),
      SITEPUB_PROFILE: given.text('profile') ?? 'default',
    };
    return await run(command, commandArgs, env);
  } finally {
    await mock.close();
  }
}
