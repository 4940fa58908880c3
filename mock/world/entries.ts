// The entries of the world, as `World` of openapi/mock-control.yaml describes them. They are read-only: who changes one takes it by `edit` (see collection.ts). Times are milliseconds since 1970.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { ReadOnly } from './collection.ts';

/** A world as plain JSON, with an object or a list in place of each collection; without the faults, which are chosen for the mock. */
export type Snapshot = Schemas['World'];

type EntryOf<Name extends keyof Snapshot> =
  Required<Snapshot>[Name] extends Record<string, infer Entry> ? ReadOnly<Entry> : never;

export type Tenant = EntryOf<'tenants'>;
export type User = EntryOf<'users'>;
export type Session = EntryOf<'sessions'>;
export type ApiKey = EntryOf<'apiKeys'>;
export type Site = EntryOf<'sites'>;
export type Content = EntryOf<'contents'>;
export type Submission = EntryOf<'submissions'>;
export type Comment = EntryOf<'comments'>;
export type Publication = EntryOf<'publications'>;
export type Subscription = EntryOf<'subscriptions'>;
export type FirstAnswer = EntryOf<'firstAnswers'>;
/** Its value is plain data, which is replaced and never changed. */
export type Remembered = EntryOf<'faultMemory'>;
export type Override = ReadOnly<Snapshot['overrides'][number]>;

/** A push to one subscription. Its content is fixed when it is recorded, so every attempt sends the same bytes. */
export type Delivery = Omit<EntryOf<'deliveries'>, 'nextAttemptAt'> & {
  readonly nextAttemptAt?: number | undefined;
};
export type Attempt = Delivery['attempts'][number];
export type AttemptCause = Attempt['cause'];

export type Job = ReadOnly<Snapshot['jobs'][number]> & {
  /** Who works on it, where several processes share the world, and until when it is theirs. No snapshot has that. */
  readonly held?: { readonly by: string; readonly until: number } | undefined;
};
export type Task = Job['task'];

/** A snapshot has its messages within it. */
export type Inbox = Omit<EntryOf<'inboxes'>, 'messages'>;
export type InboxStep = Schemas['InboxStep'];
export type RobotSettings = Inbox['robot'];
/** The times are those of the latest messages that count. */
export type RobotState = Inbox['robotState'];

export type InboxMessage = EntryOf<'inboxes'>['messages'][number] & {
  /** The name of its inbox. */
  readonly inbox: string;
};
