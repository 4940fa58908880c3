import { visible } from '../../contract-tests/core/visible-text.ts';
import { showStoreUrl } from '../../mock/store/store-url.ts';
import type { Environment, Given } from '../options/flags.ts';
import { readStore } from '../options/mock-options.ts';

/** What a mock does otherwise than one that is started without flags, in lines; none where there is nothing. */
export function unusualSettings(given: Given, environment: Environment = process.env): string[] {
  const lists = { fault: given.list('fault'), vary: given.list('vary') };
  const rows: [name: string, value: string | undefined][] = [
    ['profile', otherThan('default', given.text('profile'))],
    ['world', given.text('world')],
    ['store', readStore(given, environment)?.replace(/^.*$/s, showStoreUrl)],
    [
      'watching',
      given.switched('watch') ? 'the world file and the profile are read anew when they change' : undefined,
    ],
    ['tenants', otherThan('2', given.text('tenants'))],
    ['clock', given.text('clock') === 'manual' ? 'stands still until it is moved' : undefined],
    ['seed', otherThan('1', given.text('seed'))],
    ['limits', given.text('limits') === 'off' ? 'off: any number of calls a minute' : undefined],
    ['latency', given.text('latency')?.replace(/$/, ' ms')],
    ['faults', lists.fault.join(', ') || undefined],
    ['variations', lists.vary.join(', ') || undefined],
    ['CORS', given.switched('cors') ? 'web pages of any origin may call the service' : undefined],
    [
      'targets',
      given.switched('refuse-private-targets') ? 'those in private networks are refused' : undefined,
    ],
  ];
  const unusual = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return unusual.map(([name, value]) => `  ${name.padEnd(12)}  ${visible(value)}`);
}

function otherThan(usual: string, value: string | undefined): string | undefined {
  return value === usual ? undefined : value;
}
