import { switchFlag, textFlag } from '../options/flags.ts';
import { describeWorld } from './describe-world.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub reset`: puts the world back to the beginning. */
export const reset = steerCommand({
  usage: 'sitepub reset',
  notes: `Puts the world of the mock back as it was at the beginning, its clock included, and empties the log of requests.

  sitepub reset --tenant "Harbour Café"
  sitepub reset --keep-sessions`,
  flags: {
    tenant: textFlag('T', 'only what belongs to a tenant, by its id or name'),
    'keep-sessions': switchFlag('who is logged in stays so, such as a browser whose state a test has stored'),
  },
  run: putBack,
});

async function putBack({ mock, given, print }: Steering): Promise<number> {
  const summary = await mock.POST('/reset', {
    query: {
      tenant: given.text('tenant'),
      sessions: given.switched('keep-sessions') ? 'keep' : undefined,
    },
  });
  print(summary, [`back to the beginning: ${describeWorld(summary)}`]);
  return 0;
}
