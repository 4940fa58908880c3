import { mockEnvironment } from '../../options/mock-environment.ts';
import { runSitepub, startMockCommand } from '../mock-command.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** The tier `safe` of the suite, against a new mock. */
export const suite: Row = { id: 'suite', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const rounds = await measureRounds(isQuick ? 1 : 5, runOnce);
  const seconds = median(rounds);
  const figure = { measured: `${seconds.toFixed(2)} s`, value: seconds, unit: 's' };
  return { figures: [{ ...figure, budget: { kind: 'at most', value: 3 } }], rounds };
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
