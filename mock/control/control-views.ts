// What the control API shows and accepts, by the types of its description; secrets are hidden in all that is shown.
import type { components, operations } from '../../openapi/generated/control-types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { DeliveryState } from '../world/world.ts';

type Schemas = components['schemas'];
type Responses = components['responses'];

export interface HealthView extends Omit<Schemas['Health'], 'operations'> {
  operations: readonly OperationId[];
}

export type KeptView = Schemas['Health']['kept'];
export type ClockView = Schemas['Clock'];
export type MovedClockView = Schemas['MovedClock'];

/** `to` and `advance` exclude each other. */
export type ClockMove = Schemas['ClockMove'];

/** How much the world holds. */
export type WorldSummary = Schemas['WorldSummary'];

/** Sample values are sent without `data`. */
export type EventRequest = Schemas['Cause'];

export interface DeliveryFilter {
  /** Its id or its name. */
  tenant?: string | number;
  site_id?: number;
  subscription_id?: string | number;
  state?: DeliveryState;
}

export type DeliveryView = Schemas['Delivery'];
export type AttemptView = Schemas['Attempt'];
export type CausedAttemptView = MovedClockView['attempts'][number];
export type DrainView = operations['drain']['responses'][200]['content']['application/json'];

export interface RequestFilter {
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
  messages(): MessagesView;
  /** Deletes the messages and the prepared answers, but not the other settings. */
  clear(): InboxView;
}
