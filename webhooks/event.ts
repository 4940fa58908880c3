import type { components, EventName } from '../openapi/generated/types.ts';
import type { IdOf, Ids, WithIds } from './identifiers.ts';

type Schemas = components['schemas'];

/** The `data` of `publish.complete`. */
export type PublishCompleteData = NonNullable<Schemas['PublishCompleteEvent']['data']>;

/**
 * A push, discriminated by `event`. The interface document defines only the `data` of `publish.complete` (section 6.3).
 * A service may add event names later, so a `switch` needs a `default`. `I` is the type of identifiers.
 */
export type WebhookEvent<I extends Ids = 'number'> = I extends 'number'
  ? AnyEvent
  : WithIds<AnyEvent, IdOf<I>>;

type AnyEvent = { [Name in EventName]: EventOf<Name> }[EventName];

export type { EventName };

interface EventOf<Name extends EventName> extends Omit<Schemas['EventBody'], 'event' | 'data'> {
  event: Name;
  data: Name extends 'publish.complete' ? PublishCompleteData : Record<string, unknown>;
}
