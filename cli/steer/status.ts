import { shown } from '../output/note-lines.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock status`: where the mock is, and how it behaves. */
export const status = steerCommand(show);

async function show({ mock, print }: Steering): Promise<number> {
  const health = await mock.GET('/health');
  const { on: faults } = await mock.GET('/faults');
  const { limits } = await mock.GET('/limits');
  const { base_url: url, version, profile, clock, store } = health;
  const used = limits.filter((limit) => limit.used > 0);
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['service', url],
    ['control API', mock.url],
    ['version', version],
    ['profile', profile.name],
    ['clock', `${clock.now} (${clock.mode})`],
    ['store', store ? `${store.engine}${store.problem ? `: ${store.problem}` : ''}` : 'none, in memory'],
    ['faults', faults.join(', ') || 'none'],
    [
      'limits',
      used.map((one) => `${one.used} of ${one.of} ${one.limit}, ${one.tenant}`).join('; ') || 'unused',
    ],
  ];
  print(
    { control_url: mock.url, ...health, faults, limits },
    rows.map(([name, value]) => `${name.padEnd(13)}${shown(value)}`),
  );
  return 0;
}
