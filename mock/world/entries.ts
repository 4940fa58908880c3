// The types come from `World` in openapi/mock-control.yaml. All times are milliseconds since 1970.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { ReadOnly } from './collection.ts';

/** A world as plain JSON: each collection is an object or a list. Faults are not included. */
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
/** The value is replaced, never mutated. */
export type Remembered = EntryOf<'faultMemory'>;
export type Override = ReadOnly<Snapshot['overrides'][number]>;

/** A push to one subscription. Its content is fixed when it is recorded, so every attempt sends the same bytes. */
export type Delivery = Omit<EntryOf<'deliveries'>, 'nextAttemptAt'> & {
  readonly nextAttemptAt?: number | undefined;
};
export type Attempt = Delivery['attempts'][number];
export type AttemptCause = Attempt['cause'];

export type Job = ReadOnly<Snapshot['jobs'][number]> & {
  /** The process that has claimed the job, and the end of the claim by the clock of the store. Snapshots omit it. */
  readonly held?: { readonly by: string; readonly until: number } | undefined;
};
export type Task = Job['task'];

export type Inbox = Omit<EntryOf<'inboxes'>, 'messages'>;
export type InboxStep = Schemas['InboxStep'];
export type RobotSettings = Inbox['robot'];
export type RobotState = Inbox['robotState'];

export type InboxMessage = EntryOf<'inboxes'>['messages'][number] & {
  readonly inbox: string;
};
