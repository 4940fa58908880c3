import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asCleanUp } from '../core/clean-up-scope.ts';
import { interruption } from '../core/outcomes.ts';
import { requireGoingOn } from './send-request.ts';

test('after an interruption the clean-up goes on, and what a check has begun before it does not', async () => {
  const interrupted = { signal: AbortSignal.abort(), ended: undefined };
  const goOn = () => requireGoingOn(interrupted);
  const check = sleep(5).then(goOn);
  const cleanUp = asCleanUp(async () => {
    await sleep(10);
    goOn();
  });
  await expect(check).rejects.toThrow(interruption.reason);
  await expect(cleanUp).resolves.toBeUndefined();
});
