// What the bodies and headers of pushes show.
import { getAt } from '../../../openapi/json-pointer.ts';
import type { Exchange } from '../../core/exchange.ts';
import { jsonLeavesOf } from '../../core/json-leaves.ts';
import { offsetOf, styleOf, unitOf } from '../../push-receiver/push-format.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../../push-receiver/wait-for-push.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { type Probe, receiverOf } from '../probe.ts';
import { secretGap } from '../subscription/request-rules.ts';
import { type TestedSubscription, testSpare } from './test-pushes.ts';
import { fieldOf, pushCount } from './wait.ts';

const contentTypes = ['application/json', 'application/json; charset=utf-8'];

/** Reads pushes on the custom channel: a plain one, and one of a subscription with a secret, which has all headers. */
export function readPushes(
  probe: Probe,
  { signed, plain }: { signed: Push | undefined; plain: Push },
): undefined {
  const { findings } = probe;
  findContentType(probe, plain);
  findBodyStyle(probe, plain);
  findOffset(probe, plain);
  findUnsigned(probe, plain);
  if (!signed || !findings.has(secretGap))
    return findings.missed(
      ['webhook.timestamp-unit', 'webhook.signature-hex'],
      'no push was signed: the name of the secret is not known',
    );
  findUnit(probe, signed);
  findSignatureCase(probe, signed);
}

function findUnsigned({ findings }: Probe, push: Push): void {
  const carried = ['X-Webhook-Event', 'X-Webhook-Timestamp', 'X-Webhook-Signature'].filter(
    (name) => headerOf(push, name) !== undefined,
  );
  const list = carried.join(' and ');
  const form = { '': 'none', 'X-Webhook-Event and X-Webhook-Timestamp': 'event-and-timestamp' }[list];
  const evidence = `a push without a secret carried ${list || 'none of the three'}`;
  if (form) findings.found('webhook.unsigned-headers', form, evidence);
  else findings.missed(['webhook.unsigned-headers'], evidence);
}

function findContentType({ findings }: Probe, push: Push): void {
  const type = headerOf(push, 'Content-Type') ?? '(none)';
  const known = contentTypes.find((one) => one.replace(' ', '') === type.toLowerCase().replaceAll(' ', ''));
  if (known) findings.found('webhook.content-type', known, 'the header of a push');
  else findings.missed(['webhook.content-type'], `a push had the Content-Type ${type}`);
}

/** The style in which the body of a push is written. */
export function findBodyStyle({ findings }: Probe, push: Push): undefined {
  const text = push.body.toString('utf8');
  const body = bodyOf(push);
  const style = styleOf(text);
  const texts = jsonLeavesOf(body)
    .map(({ value }) => String(value))
    .join('');
  if (style === 'another')
    return findings.missed(['webhook.body-style'], 'a push was written in none of the known styles');
  if (style === 'compact' && !/[^\x20-\x7e]/.test(texts))
    return findings.missed(
      ['webhook.body-style'],
      'the push had ASCII text only, so that "compact" and "escaped" look the same; give a site whose name is not ASCII',
    );
  findings.found('webhook.body-style', style, 'the bytes of a push');
}

/** The field of section 6.3 or, in a test push of another form, a text that looks like it. */
export function findOffset({ findings }: Probe, push: Push): void {
  const texts = [fieldOf(push, 'timestamp'), ...jsonLeavesOf(bodyOf(push)).map(({ value }) => value)];
  const dateTime = texts.find((text) => typeof text === 'string' && offsetOf(text));
  const offset = dateTime && offsetOf(String(dateTime));
  if (offset) findings.found('webhook.timestamp-offset', offset, `the date-time in a push (${dateTime})`);
  else findings.missed(['webhook.timestamp-offset'], 'the push held no date-time with a UTC offset');
}

function findUnit({ findings }: Probe, push: Push): void {
  const header = headerOf(push, 'X-Webhook-Timestamp') ?? '';
  const unit = unitOf(header, push.arrived);
  if (unit) findings.found('webhook.timestamp-unit', unit, `X-Webhook-Timestamp was ${header}`);
  else
    findings.missed(
      ['webhook.timestamp-unit'],
      `X-Webhook-Timestamp was "${header}", which is now in neither unit`,
    );
}

/** One signature in 10^13 has no letter. */
function findSignatureCase({ findings }: Probe, push: Push): void {
  const hex = headerOf(push, 'X-Webhook-Signature')?.slice('sha256='.length) ?? '';
  const value = hex === hex.toLowerCase() ? 'lower' : 'upper';
  if (/[a-f]/i.test(hex)) findings.found('webhook.signature-hex', value, 'the header of a signed push');
  else findings.missed(['webhook.signature-hex'], 'the signature had no letter');
}

const redirectsGap = 'webhook.redirects';

/** Answers a push with a redirect, and watches whether its target is visited. Returns the test that caused it. */
export async function probeRedirects(probe: Probe): Promise<TestedSubscription | undefined> {
  const receiver = receiverOf(probe);
  if (!receiver) return undefined;
  const target = nextPath(probe);
  const tested = await testSpare(probe, { status: 302, location: receiver.urlOf(target) });
  const waitMs = Math.min(2_000, arrivalMs(probe));
  if (await comesWithin(probe, () => pushCount(probe, target) > 0, waitMs)) findVisited(probe, tested.answer);
  const evidence = `the target of a redirect was not visited within ${waitMs / 1000} s`;
  if (pushCount(probe, target) === 0) probe.findings.found(redirectsGap, 'not-followed', evidence);
  return tested;
}

/** Whether the answer of a redirect's target counts, as far as the answer to the test says it. */
function findVisited({ findings }: Probe, answer: Exchange): undefined {
  const pointer = String(findings.value('hook-test.delivered'));
  const isDelivered = pointer.startsWith('/') ? getAt(answer.response.json, pointer) : undefined;
  const seen = 'the target of a redirect was visited';
  if (typeof isDelivered !== 'boolean')
    return findings.missed(
      [redirectsGap],
      `${seen}; state "counted" if its answer is the answer to the push, and "followed" if the push is retried`,
    );
  findings.found(
    redirectsGap,
    isDelivered ? 'counted' : 'followed',
    `${seen}, and the answer to the test has ${isDelivered} at ${pointer}`,
  );
}
