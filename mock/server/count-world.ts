import { oldestDueMs } from '../clock/jobs.ts';
import type { Mock } from '../service.ts';
import type { Attempt } from '../world/entries.ts';

export function countWorld(mock: Mock): void {
  const { events, metrics, store } = mock;
  const requests = remember((operation: string) =>
    remember((status: number) => metrics.counter('sitepub_requests_total', { operation, status })),
  );
  events.on('request', ({ operation = 'none', answer }, _entry, isElsewhere) => {
    if (!isElsewhere) requests(operation)(answer?.status ?? 0).value++;
  });
  const attempts = remember((outcome: string) => metrics.counter('sitepub_attempts_total', { outcome }));
  events.on('attempt', (_delivery, attempt, isElsewhere) => {
    if (!isElsewhere) attempts(outcomeOf(attempt)).value++;
  });
  const leave = metrics.watch({
    oldestDueSeconds: () => oldestDueMs(mock.world) / 1000,
    claims: () =>
      [...mock.world.jobs.values()].filter(({ held }) => held && held.by === store?.shared?.id).length,
  });
  events.on('closing', leave);
}

/** Caches counters, since building the text of their labels would cost more than counting a request. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function outcomeOf({ outcome }: Attempt): string {
  if ('error' in outcome) return 'no-answer';
  const { status, refusal } = outcome;
  return status >= 200 && status <= 299 && refusal === undefined ? 'delivered' : 'refused';
}
