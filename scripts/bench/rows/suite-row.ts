import type { SuiteOptions } from '../../../contract-tests/core/suite-options.ts';
import { runSuite } from '../../../contract-tests/run/run-suite.ts';
import { loadProfile, statedValues } from '../../../openapi/profile.ts';
import { mockEnvironment } from '../../options/mock-environment.ts';
import { type Ready, runSitepub, startMockCommand } from '../mock-command.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** The tier `safe` of the suite as a command, against a new mock. */
export const suite: Row = {
  id: 'suite',
  measure: async ({ isQuick }) => outcomeOf(await measureRounds(isQuick ? 1 : 5, runOnce), 1.5),
};

/** The tier `full` in a warm process, against a warm mock. */
export const wholeSuite: Row = { id: 'suite-full', measure: measureWarm };

async function measureWarm({ isQuick }: Scale): Promise<Outcome> {
  const { ready, stop } = await startMockCommand();
  const options = optionsFor(ready);
  const runWarm = async () => {
    const startedAt = performance.now();
    const { results, abort } = await runSuite(options);
    const broken = results.find(({ result }) => result.outcome === 'failed' || result.outcome === 'error');
    const problem = abort?.reason ?? (broken && `${broken.result.id}: ${broken.result.reason}`);
    if (problem !== undefined) throw new Error(`the suite did not clear the mock: ${problem}`);
    return (performance.now() - startedAt) / 1000;
  };
  try {
    return outcomeOf(await measureRounds(isQuick ? 1 : 15, runWarm), 0.8);
  } finally {
    await stop();
  }
}

function outcomeOf(rounds: readonly number[], most: number): Outcome {
  const seconds = median(rounds);
  const figure = { measured: `${seconds.toFixed(2)} s`, value: seconds, unit: 's' };
  return { figures: [{ ...figure, budget: { kind: 'at most', value: most } }], rounds };
}

function optionsFor({
  base_url: baseUrl,
  control_url: controlUrl,
  tenants: [own, other],
}: Ready): SuiteOptions {
  const [account, second] = own?.users ?? [];
  const [foreign] = other?.users ?? [];
  const [siteId] = own?.site_ids ?? [];
  const [foreignId] = other?.site_ids ?? [];
  if (!own || !account || !second || !foreign || siteId === undefined || foreignId === undefined)
    throw new Error('the demo world is not whole');
  return {
    baseUrl,
    controlUrl,
    profile: { name: 'default', stated: statedValues(loadProfile('default')) },
    account,
    second,
    other: { ...foreign, siteId: foreignId },
    apiKey: own.api_key,
    siteId,
    tier: 'full',
    only: [],
    skip: [],
    maxWaitMs: 0,
    receiver: {},
  };
}

async function runOnce(): Promise<number> {
  const startedAt = performance.now();
  const mock = await startMockCommand();
  try {
    const tenants = mock.ready.tenants.map(({ users, api_key: apiKey, site_ids: ids }) => {
      return { users, apiKey, sites: ids.map((id) => ({ id })) };
    });
    const { base_url: baseUrl, control_url: controlUrl } = mock.ready;
    const env = mockEnvironment({ baseUrl, controlUrl, controlToken: undefined, tenants });
    const code = await runSitepub(['test', '--profile', 'default'], env);
    if (code !== 0) throw new Error(`\`sitepub test\` against the mock ended with exit code ${code}`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await mock.stop();
  }
}
