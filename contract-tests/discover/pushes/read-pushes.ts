// Reads findings from the bodies and headers of pushes.
import { chatChannels, type Robot } from '../../../openapi/event-names.ts';
import { jsonLeavesOf } from '../../core/json-leaves.ts';
import { contentTypeOf, offsetOf, styleOf, unitOf } from '../../push-receiver/push-format.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../../push-receiver/read-push.ts';
import { unsignedFormOf } from '../../push-receiver/signature.ts';
import { type Probe, StepImpossible } from '../probe.ts';
import { optionalSecret, secretGap } from '../subscription/requests.ts';
import { createAndTest, fieldOf } from './test-pushes.ts';

/** On the custom channel: without and with a secret. */
export function readPushes(
  probe: Probe,
  { signed, plain }: { signed: Push | undefined; plain: Push },
): undefined {
  const { findings } = probe;
  findings.found('webhook.content-type', contentTypeOf(plain), 'the header of a push');
  findings.found('webhook.unsigned-headers', unsignedFormOf(plain), 'the headers of a push without a secret');
  for (const push of [signed, plain]) if (push) readBody(probe, push);
  if (signed && findings.has(secretGap)) return readSigned(probe, signed);
  const reason = 'no push was signed, because the field name of the secret is unknown';
  findings.missed(['webhook.timestamp-unit', 'webhook.signature-hex'], reason);
}

export function readBody(probe: Probe, push: Push): void {
  if (!probe.findings.has('webhook.body-style')) findBodyStyle(probe, push);
  if (!probe.findings.has('webhook.timestamp-offset')) findOffset(probe, push);
}

function findBodyStyle({ findings }: Probe, push: Push): undefined {
  const text = push.body.toString('utf8');
  const body = bodyOf(push);
  const style = styleOf(text);
  const texts = jsonLeavesOf(body)
    .map(({ value }) => String(value))
    .join('');
  if (style === 'compact' && !/[^\x20-\x7e]/.test(texts))
    return findings.missed(
      ['webhook.body-style'],
      'the push contains only ASCII text, so "compact" and "escaped" look the same; use a site with a non-ASCII name',
    );
  findings.found('webhook.body-style', style, 'the bytes of a push');
}

/** Reads the field of section 6.3, or any date-time in a test push of another form. */
function findOffset({ findings }: Probe, push: Push): void {
  const texts = [fieldOf(push, 'timestamp'), ...jsonLeavesOf(bodyOf(push)).map(({ value }) => value)];
  const dateTime = texts.find((text) => typeof text === 'string' && offsetOf(text));
  const offset = dateTime && offsetOf(String(dateTime));
  if (offset) findings.found('webhook.timestamp-offset', offset, `the date-time in a push (${dateTime})`);
  else findings.missed(['webhook.timestamp-offset'], 'the push contains no date-time with a UTC offset');
}

function readSigned({ findings }: Probe, push: Push): undefined {
  const time = headerOf(push, 'X-Webhook-Timestamp') ?? '';
  const unit = unitOf(time, push.arrived) ?? 'neither';
  findings.found('webhook.timestamp-unit', unit, `X-Webhook-Timestamp was "${time}"`);
  const hex = headerOf(push, 'X-Webhook-Signature')?.slice('sha256='.length) ?? '';
  const [letter] = /[a-f]/i.exec(hex) ?? [];
  const value = letter === letter?.toLowerCase() ? 'lower' : 'upper';
  // One signature in 10^13 has no letter.
  if (letter !== undefined) findings.found('webhook.signature-hex', value, 'the header of a signed push');
}

export async function probeRobots(probe: Probe): Promise<void> {
  const hasSecret = probe.findings.has(secretGap);
  const signs: boolean[] = [];
  for (const robot of chatChannels) {
    try {
      const { push } = await createAndTest(probe, { channel: robot, ...optionalSecret(probe) });
      findType(probe, robot, push);
      if (robot !== 'wecom') signs.push(isVendorSigned(push));
    } catch (error) {
      if (!(error instanceof StepImpossible)) throw error;
      probe.findings.missed([`channel.${robot}`], error.message);
    }
  }
  findSign(probe, hasSecret, signs);
}

function findType({ findings }: Probe, robot: Robot, push: Push): void {
  const field = robot === 'feishu' ? 'msg_type' : 'msgtype';
  findings.found(`channel.${robot}`, fieldOf(push, field), `${field} of a ${robot} push`);
}

/** DingTalk pushes have the sign in the query, Feishu pushes in the body. */
function isVendorSigned(push: Push): boolean {
  return new URLSearchParams(push.search).has('sign') || fieldOf(push, 'sign') !== undefined;
}

function findSign({ findings }: Probe, hasSecret: boolean, signs: readonly boolean[]): undefined {
  const gap = 'webhook.robot-sign';
  if (!hasSecret) return findings.missed([gap], 'the field name of the secret is unknown');
  if (signs.length === 0) return findings.missed([gap], 'no dingtalk or feishu push arrived');
  const isSigned = signs.some(Boolean);
  const evidence = `dingtalk and feishu pushes with a secret have ${isSigned ? 'the' : 'no'} sign of the vendor`;
  findings.found(gap, isSigned ? 'vendor' : 'none', evidence);
}
