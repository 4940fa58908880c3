// What the commands that probe a deployment do alike: show what is under way, and tell what is left behind.
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { ControlError } from '../../contract-tests/deployment/control-api.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import { type Discovery, discover } from '../../contract-tests/discover/discover.ts';
import type { DiscoverOptions } from '../../contract-tests/discover/discover-options.ts';
import { ReceiverError } from '../../contract-tests/push-receiver/push-receiver.ts';
import { visible } from '../../openapi/visible-text.ts';
import { UsageError } from '../options/usage-error.ts';
import { sayWaits } from '../output/progress.ts';

/** An error that prevents the start is a wrong call of the command. */
export async function probeDeployment(options: DiscoverOptions): Promise<Discovery> {
  try {
    return await discover({
      ...options,
      ...(process.stderr.isTTY ? { onProgress: showProgress } : { onWait: sayWaits() }),
    });
  } catch (error) {
    if (error instanceof ControlError || error instanceof ReceiverError) throw new UsageError(error.message);
    throw error;
  } finally {
    clearProgress();
  }
}

/** One line, which is overwritten each time. */
function showProgress(text: string): void {
  process.stderr.write(`\r\u001b[K${visible(text)} …`);
}

/** Before anything else is said. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

/** Says what is left behind, and how it is deleted later. */
export function printLeftovers(
  { leftovers, doubtful }: Pick<Discovery, 'leftovers' | 'doubtful'>,
  journal: string,
): void {
  for (const { what, id, target } of leftovers)
    console.error(
      visible(
        `  left behind: ${what} ${id ?? '(its identifier is not known)'}${target ? `, ${target}` : ''}`,
      ),
    );
  const kinds = [
    ...new Set(doubtful.map(({ what, site }) => (site === undefined ? what : `${what} on site ${site}`))),
  ];
  if (doubtful.length > 0)
    console.error(
      visible(
        `  perhaps left behind: ${doubtful.length} creations failed, and nothing shows whether they were carried out (${kinds.join(', ')})`,
      ),
    );
  if ([...leftovers, ...doubtful].some(canBeDeleted))
    console.error(
      `  what can be deleted of it is listed in ${visible(journal)}; \`sitepub cleanup --journal ${plainWord(journal)}\` does it, once its profile says how`,
    );
}
