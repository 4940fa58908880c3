// What the console shows first, and what changes from then on.
import { version } from '../../openapi/version.ts';
import type { JournalEntry } from '../http/journal.ts';
import { nextRetryAt } from '../webhooks/delivery-steps.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { DeliveryNoteView, InboxNoteView, OverviewView, RequestNoteView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { noteInbox } from './inbox-control.ts';
import { redactAddress, redactPath } from './redact-request.ts';
import { showClock } from './show-world.ts';
import { nameOfTenant } from './tenants.ts';
import { noteRequest, remember } from './watch.ts';

const mostRequests = 1000;
const mostDeliveries = 500;

export function overviewControl(mock: ControlledMock) {
  const notes = createNotes(mock);
  return {
    overview: (): OverviewView => ({
      version,
      profile: mock.profile.name,
      base_url: mock.addresses().baseUrl,
      clock: showClock(mock.world),
      operations: mock.operations,
      variations: [...mock.variationIds],
      faults: mock.faults.on(),
      requests: mock.journal
        .entries()
        .slice(-mostRequests)
        .map((entry) => notes.request(mock.world, entry)),
      evicted: mock.journal.evicted(),
      deliveries: [...mock.world.deliveries.values()]
        .filter(({ isGreeting }) => !isGreeting)
        .slice(-mostDeliveries)
        .map(notes.delivery),
      inboxes: [...mock.world.inboxes.keys()].flatMap((name) => notes.inbox(mock.world, name)),
    }),
  };
}

/** What is shown of things in lists. */
export function createNotes(mock: ControlledMock) {
  const showPath = remember(redactPath);
  return {
    request(world: World, { id, exchange }: JournalEntry): RequestNoteView {
      const { type: _, ...note } = noteRequest(exchange, {
        showPath,
        tenant: (one) => nameOfTenant(world, one),
      });
      return { id, ...note };
    },

    delivery(delivery: Delivery): DeliveryNoteView {
      const { id, event, channel, state } = delivery;
      return {
        id,
        site_id: delivery.siteId,
        subscription_id: delivery.subscriptionId,
        event,
        channel,
        created_at: isoTime(delivery.createdAt),
        url: redactAddress(delivery.url),
        state,
        attempts: delivery.attempts.map(noteAttempt),
        planned: plannedTimes(delivery, mock.profile).map(isoTime),
      };
    },

    /** None where it is gone. */
    inbox(world: World, name: string): InboxNoteView[] {
      const inbox = world.inboxes.get(name);
      return inbox ? [noteInbox(mock.addresses().controlUrl, name, inbox)] : [];
    },
  };
}

function noteAttempt({ at, cause, outcome }: Attempt): DeliveryNoteView['attempts'][number] {
  if ('error' in outcome) return { at: isoTime(at), cause, ok: false };
  const { status, refusal } = outcome;
  return { at: isoTime(at), cause, ok: status >= 200 && status <= 299 && refusal === undefined, status };
}

/** When the attempts to come are due, should each of them fail. */
function plannedTimes(delivery: Delivery, profile: ControlledMock['profile']): number[] {
  const times: number[] = [];
  if (delivery.state !== 'pending') return times;
  const isFirst = delivery.attempts.every(({ cause }) => cause === 'redelivery');
  let at: number | undefined = delivery.nextAttemptAt ?? (isFirst ? delivery.createdAt : undefined);
  const firstAttemptAt = delivery.firstAttemptAt ?? at ?? 0;
  for (let retries = delivery.retries + (isFirst ? 0 : 1); at !== undefined; retries++) {
    times.push(at);
    at = nextRetryAt({ ...delivery, retries, firstAttemptAt }, at, profile);
  }
  return times;
}
