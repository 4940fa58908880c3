// What the bytes and headers of pushes show.
import { offsetOf, styleOf, unitOf } from '../push-receiver/push-format.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../push-receiver/read-push.ts';
import type { Probe } from './discovery-probe.ts';
import { jsonLeavesOf } from './json-leaves.ts';
import { secretOf } from './probe-secret.ts';
import { arrivalMs, fieldOf, testedSubscription } from './test-pushes.ts';

const contentTypes = ['application/json', 'application/json; charset=utf-8'];
/** Pushes whose hex has no letter at all tell nothing of its case; one in 10^13 is such. */
const hexTries = 3;

/** Reads pushes on the custom channel, of which at least the signed ones have all headers. */
export async function readPushes(probe: Probe, pushes: readonly Push[]): Promise<void> {
  const { findings } = probe;
  const [push] = pushes;
  if (!push) return;
  findContentType(probe, push);
  findStyle(probe, push);
  findOffset(probe, push);
  await findUnsigned(probe);
  if (!findings.has('subscription.request.secret')) {
    return findings.missed(
      ['webhook.timestamp-unit', 'webhook.signature-hex'],
      'no push was signed: the name of the secret is not known',
    );
  }
  findUnit(probe, push);
  await findHex(probe, [...pushes]);
}

async function findUnsigned(probe: Probe): Promise<void> {
  const { findings } = probe;
  const unsigned = await testedSubscription(probe);
  const carried = ['X-Webhook-Event', 'X-Webhook-Timestamp', 'X-Webhook-Signature'].filter(
    (name) => headerOf(unsigned.push, name) !== undefined,
  );
  const form =
    carried.length === 0
      ? 'none'
      : carried.length === 2 && carried[1] === 'X-Webhook-Timestamp'
        ? 'event-and-timestamp'
        : undefined;
  if (form)
    findings.found(
      'webhook.unsigned-headers',
      form,
      `a push without a secret carried ${carried.join(' and ') || 'none of the three'}`,
    );
  else findings.missed(['webhook.unsigned-headers'], `a push without a secret carried ${carried.join(', ')}`);
}

function findContentType({ findings }: Probe, push: Push): void {
  const type = headerOf(push, 'Content-Type') ?? '(none)';
  const known = contentTypes.find((one) => one.replace(' ', '') === type.toLowerCase().replaceAll(' ', ''));
  if (known) findings.found('webhook.content-type', known, 'the header of a push');
  else findings.missed(['webhook.content-type'], `a push had the Content-Type ${type}`);
}

/** How the bytes of a push are written. */
export function findStyle({ findings }: Probe, push: Push): undefined {
  const text = push.body.toString('utf8');
  const body = bodyOf(push);
  const style = styleOf(text, body);
  const texts = jsonLeavesOf(body)
    .map(({ value }) => String(value))
    .join('');
  if (style === 'another')
    return findings.missed(['webhook.body-style'], 'a push was written in a way of its own');
  if (style === 'compact' && !/[^\x20-\x7e]/.test(texts))
    return findings.missed(
      ['webhook.body-style'],
      'the push had ASCII text only, so that "compact" and "escaped" look the same; give a site whose name is not ASCII',
    );
  findings.found('webhook.body-style', style, 'the bytes of a push');
}

/** The field of section 6.3, or in a test message of its own form what looks like it. */
function findOffset({ findings }: Probe, push: Push): void {
  const texts = [fieldOf(push, 'timestamp'), ...jsonLeavesOf(bodyOf(push)).map(({ value }) => value)];
  const offset = texts.map((text) => (typeof text === 'string' ? offsetOf(text) : undefined)).find(Boolean);
  if (offset)
    findings.found(
      'webhook.timestamp-offset',
      offset,
      `the date-time in a push (${texts.find((text) => typeof text === 'string' && offsetOf(text))})`,
    );
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

async function findHex(probe: Probe, pushes: Push[]): Promise<void> {
  for (let more = 0; more <= hexTries; more++) {
    const hexes = pushes.map((push) => headerOf(push, 'X-Webhook-Signature')?.slice('sha256='.length) ?? '');
    const telling = hexes.find((hex) => /[a-f]/i.test(hex));
    if (telling)
      return probe.findings.found(
        'webhook.signature-hex',
        telling === telling.toLowerCase() ? 'lower' : 'upper',
        'the header of a signed push',
      );
    if (more < hexTries)
      pushes.push((await testedSubscription(probe, { secret: secretOf(probe, `hex-${more}`) })).push);
  }
  probe.findings.missed(['webhook.signature-hex'], 'no signature had a letter');
}

/** Answers with a redirect, and sees whether its target is visited. */
export async function probeRedirects(probe: Probe, path: string): Promise<void> {
  const { listener, findings } = probe;
  if (!listener) return;
  const place = `${path}/moved`;
  listener.answer(path, [{ status: 302, location: listener.urlOf(place) }]);
  await testedSubscription(probe, { path });
  const waitMs = probe.clock.isMoved ? 100 : Math.min(2_000, arrivalMs(probe));
  const visited = await listener.waitFor(place, waitMs);
  const evidence = visited
    ? 'the target of a redirect was visited'
    : `the target of a redirect was not visited within ${waitMs / 1000} s`;
  findings.found('webhook.redirects', visited ? 'followed' : 'not-followed', evidence);
}
