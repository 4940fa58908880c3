import { type MockCommand, runSitepub, startMockCommand } from '../mock-command.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** The suite's tier `safe` against a mock that is started for it. */
export const suite: Row = { id: 'suite', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const rounds: number[] = [];
  // The first round fills the caches of the file system and does not count.
  for (let round = 0; round <= (isQuick ? 1 : 5); round++) rounds.push(await runOnce());
  const seconds = median(rounds.slice(1));
  const figure = { measured: `${seconds.toFixed(2)} s`, value: seconds, unit: 's' };
  return { figures: [{ ...figure, budget: { kind: 'at most', value: 3 } }], rounds: rounds.slice(1) };
}

async function runOnce(): Promise<number> {
  const startedAt = performance.now();
  const mock = await startMockCommand();
  try {
    const code = await runSitepub(argumentsFor(mock), environmentFor(mock));
    if (code !== 0) throw new Error(`\`sitepub test\` against the mock ended with exit code ${code}`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await mock.stop();
  }
}

function argumentsFor({ ready }: MockCommand): string[] {
  return ['test', '--base-url', ready.base_url, '--profile', 'default', '--control-url', ready.control_url];
}

function environmentFor({ ready }: MockCommand): Record<string, string> {
  const [main, other] = ready.tenants;
  const [user, second] = main?.users ?? [];
  const [stranger] = other?.users ?? [];
  return {
    SITEPUB_USERNAME: user?.username ?? '',
    SITEPUB_PASSWORD: user?.password ?? '',
    SITEPUB_API_KEY: main?.api_key ?? '',
    SITEPUB_SITE_ID: String(main?.site_ids[0] ?? ''),
    SITEPUB_SECOND_USERNAME: second?.username ?? '',
    SITEPUB_SECOND_PASSWORD: second?.password ?? '',
    SITEPUB_OTHER_USERNAME: stranger?.username ?? '',
    SITEPUB_OTHER_PASSWORD: stranger?.password ?? '',
    SITEPUB_OTHER_SITE_ID: String(other?.site_ids[0] ?? ''),
  };
}
