import type { components, EventName } from '../openapi/generated/types.ts';

type Schemas = components['schemas'];

/** What a push of `publish.complete` says of a publish. */
export type PublishCompleteData = NonNullable<Schemas['PublishCompleteEvent']['data']>;

/**
 * A push, told apart by `event`. The interface document shows the `data` of `publish.complete` alone.
 * A service may come to push events under further names; they arrive all the same, so give a `switch` a `default`.
 */
export type WebhookEvent = { [Name in EventName]: EventOf<Name> }[EventName];

export type { EventName };

interface EventOf<Name extends EventName> extends Omit<Schemas['EventBody'], 'event' | 'data'> {
  event: Name;
  data: Name extends 'publish.complete' ? PublishCompleteData : Record<string, unknown>;
}
