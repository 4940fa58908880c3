// The three fields that every creation of a subscription needs, and creations with names for them.
import type { Exchange } from '../../core/exchange.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { plainEvents, sendCreation } from '../ask/create.ts';
import type { Probe } from '../probe.ts';

/** The names of these fields in a request. */
export type Names = Record<'url' | 'events' | 'channel', string>;

export const fields = ['url', 'events', 'channel'] as const;

export function eachField<T>(make: (field: keyof Names) => T): Record<keyof Names, T> {
  return { url: make('url'), events: make('events'), channel: make('channel') };
}

export interface Search {
  probe: Probe;
  /** The address of a path, at the receiver or elsewhere. */
  urlOf(path: string): string;
}

/** A creation; its pushes come to the path. */
export interface Sent {
  path: string;
  exchange: Exchange;
}

/** Sends a plain creation with these names; what has no name is left out. */
export async function sendNames(
  { probe, urlOf }: Search,
  { url, events, channel }: Partial<Names>,
): Promise<Sent> {
  const path = nextPath(probe);
  const target = urlOf(path);
  const body = {
    ...(url !== undefined && { [url]: target }),
    ...(events !== undefined && { [events]: plainEvents }),
    ...(channel !== undefined && { [channel]: 'custom' }),
  };
  return { path, exchange: await sendCreation(probe, body, { target }) };
}
