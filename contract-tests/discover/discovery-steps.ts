// The steps of a discovery in their order. A step that is impossible leaves its gaps without a value; the next one goes on.
import { gaps } from '../../openapi/registers.ts';
import type { Exchange } from '../core/exchange.ts';
import { HarnessError, Unreachable } from '../core/outcomes.ts';
import { ControlError } from '../deployment/control-api.ts';
import { describeCreations } from './describe-creations.ts';
import { nextPath, type Probe } from './discovery-probe.ts';
import { provokeCreationErrors, provokeErrors } from './probes/error-answers.ts';
import { exceedKeyQuota } from './probes/exceed-limits.ts';
import { fieldGaps, probeCreation } from './probes/probe-creation.ts';
import { probeEventData } from './probes/probe-event-data.ts';
import { probeOldToken, renewOrLogIn } from './probes/probe-expiry.ts';
import { probeIdempotency } from './probes/probe-idempotency.ts';
import { probeLogin, reachDeployment } from './probes/probe-login.ts';
import { probePublishing } from './probes/probe-publishing.ts';
import { probePushes, probeRedirects } from './probes/probe-pushes.ts';
import { probeRefresh } from './probes/probe-refresh.ts';
import { probeInProgress } from './probes/probe-repetition.ts';
import { probeRobots } from './probes/probe-robots.ts';
import { probeSecretRule } from './probes/probe-rules.ts';
import { probeSecret } from './probes/probe-secret.ts';
import { probeSubscription } from './probes/probe-subscription.ts';
import {
  deliveredGap,
  probeDelivered,
  probeTestCall,
  probeTestMessage,
} from './probes/probe-subscription-test.ts';
import { probeRetries, retryGaps } from './probes/probe-waits.ts';
import { requireSubscription, requireTest, StepImpossible, waitForPush } from './pushes/test-pushes.ts';
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
  if (!(await attempt(probe, fieldGaps, () => probeCreation(probe)))) return false;
  if (!(await attempt(probe, [], () => probeSubscription(probe)))) return false;
  await attempt(probe, [], () => provokeCreationErrors(probe));
  await attempt(probe, [], () => exceedKeyQuota(probe));
  const canTest = await attempt(probe, ['hook-test.request', 'hook-test.status'], () => probeTestCall(probe));
  if (canTest) await attempt(probe, [], () => probePushBehaviour(probe));
  await attempt(probe, ['subscription.secret-rule'], () => probeSecretRule(probe));
  const write = await attempt(probe, ['idempotency.subscriptions'], () => probeIdempotency(probe));
  if (write) await attempt(probe, ['idempotency.in-progress'], () => probeInProgress(probe, write));
  await attempt(probe, ['publish.unchanged'], () => probePublishing(probe));
  return canTest === true && probe.listener !== undefined;
}

async function mayCreate(probe: Probe): Promise<boolean> {
  const { options, token } = probe;
  if (token === undefined) probe.whyNoCreation = 'no token was found to create a subscription with';
  else if (options.siteId === undefined) probe.whyNoCreation = 'it needs a site; set SITEPUB_SITE_ID';
  else if (!(await options.mayCreate(describeCreations(probe))))
    probe.whyNoCreation = 'nothing was to be created; allow it with --create';
  return probe.whyNoCreation === undefined;
}

/** What pushes show, as far as any arrive. */
async function probePushBehaviour(probe: Probe): Promise<void> {
  const answer = await checkReceiver(probe);
  await attempt(probe, [], () => probeSecret(probe));
  if (!probe.listener) {
    await attempt(probe, [deliveredGap], () => probeDelivered(probe, answer));
    return;
  }
  // A site may be full after ten: what shows most comes first, and what an earlier subscription can show as well comes last.
  const tests = await attempt(probe, ['hook-test.body', 'hook-test.event'], () => probeTestMessage(probe));
  await attempt(probe, [], () => probeRobots(probe));
  await attempt(probe, [deliveredGap], () => probeDelivered(probe, answer));
  const pushes = (tests ?? []).map(({ push }) => push);
  await attempt(probe, pushGaps, () => probePushes(probe, pushes));
  await attempt(probe, ['webhook.redirects'], () => probeRedirects(probe, nextPath(probe)));
  await attempt(probe, [], () => probeEventData(probe));
}

const pushGaps = gaps.filter(({ id }) => id.startsWith('webhook.')).map(({ id }) => id);

/** Tests a subscription and returns the answer. When its push does not arrive, no others are waited for. */
async function checkReceiver(probe: Probe): Promise<Exchange> {
  const subscription = await requireSubscription(probe);
  const answer = await requireTest(probe, subscription);
  await waitForPush(probe, subscription.path);
  return answer;
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
