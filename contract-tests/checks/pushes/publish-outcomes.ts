import type { EventName } from '../../../openapi/generated/types.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotApplicable, PromiseBroken } from '../../core/outcomes.ts';
import { isJsonNumber } from '../../core/parse-json.ts';
import { eventRun, waitForSilence } from '../../events/event-run.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush, eventNamed, versionOf } from '../../push-receiver/read-push.ts';
import { arrivalIfAny } from '../../push-receiver/wait-for-push.ts';
import { beginEventRun, eventsTo } from './seen-pushes.ts';

/** A publish finishes or fails, and not both; a push may come twice. */
export const publishOutcomes: readonly Check[] = [
  {
    id: 'event-11-no-completion-of-a-failure',
    isFurther: true,
    requirement: 'EVENT-11',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site', 'operation:fail-publish'],
    prepare: beginEventRun,
    run: async (context) => {
      const finished = answered(context, 'publishSite');
      const failing = sentOf(context, 'failPublish');
      // Where fewer failures came than were caused, the call may let no publish fail; where versions are missing, they are others.
      const isWhole = ({ complete, failed }: Outcomes) => {
        const named = complete.map(versionOf);
        return failed.length >= failing.length && finished.every((version) => named.includes(version));
      };
      const { complete } = await outcomesThat(context, isWhole);
      if (failing.length === 0 || complete.length === 0)
        throw new NotApplicable('not every publish ended as intended; see EVENT-5, EVENT-11 and EVENT-12');
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
      const { complete, failed } = await outcomesThat(context, (seen) => seen.complete.length > 0);
      if (complete.length === 0 || failed.length === 0)
        throw new NotApplicable('no publish finished, or none failed; see EVENT-11');
      const finished = complete.map(versionOf).filter(isJsonNumber);
      const wrong = failed.find((push) => finished.includes(versionOf(push) as number | bigint));
      // Some failures may be of others' publishes; as many as all of ours are not.
      const isEach =
        complete.length > 1 && failed.length >= sentOf(context, 'failPublish').length + complete.length;
      const shown = wrong ?? (isEach ? failed.at(-1) : undefined);
      if (shown)
        throw new PromiseBroken(
          `publish.complete or publish.failed for each publish, and not both for the ${complete.length} that finished`,
          `publish.failed ${failed.length} times as well; the last push: ${describePush(shown)}`,
        );
    },
  },
];

/** The pushes about finished and failed publishes at the subscriptions that chose them alone, each once. */
interface Outcomes {
  complete: readonly Push[];
  failed: readonly Push[];
}

/** The outcomes, once enough of them have come; none where that does not happen. */
async function outcomesThat(context: Context, isEnough: (seen: Outcomes) => boolean): Promise<Outcomes> {
  const { only, endedAt } = await eventRun(context);
  const pushesAbout = (event: EventName) => {
    const pushes = eventsTo(context, only.get(event)).filter((push) => eventNamed(push) === event);
    return [...new Map(pushes.map((push) => [push.body.toString('latin1'), push])).values()];
  };
  const seen = () => ({ complete: pushesAbout('publish.complete'), failed: pushesAbout('publish.failed') });
  const find = () => (isEnough(seen()) ? seen().complete[0] : undefined);
  if (
    !(await arrivalIfAny(context, { find, since: endedAt, expected: 'how the publishes of the run ended' }))
  )
    return { complete: [], failed: [] };
  await waitForSilence(context);
  return seen();
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
    return isJsonNumber(version) ? [version] : [];
  });
}
