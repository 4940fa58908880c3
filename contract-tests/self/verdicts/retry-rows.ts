import { answering, dataOf } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

/** Real time, with short waits: what the log shows late comes after the arrival timeout, and within the patience. */
const realTime = { control: false } as const;
const log = { tier: 'full', only: ['LOG-1', 'EVENT-11'], arrivalMs: 300, patienceMs: 6_000 } as const;

export const retryRows: readonly VerdictRow[] = [
  {
    behaviour: 'a push log that lags by 2 s, longer than the run waits for it',
    run: () => ({ ...realTime, tamper: () => hiddenLog(2_000), options: log }),
    passes: ['LOG-1', 'EVENT-11'],
    remarks: ['late'],
  },
  {
    behaviour: 'a push log that never shows anything',
    run: () => ({
      ...realTime,
      tamper: () => hiddenLog(Number.POSITIVE_INFINITY),
      options: { ...log, patienceMs: 2_000 },
    }),
    fails: ['LOG-1'],
  },
];

/** Shows an empty log until some time after it was read first. */
function hiddenLog(ms: number): Tamper {
  let readAt: number | undefined;
  return answering(
    ({ message: { path } }) => /\/deliveries(\?|$)/.test(path),
    (body) => {
      readAt ??= Date.now();
      const isShown = Date.now() - readAt > ms;
      return isShown ? body : { ...body, data: { ...dataOf(body), list: [], total: 0 } };
    },
  );
}
