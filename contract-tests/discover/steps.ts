// The steps of a discovery in their order. A step that is impossible leaves its gaps without a value; the next one goes on.
import { HarnessError, NotVerified, Unreachable } from '../core/outcomes.ts';
import { readingOf } from '../deployment/shown-things.ts';
import { mayCall } from './ask/create.ts';
import { callOperation, isGiven } from './ask/operations.ts';
import { unlessLost } from './ask/send.ts';
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
  options.onProgress?.('reaching the deployment');
  await reachDeployment(probe);
  if (options.account) {
    options.onProgress?.('logging in');
    const login = await probeLogin(probe);
    await attempt(probe, { title: 'looking for the token, and renewing it', gaps: ['login.token'] }, () =>
      probeRefresh(probe, login),
    );
  }
  await attempt(probe, { title: 'making mistakes, each of them twice' }, () => provokeErrors(probe));
  const isAllowed = await mayCreate(probe);
  const isCreated = isAllowed && (await probeCreations(probe));
  if (probe.findings.has('refresh.token'))
    await attempt(probe, { title: 'using a token that was renewed' }, () => probeOldToken(probe));
  if (isCreated && receiverOf(probe))
    await attempt(probe, { title: 'waiting for retries', gaps: retryGaps }, () => probeRetries(probe));
  if (isAllowed && options.learning) await attempt(probe, {}, () => tryDeletions(probe));
  if (isCreated)
    await attempt(probe, { title: 'repeating a creation', gaps: ['idempotency.subscriptions'] }, () =>
      probeIdempotency(probe),
    );
}

/** Everything about what is created that takes no time. Returns whether subscriptions can be tested. */
async function probeCreations(probe: Probe): Promise<boolean> {
  // What was there before is not this run's, whatever a creation is answered with.
  for (const { list } of Object.values(readingOf))
    if (isGiven(probe, list)) await unlessLost(() => callOperation(probe, list));
  if (probe.options.learning)
    await attempt(probe, { title: 'calling what was learnt' }, () => tryOperations(probe));
  const tested = await attempt(probe, {}, () => probeSubscriptions(probe));
  if (tested) await attempt(probe, { gaps: retryGaps }, () => beginFailure(probe));
  await attempt(probe, {}, () => probeEvents(probe));
  if (isGiven(probe, 'publishSite'))
    await attempt(probe, { title: 'publishing a site without changes', gaps: ['publish.unchanged'] }, () =>
      probePublishing(probe),
    );
  if (!tested) return false;
  await attempt(probe, { gaps: [unknownGap] }, () => probeUnknownFields(probe));
  await attempt(probe, {}, () => provokeCreationErrors(probe));
  if (mayCall(probe, 'createKey') && isGiven(probe, 'deleteKey'))
    await attempt(probe, { title: 'exceeding the quota of keys' }, () => exceedKeyQuota(probe));
  return true;
}

/** Creates and tests subscriptions. Undefined where that can't be done. */
async function probeSubscriptions(probe: Probe): Promise<TestedSubscription | undefined> {
  const named = await attempt(
    probe,
    { title: 'looking for the names in the request for a subscription', gaps: fieldGaps },
    () => probeCreation(probe),
  );
  if (!named) return undefined;
  const plain = await attempt(probe, { gaps: answerGaps }, () => firstSubscription(probe, named.created));
  if (!plain) return undefined;
  const tested = await attempt(probe, { title: 'reading the answer to the creation of a subscription' }, () =>
    probeSubscription(probe, plain),
  );
  if (!tested) return undefined;
  const first = await attempt(
    probe,
    { title: 'testing a subscription', gaps: ['hook-test.request', 'hook-test.status'] },
    () => probeTestCall(probe, tested),
  );
  if (first) await attempt(probe, {}, () => probePushBehaviour(probe, first));
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
  const signed = await attempt(
    probe,
    { title: 'looking for the name of the signing secret', gaps: messageGaps },
    () => probeSecret(probe),
  );
  if (first.push) readPushes(probe, { signed: signed?.push, plain: first.push });
  if (receiverOf(probe))
    await attempt(probe, { title: 'testing the chat channels' }, () => probeRobots(probe));
  await attempt(probe, { title: 'trying other secrets', gaps: ['subscription.secret-rule'] }, () =>
    probeSecretRule(probe),
  );
  const plain = first.push && { ...first, push: first.push };
  if (plain && signed)
    await attempt(probe, { gaps: messageGaps }, () => readTestMessages(probe, { plain, signed }));
}

/** How often a step is begun whose answers are lost. */
const mostBegun = 3;

/** Errors that say why one step can't be made. */
const reasons = [StepImpossible, Unreachable, HarnessError, NotVerified];

/** A step of which an answer is lost is made again; an impossible one leaves its gaps without a value. */
async function attempt<T>(
  probe: Probe,
  { title, gaps = [] }: { title?: string; gaps?: readonly string[] },
  step: () => Promise<T>,
): Promise<T | undefined> {
  for (let begun = 1; ; begun++) {
    if (title !== undefined) probe.options.onProgress?.(title);
    try {
      return await step();
    } catch (error) {
      if (error instanceof Unreachable && begun < mostBegun) continue;
      if (!reasons.some((kind) => error instanceof kind)) throw error;
      probe.findings.missed(gaps, (error as Error).message);
      return undefined;
    }
  }
}
