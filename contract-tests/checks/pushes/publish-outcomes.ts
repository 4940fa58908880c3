import type { EventName } from '../../../openapi/generated/types.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { eventRun, waitForSilence } from '../../events/event-run.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush, eventNamed, versionOf } from '../../push-receiver/read-push.ts';
import { beginEventRun, eventsTo } from './seen-pushes.ts';

/** A publish finishes or fails, and not both; a push may come twice. */
export const publishOutcomes: readonly Check[] = [
  {
    id: 'event-11-no-completion-of-a-failure',
    requirement: 'EVENT-11',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site', 'operation:fail-publish'],
    prepare: beginEventRun,
    run: async (context) => {
      const { complete, failed } = await outcomesOf(context);
      const failing = sentOf(context, 'failPublish');
      // Where fewer failures came than were caused, the call may let no publish fail.
      if (failing.length === 0 || failed.length < failing.length)
        throw new NotVerified('not every publish that was to fail did; see EVENT-12');
      const finished = answered(context, 'publishSite');
      const named = complete.map(versionOf);
      if (!finished.every((version) => named.includes(version)))
        throw new NotVerified(
          'the pushes do not name every publish that was answered; see EVENT-5 and EVENT-11',
        );
      const versions = answered(context, 'failPublish').filter((version) => !finished.includes(version));
      const wrong = complete.find((push) => versions.includes(versionOf(push)));
      if (wrong)
        throw new PromiseBroken(
          `no publish.complete of version ${versionOf(wrong)}, whose publish failed`,
          describePush(wrong),
        );
    },
  },
  {
    id: 'event-12-no-failure-of-a-completion',
    requirement: 'EVENT-12',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site'],
    prepare: beginEventRun,
    run: async (context) => {
      const { complete, failed } = await outcomesOf(context);
      if (complete.length === 0) throw new NotVerified('no publish finished; see EVENT-11');
      const finished = complete.map(versionOf).filter((version) => typeof version === 'number');
      const wrong = failed.find((push) => finished.includes(versionOf(push) as number));
      // Some failures may be of others' publishes; as many as all of ours are not.
      const isEach =
        complete.length > 1 && failed.length >= sentOf(context, 'failPublish').length + complete.length;
      const shown = wrong ?? (isEach ? failed.at(-1) : undefined);
      if (shown)
        throw new PromiseBroken(
          `publish.complete or publish.failed for each publish, and not both for the ${complete.length} that finished`,
          `${failed.length} times publish.failed as well: ${describePush(shown)}`,
        );
    },
  },
];

/** The pushes about finished and failed publishes at the subscriptions that chose them alone, each once. */
async function outcomesOf(context: Context): Promise<{ complete: Push[]; failed: Push[] }> {
  const { only } = await eventRun(context);
  await waitForSilence(context);
  const pushesAbout = (event: EventName) => {
    const pushes = eventsTo(context, only.get(event)).filter((push) => eventNamed(push) === event);
    return [...new Map(pushes.map((push) => [push.body.toString('latin1'), push])).values()];
  };
  return { complete: pushesAbout('publish.complete'), failed: pushesAbout('publish.failed') };
}

/** The requests so far on the site under test, those without an answer included. */
function sentOf({ requests, siteId }: Context, id: OperationId) {
  return requests.filter(
    ({ operation, values }) => operation === id && String(values.siteID) === String(siteId),
  );
}

function answered(context: Context, id: OperationId): unknown[] {
  return sentOf(context, id).flatMap(({ exchange }) => {
    const version = exchange && succeeded(exchange) ? exchange.values.version : undefined;
    return typeof version === 'number' ? [version] : [];
  });
}
