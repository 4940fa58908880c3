// The body of a push, by channel: rendered once, then signed, sent, retried and logged unchanged.
import type { Profile } from '../../openapi/profile.ts';
import type { Subscription } from '../world/entries.ts';
import { showLongIds } from '../world/long-ids.ts';
import { formatTimestamp } from './format-timestamp.ts';
import type { PushMessage } from './push-message.ts';
import { type RobotText, robotMessage } from './robot-message.ts';
import { signForFeishu } from './sign.ts';
import { writeJson } from './write-json.ts';

export function renderBody(push: PushMessage, { channel, secret }: Subscription, profile: Profile): string {
  if (channel === 'custom') return renderOnce(push, profile);
  const isSigned =
    channel === 'feishu' && secret !== undefined && profile.values['webhook.robot-sign'] === 'vendor';
  return robotMessage(channel, textOf(push, profile), {
    profile,
    ...(isSigned && { sign: signForFeishu(secret, push.at) }),
  });
}

/** One text for all who get the same push: it may be large, and they may be many. */
function renderOnce(push: PushMessage, profile: Profile): string {
  const { rendered } = push;
  // A copy of a push may say something else.
  if (rendered?.push === push && rendered.profile === profile) return rendered.body;
  const body = writeJson(customBody(push, profile), profile.values['webhook.body-style']);
  push.rendered = { push, profile, body };
  return body;
}

/** Section 6.3; the body of a test message is undocumented, and so is that of a greeting. */
function customBody(push: PushMessage, profile: Profile): object {
  const { event, at, site, data, test, greeting } = push;
  const timestamp = formatTimestamp(at, profile.values['webhook.timestamp-offset']);
  if (greeting) return { type: 'url_verification', challenge: greeting.challenge, sent_at: timestamp };
  if (test?.ownBody) return { test: true, ...data, sent_at: timestamp };
  return { event, timestamp, site_id: site.id, site_name: site.name, data };
}

function textOf({ event, at, site, data }: PushMessage, profile: Profile): RobotText {
  const time = formatTimestamp(at, profile.values['webhook.timestamp-offset']);
  const details = Object.entries(data).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    title: `[${event}] ${site.name}`,
    // Before they are cut to a length.
    lines: [`site: ${site.id} ${site.name}`, `time: ${time}`, ...details].map(showLongIds),
  };
}
