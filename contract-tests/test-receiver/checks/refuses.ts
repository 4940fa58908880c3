import { requireRejected } from '../expect-push.ts';
import type { Difference } from '../make-push.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

type Wrong = Difference | ((context: ReceiverContext) => Difference | Promise<Difference>);

/** A check of RECV-2: a push that is wrong in one way is refused. */
export function refuses(name: string, what: string, wrong: Wrong): ReceiverCheck {
  const id = `recv-2-${name}`;
  return {
    id,
    requirement: 'RECV-2',
    what,
    pushes: 1,
    run: async (context) => {
      const trial = await context.sendNew(typeof wrong === 'function' ? await wrong(context) : wrong);
      context.refusals.push({ id, trial });
      requireRejected(what, trial);
    },
  };
}
