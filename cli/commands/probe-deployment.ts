// A discovery, with what is under way shown on a terminal.

import { visible } from '../../contract-tests/core/visible-text.ts';
import { ControlError } from '../../contract-tests/deployment/control-api.ts';
import { type Discovery, discover } from '../../contract-tests/discover/discover.ts';
import type { DiscoverOptions } from '../../contract-tests/discover/options.ts';
import { ReceiverError } from '../../contract-tests/push-receiver/push-receiver.ts';
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
