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
import { answerGaps, fieldGaps, probeCreation, probeSubscription } from './subscription/creation.ts';
import { probeSecretRule, probeUnknownFields, unknownGap } from './subscription/requests.ts';
import { tryDeletions, tryOperations } from './tries/try.ts';
import { probeIdempotency, probePublishing } from './writes/repeated-writes.ts';

/** Throws Stop or Unreachable if the discovery cannot continue. */
export async function runSteps(probe: Probe): Promise<void> {
  const { options } = probe;
  options.onProgress?.('connecting to the deployment');
  await reachDeployment(probe);
  if (options.account) {
    options.onProgress?.('logging in');
    const login = await probeLogin(probe);
    await attempt(probe, { title: 'finding the token and renewing it', gaps: ['login.token'] }, () =>
      probeRefresh(probe, login),
    );
  }
  await attempt(probe, { title: 'sending invalid requests, each twice' }, () => provokeErrors(probe));
  const isAllowed = await mayCreate(probe);
  const isCreated = isAllowed && (await probeCreations(probe));
  if (probe.findings.has('refresh.token'))
    await attempt(probe, { title: 'using the old token after a renewal' }, () => probeOldToken(probe));
  if (isCreated && receiverOf(probe))
    await attempt(probe, { title: 'waiting for retries', gaps: retryGaps }, () => probeRetries(probe));
  if (isAllowed && options.learning) await attempt(probe, {}, () => tryDeletions(probe));
  if (isCreated)
    await attempt(probe, { title: 'repeating a creation', gaps: ['idempotency.subscriptions'] }, () =>
      probeIdempotency(probe),
    );
}

/** Steps that create resources but need no long wait. Returns whether subscriptions can be tested. */
async function probeCreations(probe: Probe): Promise<boolean> {
  // Resources in these lists do not belong to this run, even if the answer to a creation names one.
  for (const { list } of Object.values(readingOf))
    if (isGiven(probe, list)) await unlessLost(() => callOperation(probe, list));
  if (probe.options.learning)
    await attempt(probe, { title: 'calling the learnt operations' }, () => tryOperations(probe));
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
    await attempt(probe, { title: 'exceeding the API key quota' }, () => exceedKeyQuota(probe));
  return true;
}

/** Returns undefined if the deployment creates or tests no subscription. */
async function probeSubscriptions(probe: Probe): Promise<TestedSubscription | undefined> {
  const named = await attempt(
    probe,
    { title: 'finding the field names of a subscription request', gaps: fieldGaps },
    () => probeCreation(probe),
  );
  if (!named) return undefined;
  const plain = await attempt(probe, { gaps: answerGaps }, () => firstSubscription(probe, named.created));
  if (!plain) return undefined;
  const tested = await attempt(probe, { title: 'reading the answer to a subscription creation' }, () =>
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
  if (session.token === undefined) seen.whyNoCreation = 'no token was found, and a creation needs one';
  else if (options.siteId === undefined) seen.whyNoCreation = 'needs a site; set SITEPUB_SITE_ID';
  else if (!(await options.mayCreate(describeCreations(probe))))
    seen.whyNoCreation = 'you did not allow creations; pass --create';
  return seen.whyNoCreation === undefined;
}

/** A site may allow only ten subscriptions, so the most informative ones come first. */
async function probePushBehaviour(probe: Probe, first: TestedSubscription): Promise<void> {
  readDelivered(probe, first.answer);
  const signed = await attempt(
    probe,
    { title: 'finding the field name of the signing secret', gaps: messageGaps },
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

/** Maximum number of attempts of a step whose answers are lost. */
const mostBegun = 3;

/** Errors that end one step, not the discovery. */
const reasons = [StepImpossible, Unreachable, HarnessError, NotVerified];

/** Repeats a step after a lost answer. If a step is impossible, its gaps get no value. */
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
