// What other processes have done in a shared world, for those who watch.
import type { Attempt, Delivery, InboxMessage } from '../../world/entries.ts';

export interface News {
  /** Attempts that others have made. */
  attempts: { delivery: Delivery; attempt: Attempt }[];
  /** Deliveries that others have added, or changed without an attempt. */
  deliveries: Delivery[];
  /** Messages that came to an inbox of another process. */
  messages: InboxMessage[];
  hasClockMoved: boolean;
}

export function noNews(): News {
  return { attempts: [], deliveries: [], messages: [], hasClockMoved: false };
}

/** Notes what is new about a delivery. */
export function noteDelivery(news: News, before: Delivery | undefined, now: Delivery): void {
  const fresh = now.attempts.slice(before?.attempts.length ?? 0);
  for (const attempt of fresh) news.attempts.push({ delivery: now, attempt });
  if (fresh.length === 0) news.deliveries.push(now);
}
