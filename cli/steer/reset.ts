import { describeWorld } from './describe-world.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock reset`: puts the world back to the beginning. */
export const reset = steerCommand(putBack);

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
