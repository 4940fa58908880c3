import type { ServiceEvents } from '../service.ts';

type Heard = ServiceEvents extends NodeJS.EventEmitter<infer Events> ? Events : never;

type Listeners = { [Name in keyof Heard]?: (...heard: Heard[Name]) => void };

/** Listens to what happens. Returns what ends it. */
export function follow(events: ServiceEvents, listeners: Listeners): () => void {
  const pairs = Object.entries(listeners) as [keyof Heard, (...heard: unknown[]) => void][];
  for (const [name, listener] of pairs) events.on(name, listener);
  return () => {
    for (const [name, listener] of pairs) events.off(name, listener);
  };
}
