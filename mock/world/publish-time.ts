import type { Profile } from '../../openapi/profile.ts';
import type { World } from './world.ts';

/** How long a publish takes. A call that is answered at its end would wait for ever on a stopped clock, where nothing takes any time. */
export function publishMs({ values }: Profile, { clock }: World): number {
  if (values['publish.mode'] === 'synchronous' && clock.mode === 'manual') return 0;
  return values['publish.duration'] * 1000;
}
