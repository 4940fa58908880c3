// `sitepub exec -- CMD`: runs a command with a mock, or in a separate world of a running mock.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { show } from '../../mock/control/long-id-control.ts';
import { startMock } from '../../mock/start.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { statedValues } from '../../openapi/profile.ts';
import { isThisMachine } from '../../openapi/this-machine.ts';
import { readProfile } from '../options/deployment-options.ts';
import { type Given, readSecret } from '../options/flags.ts';
import { controlFlags, worldExecFlags } from '../options/mock-flags.ts';
import { mockEnvironment, readStartOptions, withoutProxy } from '../options/mock-options.ts';
import { readChoice, readIsoDuration, readSeed } from '../options/read-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { useMock } from '../options/use-config.ts';
import { trustIn } from '../output/certificate-file.ts';
import { findMock, type MockClient, Refused } from '../steer/mock-client.ts';
import { forwardSignals } from './run-command.ts';

export async function exec(all: Given): Promise<number> {
  // Any free port, so that several commands can run at once.
  const given = await useMock(all, ['port', 'control-port']);
  const [command, ...commandArgs] = given.words;
  if (command === undefined)
    throw new UsageError(
      'the command to run is missing; put it after two dashes: `sitepub exec -- npm test`',
    );
  checkPlace(given);
  if (given.switched('in-running-mock')) return execInWorld(given, [command, ...commandArgs]);
  const run = forwardSignals();
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

/** Throws UsageError for a flag without effect. Variables are allowed, because they may be set for other commands. */
export function checkPlace(given: Given): void {
  const isInWorld = given.switched('in-running-mock');
  const idle = given.cliFlags.find((name) =>
    isInWorld ? !worldExecFlags.includes(name) : name === 'expires-in' || name in controlFlags,
  );
  if (idle === undefined) return;
  throw new UsageError(
    isInWorld
      ? `--${idle} and --in-running-mock cannot be used together; remove one`
      : `--${idle} needs --in-running-mock; pass both or none`,
  );
}

/** Returns the exit code of the command. Throws MockUnreachable or Refused if no world can be created. */
export async function execInWorld(given: Given, [command = '', ...args]: readonly string[]): Promise<number> {
  const request = await readRequest(given);
  const run = forwardSignals();
  const mock = findMock(given);
  const world = await mock.POST('/worlds', { body: request });
  try {
    return await run(command, args, { ...environmentOf(world, given), ...trustIn(mock.trusted) });
  } finally {
    await end(mock, world.name);
  }
}

/** If the mock requires a control token, the command gets one that is valid only for its world. */
async function readRequest(given: Given): Promise<Schemas['WorldRequest']> {
  const world = given.text('world');
  const clock = readChoice(given, 'clock', ['real', 'manual']);
  const seed = readSeed(given);
  const [variations, faults] = [given.list('vary'), given.list('fault')];
  const profile = readProfile(given);
  return {
    name: `exec-${randomBytes(6).toString('hex')}`,
    expires_in: readIsoDuration(given.text('expires-in') ?? 'P1D'),
    control_token: readSecret('SITEPUB_CONTROL_TOKEN') !== undefined,
    ...(clock !== undefined && { clock }),
    ...(seed !== undefined && { seed }),
    ...(profile && { profile: { name: profile.name, values: statedValues(profile) } }),
    ...(world !== undefined && { world: await readWorld(world) }),
    ...(variations.length > 0 && { variations }),
    ...(faults.length > 0 && { faults }),
  };
}

async function readWorld(file: string): Promise<Record<string, unknown>> {
  // Loaded on demand, because it is by far the slowest import.
  const { readWorldFile } = await import('../../mock/world-file/read-world-file.ts');
  return { ...show(readWorldFile(file)) };
}

/** The same variables as for a new mock. Without --profile, sitepub commands read the profile from the control API. */
function environmentOf(world: Schemas['CreatedWorld'], given: Given): NodeJS.ProcessEnv {
  const { base_url: baseUrl, control_url: controlUrl, control_token: controlToken } = world;
  const tenants = world.tenants.map(({ users, api_key: apiKey, site_ids: sites }) => ({
    users,
    apiKey,
    sites: sites.map((id) => ({ id })),
  }));
  return {
    ...process.env,
    ...mockEnvironment({ baseUrl, controlUrl, controlToken, tenants }),
    // A mock on another machine may be behind the proxy.
    ...(isThisMachine(new URL(baseUrl).hostname) && withoutProxy(baseUrl)),
    SITEPUB_PROFILE: given.text('profile'),
    // The command must not get the token of the whole mock.
    SITEPUB_CONTROL_TOKEN_FILE: undefined,
  };
}

const longestEndMs = 5000;

/** Failures are only reported, because the world expires anyway. */
async function end(mock: MockClient, name: string): Promise<void> {
  const call = async () => {
    try {
      await mock.DELETE('/worlds/{name}', { path: { name } });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return;
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`sitepub: the world ${name} was not deleted: ${reason}`);
    }
  };
  await Promise.race([call(), sleep(longestEndMs, undefined, { ref: false })]);
}
