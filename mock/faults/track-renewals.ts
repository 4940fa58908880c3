import type { Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { Wrap } from './fault.ts';
import { wrapHandler } from './wrap-calls.ts';

/** For faults that tell the tokens of renewals from those of logins. */
export function trackRenewals(make: (isRenewed: (caller: Caller | undefined) => boolean) => Wrap): Wrap {
  return (own, aids) => {
    const renewed = new Set<string>();
    const noting = wrapHandler(['refresh'], async (call, renew) => {
      const values = await renew(call);
      renewed.add(digest(String(values.token)));
      return values;
    });
    const steps = { ...own, ...noting(own, aids) };
    const wrap = make((caller) => renewed.has(caller?.session?.key ?? ''));
    return { ...steps, ...wrap(steps, aids) };
  };
}
