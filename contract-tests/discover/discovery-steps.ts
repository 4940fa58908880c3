// The steps of a discovery in their order. A step that is impossible leaves its gaps without a value; the next one goes on.
import { gaps } from '../../openapi/registers.ts';
import { HarnessError, Unreachable } from '../core/outcomes.ts';
import { ControlError } from '../deployment/control-api.ts';
import { describeCreations } from './describe-creations.ts';
import type { Probe } from './discovery-probe.ts';
import { provokeCreationErrors, provokeErrors } from './probes/error-answers.ts';
import { exceedKeyQuota } from './probes/exceed-limits.ts';
import { fieldGaps, probeCreation } from './probes/probe-creation.ts';
import { probeEventData } from './probes/probe-event-data.ts';
import { probeOldToken, renewOrLogIn } from './probes/probe-expiry.ts';
import { probeIdempotency } from './probes/probe-idempotency.ts';
import { probeLogin, reachDeployment } from './probes/probe-login.ts';
import { probePublishing } from './probes/probe-publishing.ts';
import { probeRedirects, readPushes } from './probes/probe-pushes.ts';
import { probeRefresh } from './probes/probe-refresh.ts';
import { probeInProgress } from './probes/probe-repetition.ts';
import { probeRobots } from './probes/probe-robots.ts';
import { probeSecretRule } from './probes/probe-rules.ts';
import { probeSecret } from './probes/probe-secret.ts';
import { probeSubscription, probeUnknownFields, unknownGap } from './probes/probe-subscription.ts';
import {
  deliveredGap,
  type FirstTest,
  probeDelivered,
  probeTestCall,
  readTestMessages,
} from './probes/probe-subscription-test.ts';
import { probeRetries, retryGaps } from './probes/probe-waits.ts';
import { createAndTest, StepImpossible, type TestedSubscription } from './pushes/test-pushes.ts';
import { tryOperations, trySubscriptionOperations } from './tries/try-operations.ts';

/** All steps. Throws Stop, Unreachable or Interrupted when the discovery can't go on. */
export async function runSteps(probe: Probe): Promise<void> {
  const { options } = probe;
  await reachDeployment(probe);
  if (options.account) {
    const login = await probeLogin(probe);
    await attempt(probe, ['login.token'], () => probeRefresh(probe, login));
  }
  await attempt(probe, [], () => provokeErrors(probe));
  const isPushed = await probeSubscriptions(probe);
  await attempt(probe, [], () => probeOldToken(probe));
  if (isPushed) await attempt(probe, retryGaps, () => probeRetries(probe));
  if (probe.clock.isMoved) await attempt(probe, [], () => renewOrLogIn(probe));
  await attempt(probe, [], () => trySubscriptionOperations(probe));
}

/** Everything about subscriptions that takes no time. Returns whether pushes arrive. */
async function probeSubscriptions(probe: Probe): Promise<boolean> {
  if (!(await mayCreate(probe))) return false;
  await attempt(probe, [], () => tryOperations(probe));
  const named = await attempt(probe, fieldGaps, () => probeCreation(probe));
  if (!named || !(await attempt(probe, [], () => probeSubscription(probe, named.created)))) return false;
  await attempt(probe, [], () => provokeCreationErrors(probe));
  await attempt(probe, [], () => exceedKeyQuota(probe));
  const first = await attempt(probe, ['hook-test.request', 'hook-test.status'], () => probeTestCall(probe));
  if (first) await attempt(probe, [], () => probePushBehaviour(probe, first));
  await attempt(probe, [unknownGap], async () => {
    if (!probe.findings.has(unknownGap)) await probeUnknownFields(probe);
  });
  const published = await attempt(probe, ['publish.unchanged'], () => probePublishing(probe));
  const write = await attempt(probe, ['idempotency.subscriptions'], () => probeIdempotency(probe, published));
  if (write) await attempt(probe, ['idempotency.in-progress'], () => probeInProgress(probe, write));
  return first !== undefined && probe.listener !== undefined;
}

async function mayCreate(probe: Probe): Promise<boolean> {
  const { options, token } = probe;
  if (token === undefined) probe.whyNoCreation = 'no token was found to create a subscription with';
  else if (options.siteId === undefined) probe.whyNoCreation = 'it needs a site; set SITEPUB_SITE_ID';
  else if (!(await options.mayCreate(describeCreations(probe))))
    probe.whyNoCreation = 'nothing was to be created; allow it with --create';
  return probe.whyNoCreation === undefined;
}

/** What pushes show, as far as any arrive. A site may be full after ten subscriptions: what shows most comes first. */
async function probePushBehaviour(probe: Probe, { push, ...first }: FirstTest): Promise<void> {
  const tested = await attempt(probe, [], () => probeSecret(probe));
  if (push) await attempt(probe, pushGaps, () => readMessages(probe, { ...first, push }, tested));
  if (probe.listener) await attempt(probe, [], () => probeRobots(probe));
  await attempt(probe, ['subscription.secret-rule'], () => probeSecretRule(probe));
  await attempt(probe, [deliveredGap], () => probeDelivered(probe, first.answer));
  if (!probe.listener) return;
  await attempt(probe, ['webhook.redirects'], () => probeRedirects(probe));
  await attempt(probe, [], () => probeEventData(probe));
}

const pushGaps = gaps
  .map(({ id }) => id)
  .filter((id) => id.startsWith('webhook.') || id === 'hook-test.body' || id === 'hook-test.event');

/** Reads the first test pushes: the very first one was not signed. */
async function readMessages(
  probe: Probe,
  unsigned: TestedSubscription,
  tested: TestedSubscription | undefined,
): Promise<void> {
  const signed = tested ?? (await createAndTest(probe));
  readTestMessages(probe, [signed, unsigned]);
  readPushes(probe, { signed: signed.push, unsigned: unsigned.push });
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
  return [StepImpossible, Unreachable, HarnessError, ControlError].some((kind) => error instanceof kind);
}
