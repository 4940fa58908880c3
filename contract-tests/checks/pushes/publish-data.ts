import { callToEnd, gapOf } from '../../calls/profile-calls.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isJsonNumber } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { type EventRun, eventRun } from '../../events/event-run.ts';
import { answeredVersions } from '../../events/occurrences.ts';
import { repetitionOf } from '../../events/repeated-writes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, describePush, eventNamed, versionOf } from '../../push-receiver/read-push.ts';
import { arrivalIfAny } from '../../push-receiver/wait-for-push.ts';
import { eventSchema } from './event-bodies.ts';
import { beginEventRun, eventsTo } from './seen-pushes.ts';

/** The data of publish.complete, at every subscription on the channel custom. */
export const publishData: readonly Check[] = [
  {
    id: 'event-5-publish-complete-data',
    requirement: 'EVENT-5',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:publish-site'],
    prepare: beginEventRun,
    run: async (context) => {
      const run = await eventRun(context);
      const { at } = run.caused.get('publish.complete')?.call.value() ?? { at: 0 };
      const pushes = () => publishPushes(context, run);
      const any = { find: () => pushes()[0], since: at, expected: 'a push of publish.complete' };
      if (!(await arrivalIfAny(context, any)))
        throw new NotVerified('publish.complete was not pushed; see EVENT-11');
      for (const push of pushes()) requirePublishData(context, push);
      await requireVersion(context, await latestPublish(context, run), pushes);
      for (const push of pushes()) requirePublishData(context, push);
    },
  },
];

/** Throws PromiseBroken unless the data of a push are those of a publish. */
export function requirePublishData({ validate }: Context, push: Push): void {
  const { data } = Object(bodyOf(push)) as { data?: unknown };
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new NotVerified('the data of publish.complete is not an object; see EVENT-1');
  const broken = validate(eventSchema('publish.complete'), bodyOf(push)).find(({ requirements }) =>
    requirements.includes('EVENT-5'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}

function publishPushes(context: Context, { only, all }: EventRun): Push[] {
  return [...new Set([only.get('publish.complete'), ...all.map(({ subscription }) => subscription)])]
    .flatMap((subscription) => eventsTo(context, subscription))
    .filter((push) => eventNamed(push) === 'publish.complete');
}

/** A deployment may skip a publish that another one follows at once. */
async function latestPublish(context: Context, { recurred }: EventRun): Promise<Exchange> {
  const again = recurred.get('publish.complete');
  if (again && !again.call.error) return again.call.value();
  const { first, other } = await repetitionOf(context, 'publishSite');
  return other && succeeded(other) ? other : first;
}

/** "Published version number": what the publish was answered with, if that is the version. */
async function requireVersion(
  context: Context,
  latest: Exchange,
  pushes: () => readonly Push[],
): Promise<void> {
  const { version } = latest.values;
  if (!isJsonNumber(version)) return;
  const find = () => pushes().find((push) => versionOf(push) === version);
  const expected = `publish.complete with version ${version}`;
  if (await arrivalIfAny(context, { find, since: latest.at, expected })) return;
  const answered = answeredVersions(context);
  const unexpected = pushes().find((push) => !answered.includes(versionOf(push)));
  if (!unexpected) throw new NotVerified('no push names the latest publish; see EVENT-11');
  await requireShownVersion(context, latest, unexpected);
}

/** Where the version is in the answer to a publish is a gap: only where the site itself shows the same one, the push is wrong. */
async function requireShownVersion(context: Context, latest: Exchange, push: Push): Promise<void> {
  const { version } = latest.values;
  const shown = await settle(() => callToEnd(context, 'getSite'));
  if (!shown.error && shown.value().values.version === version)
    throw new PromiseBroken(
      `version ${version}, as in the answer to the publish and on the site`,
      `version ${versionOf(push)}; the push: ${describePush(push)}`,
      latest,
    );
  const gap = gapOf(context, 'publishSite');
  context.observations.drifts(gap, `answered ${version}, pushed ${versionOf(push)}`);
  throw new NotVerified(
    `the answer to the publish has version ${version}, and its push has ${versionOf(push)}; ${gap} may point at another value than the published version`,
  );
}
