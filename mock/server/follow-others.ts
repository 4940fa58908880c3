import type { Mock } from '../service.ts';
import type { SharedStore } from '../store/store.ts';

/** Tells those who watch this mock what others do who share its world. */
export function followOthers({ events, scheduler }: Mock, { onNews, onRequest }: SharedStore): void {
  onRequest((entry, { isElsewhere }) => events.emit('request', entry.exchange, entry, isElsewhere));
  onNews((news) => {
    // There may be something to do for this one.
    scheduler.wake();
    if (!news) events.emit('replaced');
    for (const { delivery, attempt } of news?.attempts ?? []) events.emit('attempt', delivery, attempt, true);
    for (const delivery of news?.deliveries ?? []) events.emit('delivery', delivery);
    for (const message of news?.messages ?? []) events.emit('message', message);
    if (!news || news.hasClockMoved) events.emit('clock');
  });
}
