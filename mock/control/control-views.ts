// What the control API shows and accepts, by the types of its description; secrets are hidden in all that is shown.
import type { components, operations } from '../../openapi/generated/control-types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { DeliveryState } from '../world/entries.ts';

type Schemas = components['schemas'];
type Responses = components['responses'];

export interface HealthView extends Omit<Schemas['Health'], 'operations'> {
  operations: readonly OperationId[];
}

export type LiveView = Schemas['Live'];
export type ReadyView = Schemas['Ready'];
export type KeptView = Schemas['Health']['kept'];
export type StoreView = NonNullable<Schemas['Health']['store']>;
export type ClockView = Schemas['Clock'];
export type MovedClockView = Schemas['MovedClock'];

/** `to` and `advance` exclude each other. */
export type ClockMove = Schemas['ClockMove'];

/** How much the world holds. */
export type WorldSummary = Schemas['WorldSummary'];

/** Without `data`, the values of what the site has are sent. */
export type EventRequest = Schemas['Cause'];

/** Of a long list. The pages of a list have one order. */
export interface PageRequest {
  /** As the answer with the page before had it under `next`. */
  cursor?: number;
  /** At most 100, which is the default. */
  limit?: number;
  /** Which come first. Default: oldest. */
  order?: 'oldest' | 'newest';
}

export interface SiteFilter extends PageRequest {
  /** Its id or its name. */
  tenant?: string | number;
}

interface Listed {
  /** How many there are on all pages. */
  total: number;
  next?: number;
}

export interface SitesView extends Listed {
  sites: Schemas['Site'][];
}

export interface ContentsView extends Listed {
  contents: Schemas['Content'][];
}

export interface SubmissionsView extends Listed {
  submissions: Schemas['Submission'][];
}

export interface CommentsView extends Listed {
  comments: Schemas['Comment'][];
}

export type PublicationView = Schemas['Publication'];

export interface PublicationsView extends Listed {
  publications: PublicationView[];
}

export interface SubscriptionsView extends Listed {
  subscriptions: Schemas['Subscription'][];
}

export interface DeliveriesView extends Listed {
  deliveries: DeliveryView[];
}

export interface DeliveryFilter extends PageRequest {
  /** Its id or its name. */
  tenant?: string | number;
  site_id?: number;
  subscription_id?: string | number;
  state?: DeliveryState;
}

export type WorldRequest = Schemas['WorldRequest'];
/** A world, without what gives access to it. */
export type WorldView = Schemas['NamedWorld'];
export type CreatedWorldView = Schemas['CreatedWorld'];
export type WorldsView = Schemas['Worlds'];

export type DeliveryView = Schemas['Delivery'];
export type AttemptView = Schemas['Attempt'];
export type CausedAttemptView = MovedClockView['attempts'][number];
export type DrainView = operations['drain']['responses'][200]['content']['application/json'];

export interface RequestFilter extends PageRequest {
  /** Its id or its name. */
  tenant?: string | number;
  operation?: OperationId;
  /** Those with a greater id only. */
  after?: number;
}

/** A request of the service. */
export interface RequestView extends Omit<Schemas['Request'], 'operation'> {
  operation?: OperationId;
}

export interface JournalView extends Omit<Schemas['Journal'], 'requests'> {
  requests: RequestView[];
}

export interface OverrideView extends Omit<Schemas['Override'], 'operation'> {
  operation: OperationId;
}

export interface OverridesView {
  overrides: OverrideView[];
}

export interface OverviewView extends Omit<Schemas['Overview'], 'operations'> {
  operations: readonly OperationId[];
}

export type ChangesView = Schemas['Changes'];
export type RequestNoteView = Schemas['RequestNote'];
export type DeliveryNoteView = Schemas['DeliveryNote'];
export type InboxNoteView = Schemas['InboxNote'];
export type TenantView = Schemas['Tenant'];
export type SiteView = Schemas['SiteInside'];
export type ServiceCallRequest = Schemas['ServiceCall'];
export type ServiceAnswerView = operations['callOperation']['responses'][200]['content']['application/json'];

export type FaultsView = Responses['Faults']['content']['application/json'];

export interface FaultChoice {
  on: readonly string[];
}

/** One of them, or neither for all tokens. */
export type ExpireRequest = Schemas['Expiry'];

export type LimitView = Schemas['Limit'];
export type LimitsView = Responses['Limits']['content']['application/json'];

/** What is left out stays as it is. */
export type InboxRequest = Schemas['InboxSettings'];

export type InboxView = Schemas['Inbox'];
export type MessagesView = Schemas['Messages'];
/** A message as it came. */
export type MessageView = Schemas['Message'];

/** A built-in webhook receiver. */
export interface InboxControl {
  /** The receiving URL of its subscriptions. */
  url: string;
  /** Members that are left out stay as they are. */
  configure(settings: InboxRequest): InboxView;
  messages(page?: PageRequest): MessagesView;
  /** Deletes the messages and the prepared answers, but not the other settings. */
  clear(): InboxView;
}
