// The steps of a discovery in their order. A step that can't be made leaves its gaps without a value and is no reason to stop.

import { gaps } from '../../openapi/registers.ts';
import type { Exchange } from '../core/exchange.ts';
import { describeCreations } from './describe-creations.ts';
import { nextPath, type Probe } from './discovery-probe.ts';
import { provokeCreationErrors, provokeErrors } from './error-answers.ts';
import { exceedKeys, exceedLogins } from './exceed-limits.ts';
import { probeCreation } from './probe-creation.ts';
import { probeEventData } from './probe-event-data.ts';
import { probeExpiry, probeOldToken, renewOrLogIn } from './probe-expiry.ts';
import { probeRepeats, probeWindow } from './probe-idempotency.ts';
import { probeLogin, reach } from './probe-login.ts';
import { probeRedirects, readPushes } from './probe-pushes.ts';
import { probeRefresh } from './probe-refresh.ts';
import { probeRobots } from './probe-robots.ts';
import { probeSecret } from './probe-secret.ts';
import { probeSubscription } from './probe-subscription.ts';
import { probeDelivered, probeTestCall, probeTestMessage } from './probe-subscription-test.ts';
import { probeRetries, probeTimeout } from './probe-waits.ts';
import { arrivalAt, arrivalMs, createdSubscription, Impossible, testOnce } from './test-pushes.ts';

/** All steps. Throws Stop, Unreachable or Interrupted where the discovery can't go on. */
export async function takeSteps(probe: Probe): Promise<void> {
  const { options, control } = probe;
  await control?.clearLimits();
  await reach(probe);
  if (options.account) await probeRefresh(probe, await probeLogin(probe));
  await provokeErrors(probe);
  const isPushed = await probeHooks(probe);
  await attempt(probe, [], () => probeOldToken(probe));
  await attempt(probe, [], () => exceedLogins(probe));
  if (isPushed) await attempt(probe, retryGaps, () => probeRetries(probe));
  if (probe.clock.isMoved) await renewOrLogIn(probe);
  await attempt(probe, ['token.lifetime'], () => probeExpiry(probe));
}

const retryGaps = [
  'hook-test.retried',
  'webhook.retry-anchor',
  'webhook.retry-timestamp',
  'webhook.robot-refusal',
];

/** Everything about subscriptions but what takes time. Says whether pushes arrive. */
async function probeHooks(probe: Probe): Promise<boolean> {
  if (!(await isAllowed(probe)) || !(await probeCreation(probe)) || !(await probeSubscription(probe)))
    return false;
  await provokeCreationErrors(probe);
  await exceedKeys(probe);
  const canTest = await attempt(probe, ['hook-test.request', 'hook-test.status'], () => probeTestCall(probe));
  if (canTest) await attempt(probe, [], () => probeMessages(probe));
  const write = await attempt(probe, ['idempotency.subscriptions'], () => probeRepeats(probe));
  if (write) await attempt(probe, ['idempotency.window'], () => probeWindow(probe, write));
  return canTest === true && probe.listener !== undefined;
}

async function isAllowed(probe: Probe): Promise<boolean> {
  const { options, token } = probe;
  if (options.siteId === undefined || token === undefined) {
    probe.whyNoCreation =
      token === undefined
        ? 'no token was found to create a subscription with'
        : 'it takes a site; set SITEPUB_SITE_ID';
    return false;
  }
  if (await options.mayCreate(describeCreations(probe))) return true;
  probe.whyNoCreation = 'nothing was to be created; allow it with --create';
  return false;
}

/** What shows in pushes, as far as any arrive. */
async function probeMessages(probe: Probe): Promise<void> {
  const taken = await proveReceiver(probe);
  await attempt(probe, [], () => probeSecret(probe));
  await attempt(probe, ['hook-test.delivered'], () => probeDelivered(probe, taken));
  if (!probe.listener) return;
  const tests = await attempt(probe, ['hook-test.body', 'hook-test.event'], () => probeTestMessage(probe));
  await attempt(probe, pushGaps, () =>
    readPushes(
      probe,
      (tests ?? []).map(({ push }) => push),
    ),
  );
  await attempt(probe, ['webhook.redirects'], () => probeRedirects(probe, nextPath(probe)));
  await probeRobots(probe);
  await attempt(probe, [], () => probeEventData(probe));
  await attempt(probe, ['webhook.timeout'], () => probeTimeout(probe));
}

const pushGaps = gaps.filter(({ id }) => id.startsWith('webhook.')).map(({ id }) => id);

/** The answer to a test. Where its push does not come, there is no use in waiting for others. */
async function proveReceiver(probe: Probe): Promise<Exchange> {
  const hook = await createdSubscription(probe);
  const answer = await testOnce(probe, hook);
  if (!probe.listener || (await arrivalAt(probe, hook.path))) return answer;
  const seconds = arrivalMs(probe) / 1_000;
  probe.whyNoReceiver = `no test push came to ${probe.listener.urlOf('/…')} within ${seconds} s; give the address under which the deployment reaches the receiver with --receiver-url`;
  probe.listener = undefined;
  return answer;
}

/** A step that can't be made leaves its gaps without a value. */
async function attempt<T>(
  probe: Probe,
  without: readonly string[],
  step: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Impossible)) throw error;
    probe.findings.missed(without, error.message);
    return undefined;
  }
}
