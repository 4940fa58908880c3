// The steps of a discovery in their order. A step that is impossible leaves its gaps without a value; the next one goes on.
import { HarnessError, Unreachable } from '../core/outcomes.ts';
import { exceedKeyQuota, provokeCreationErrors, provokeErrors } from './errors/mistakes.ts';
import { describeCreations } from './explain.ts';
import { type Probe, receiverOf, StepImpossible, type TestedSubscription } from './probe.ts';
import { probeEvents } from './pushes/events.ts';
import { probeRobots, readPushes } from './pushes/read-pushes.ts';
import { beginFailure, probeRetries, retryGaps } from './pushes/retries.ts';
import { probeSecret } from './pushes/secret.ts';
import { messageGaps, probeTestCall, readDelivered, readTestMessages } from './pushes/test-call.ts';
import { firstSubscription } from './pushes/test-pushes.ts';
import { probeLogin, reachDeployment } from './session/login.ts';
import { probeOldToken, probeRefresh } from './session/refresh.ts';
import { fieldGaps, probeCreation } from './subscription/creation.ts';
import { answerGaps, probeSubscription } from './subscription/creation-answer.ts';
import { probeSecretRule, probeUnknownFields, unknownGap } from './subscription/requests.ts';
import { tryDeletions, tryOperations } from './tries/try.ts';
import { probeIdempotency, probePublishing } from './writes/repeated-writes.ts';

/** All steps. Throws Stop or Unreachable when the discovery can't go on. */
export async function runSteps(probe: Probe): Promise<void> {
  const { options } = probe;
  await reachDeployment(probe);
  if (options.account) {
    const login = await probeLogin(probe);
    await attempt(probe, ['login.token'], () => probeRefresh(probe, login));
  }
  await attempt(probe, [], () => provokeErrors(probe));
  const isAllowed = await mayCreate(probe);
  const isCreated = isAllowed && (await probeCreations(probe));
  await attempt(probe, [], () => probeOldToken(probe));
  if (isCreated && receiverOf(probe)) await attempt(probe, retryGaps, () => probeRetries(probe));
  if (isAllowed) await attempt(probe, [], () => tryDeletions(probe));
  if (isCreated) await attempt(probe, ['idempotency.subscriptions'], () => probeIdempotency(probe));
}

/** Everything about what is created that takes no time. Returns whether subscriptions can be tested. */
async function probeCreations(probe: Probe): Promise<boolean> {
  await attempt(probe, [], () => tryOperations(probe));
  const tested = await attempt(probe, [], () => probeSubscriptions(probe));
  if (tested) await attempt(probe, retryGaps, () => beginFailure(probe));
  await attempt(probe, [], () => probeEvents(probe));
  await attempt(probe, ['publish.unchanged'], () => probePublishing(probe));
  if (!tested) return false;
  await attempt(probe, [unknownGap], async () => {
    if (!probe.findings.has(unknownGap)) await probeUnknownFields(probe);
  });
  await attempt(probe, [], () => provokeCreationErrors(probe));
  await attempt(probe, [], () => exceedKeyQuota(probe));
  return true;
}

/** Creates and tests subscriptions. Undefined where that can't be done. */
async function probeSubscriptions(probe: Probe): Promise<TestedSubscription | undefined> {
  const named = await attempt(probe, fieldGaps, () => probeCreation(probe));
  if (!named) return undefined;
  const plain = await attempt(probe, answerGaps, () => firstSubscription(probe, named.created));
  const tested = plain && (await attempt(probe, [], () => probeSubscription(probe, plain)));
  if (!tested) return undefined;
  const testGaps = ['hook-test.request', 'hook-test.status'];
  const first = await attempt(probe, testGaps, () => probeTestCall(probe, tested));
  if (first) await attempt(probe, [], () => probePushBehaviour(probe, first));
  return tested;
}

async function mayCreate(probe: Probe): Promise<boolean> {
  const { options, seen, session } = probe;
  if (session.token === undefined) seen.whyNoCreation = 'no token was found to create a subscription with';
  else if (options.siteId === undefined) seen.whyNoCreation = 'it needs a site; set SITEPUB_SITE_ID';
  else if (!(await options.mayCreate(describeCreations(probe))))
    seen.whyNoCreation = 'nothing was to be created; allow it with --create';
  return seen.whyNoCreation === undefined;
}

/** What pushes show, as far as any arrive. A site may be full after ten subscriptions: what shows most comes first. */
async function probePushBehaviour(probe: Probe, first: TestedSubscription): Promise<void> {
  readDelivered(probe, first.answer);
  const signed = await attempt(probe, messageGaps, () => probeSecret(probe));
  if (first.push) readPushes(probe, { signed: signed?.push, plain: first.push });
  if (receiverOf(probe)) await attempt(probe, [], () => probeRobots(probe));
  await attempt(probe, ['subscription.secret-rule'], () => probeSecretRule(probe));
  const plain = first.push && { ...first, push: first.push };
  if (plain && signed) await attempt(probe, messageGaps, () => readTestMessages(probe, { plain, signed }));
}

/** How often a step is begun whose answers are lost. */
const mostBegun = 3;

/** An impossible step leaves its gaps without a value; one of which an answer was lost is made again. */
async function attempt<T>(
  probe: Probe,
  gapIds: readonly string[],
  step: () => Promise<T>,
): Promise<T | undefined> {
  for (let begun = 1; ; begun++) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof Unreachable && begun < mostBegun) continue;
      if (!isReason(error)) throw error;
      probe.findings.missed(gapIds, error.message);
      return undefined;
    }
  }
}

/** Errors that say why one step can't be made. */
function isReason(error: unknown): error is Error {
  return [StepImpossible, Unreachable, HarnessError].some((kind) => error instanceof kind);
}
