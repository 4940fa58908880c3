// What a repeated write leaves behind: one site in the list, one push.
import { listSites } from '../../calls/sites.ts';
import { alreadyMade, type Context } from '../../context.ts';
import { shortestWindowMs } from '../../core/documented-limits.ts';
import type { Exchange } from '../../core/exchange.ts';
import { PromiseBroken } from '../../core/outcomes.ts';
import { causeEvents, waitForSilence } from '../../events/event-run.ts';
import { repetitionOf } from '../../events/repeated-writes.ts';
import { resultOf } from '../../events/write-results.ts';
import { versionOf } from '../../push-receiver/read-push.ts';

/** The list has one site of the name. */
export async function requireOneSite(context: Context, first: Exchange, name: unknown): Promise<void> {
  const ids = new Set((await listSites(context)).filter((site) => site.name === name).map((site) => site.id));
  if (ids.size > 1)
    throw new PromiseBroken(
      'one site after a repeated creation',
      `${ids.size} sites with the name ${String(name)}`,
      first,
    );
}

/** Where pushes are seen: an extra publish shows as a version between those of the run, or as another push of the first version. */
export async function requireOnePush(context: Context, first: Exchange): Promise<void> {
  const run = await alreadyMade(context, causeEvents);
  const subscription = run?.only.get('publish.complete');
  const { other, repeat } = await repetitionOf(context, 'publishSite');
  // What other events say, and test messages, may have a version too.
  if (!context.receiver || !subscription || subscription.error || !other || run?.isShared) return;
  // A different publish of a site without changes may have the same version, and a push of its own.
  if (hasOtherPublishes(context, first) || String(resultOf(other)) === String(resultOf(first))) return;
  await waitForSilence(context);
  const pushes = context.receiver
    .pushesTo(subscription.value().path)
    .map((push) => ({ push, version: versionOf(push) }));
  const [from, to] = [Number(resultOf(first)), Number(resultOf(other))];
  // The later the other one, the likelier that a colleague has published meanwhile.
  const isNext = other.at - repeat.answeredAt < soonMs;
  const between = isNext
    ? pushes.find(({ version }) => Number(version) > from && Number(version) < to)
    : undefined;
  // Two pushes that are the same byte for byte are one push that was delivered twice.
  const ofFirst = new Set(
    pushes
      .filter(({ version }) => version === resultOf(first))
      .map(({ push }) => push.body.toString('latin1')),
  );
  if (between || ofFirst.size > 1)
    throw new PromiseBroken(
      'one publish after a repeated call',
      between
        ? `a push of version ${String(between.version)} as well`
        : `${ofFirst.size} pushes of version ${from}`,
      first,
    );
}

const soonMs = 2_000;

/** Whether another call than the first and its repeats had the same version as its result; after the shortest window the same call may be one. */
function hasOtherPublishes({ exchanges, profile }: Context, first: Exchange): boolean {
  const key = profile.values['idempotency.key-header'];
  const sentAs = ({ request }: Exchange) => JSON.stringify([request.url, request.body, request.headers[key]]);
  return exchanges.some(
    (exchange) =>
      exchange.operation === 'publishSite' &&
      resultOf(exchange) === resultOf(first) &&
      (sentAs(exchange) !== sentAs(first) || exchange.answeredAt - first.at >= shortestWindowMs),
  );
}
