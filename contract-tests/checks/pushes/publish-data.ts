import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { type EventRun, eventRun, longestArrivalMs } from '../../events/event-run.ts';
import { repetitionOf } from '../../events/repeated-writes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, describePush, eventNamed, versionOf } from '../../push-receiver/read-push.ts';
import { comesWithin } from '../../push-receiver/wait-for-push.ts';
import { eventSchema } from './event-bodies.ts';
import { beginEventRun, pushesTo } from './seen-pushes.ts';

/** The data of publish.complete, at every subscription on the channel custom. */
export const publishData: readonly Check[] = [
  {
    id: 'event-5-publish-complete-data',
    requirement: 'EVENT-5',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site'],
    prepare: beginEventRun,
    run: async (context) => {
      const run = await eventRun(context);
      run.caused.get('publish.complete')?.value();
      const pushes = () => publishPushes(context, run);
      if (pushes().length === 0) throw new NotVerified('publish.complete was not pushed; see EVENT-11');
      const latest = await latestPublish(context, run);
      const isNamed = await awaitVersion(context, latest, pushes);
      for (const push of pushes()) requirePublishData(context, push);
      if (!isNamed) throw wrongVersion(context, latest, pushes());
    },
  },
];

/** Throws PromiseBroken unless the data of a push are those of a publish. */
export function requirePublishData({ validate }: Context, push: Push): void {
  const { data } = Object(bodyOf(push)) as { data?: unknown };
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new NotVerified('the data of publish.complete are no object; see EVENT-1');
  const broken = validate(eventSchema('publish.complete'), bodyOf(push)).find(({ requirements }) =>
    requirements.includes('EVENT-5'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}

/** Whether a push to a path names a version that no publish of the run was answered with. */
export function hasUnexpectedVersion(context: Context, path: string): boolean {
  const answered = answeredVersions(context);
  const versions = (context.receiver?.pushesTo(path) ?? []).map(versionOf);
  return versions.some((version) => typeof version === 'number' && !answered.includes(version));
}

function answeredVersions({ exchanges }: Context): unknown[] {
  return exchanges
    .filter((exchange) => exchange.operation === 'publishSite' && succeeded(exchange))
    .map(({ values }) => values.version);
}

function publishPushes(context: Context, { only, all }: EventRun): Push[] {
  return [only.get('publish.complete'), ...all.map(({ subscription }) => subscription)]
    .flatMap((subscription) => pushesTo(context, subscription))
    .filter((push) => eventNamed(push) === 'publish.complete');
}

/** A deployment may skip a publish that another one follows at once. */
async function latestPublish(context: Context, { recurred }: EventRun): Promise<Exchange> {
  const again = recurred.get('publish.complete');
  if (again && !again.error) return again.value();
  const { first, other } = await repetitionOf(context, 'publishSite');
  return other && succeeded(other) ? other : first;
}

async function awaitVersion(
  context: Context,
  { values: { version } }: Exchange,
  pushes: () => readonly Push[],
): Promise<boolean> {
  if (typeof version !== 'number') return true;
  const isNamed = () => pushes().some((push) => versionOf(push) === version);
  return comesWithin(context, isNamed, longestArrivalMs(context, 'publish.complete'));
}

function wrongVersion(context: Context, latest: Exchange, pushes: readonly Push[]): Error {
  const answered = answeredVersions(context);
  const unexpected = pushes.find((push) => !answered.includes(versionOf(push)));
  if (!unexpected) return new NotVerified('no push names the latest publish; see EVENT-11');
  return new PromiseBroken(
    `the version that the publish was answered with, one of ${answered.join(', ')}`,
    describePush(unexpected),
    latest,
  );
}
