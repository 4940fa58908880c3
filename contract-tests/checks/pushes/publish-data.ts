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

/** The data of publish.complete, at every subscription on the channel custom. */
export const publishData: readonly Check[] = [
  {
    id: 'event-5-publish-complete-data',
    requirement: 'EVENT-5',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site'],
    prepare: async (context) => {
      await eventRun(context);
    },
    run: async (context) => {
      const scene = await eventRun(context);
      scene.caused.get('publish.complete')?.value();
      const pushes = () => pushesAbout(context, scene);
      if (pushes().length === 0) throw new NotVerified('publish.complete was not pushed; see EVENT-11');
      const latest = await latestPublish(scene, context);
      const isTold = await awaitVersion(context, latest, pushes);
      for (const push of pushes()) requirePublishData(context, push);
      if (!isTold) throw wrongVersion(context, latest, pushes());
    },
  },
];

/** Throws PromiseBroken unless the data are those of a publish. */
export function requirePublishData({ validate }: Context, push: Push): void {
  const { data } = Object(bodyOf(push)) as { data?: unknown };
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new NotVerified('the data of publish.complete are no object; see EVENT-1');
  const broken = validate(eventSchema('publish.complete'), bodyOf(push)).find(({ requirements }) =>
    requirements.includes('EVENT-5'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}

/** Whether a push to a path tells a version that no publish of the run was answered with. */
export function hasUnexpectedVersion(context: Context, path: string): boolean {
  const answered = answeredVersions(context);
  const told = (context.receiver?.pushesTo(path) ?? []).map(versionOf);
  return told.some((version) => typeof version === 'number' && !answered.includes(version));
}

function answeredVersions({ exchanges }: Context): unknown[] {
  return exchanges
    .filter((exchange) => exchange.operation === 'publishSite' && succeeded(exchange))
    .map(({ values }) => values.version);
}

function pushesAbout({ receiver }: Context, { only, all }: EventRun): Push[] {
  const kept = [only.get('publish.complete'), ...all.map((named) => named.subscription)];
  const paths = kept.flatMap((one) => (one && !one.error ? [one.value().path] : []));
  return paths.flatMap((path) =>
    (receiver?.pushesTo(path) ?? []).filter((push) => eventNamed(push) === 'publish.complete'),
  );
}

/** A deployment may pass over a publish that another one follows at once. */
async function latestPublish({ recurred }: EventRun, context: Context): Promise<Exchange> {
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
  const isTold = () => pushes().some((push) => versionOf(push) === version);
  return comesWithin(context, isTold, longestArrivalMs(context, 'publish.complete'));
}

function wrongVersion(context: Context, latest: Exchange, pushes: readonly Push[]): Error {
  const answered = answeredVersions(context);
  const strange = pushes.find((push) => !answered.includes(versionOf(push)));
  if (!strange) return new NotVerified('the latest publish was not told of; see EVENT-11');
  return new PromiseBroken(
    `the version that the publish was answered with, one of ${answered.join(', ')}`,
    describePush(strange),
    latest,
  );
}
