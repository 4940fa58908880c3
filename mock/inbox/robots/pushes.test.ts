// What the mock pushes to chat channels, against the robots of those products.
import { describe, expect, test } from 'vitest';
import type { Robot } from '../../../openapi/event-names.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { profileWith } from '../../testing/open-mock.ts';
import { recordDelivery, retryDelaysMs } from '../../webhooks/delivery-steps.ts';
import type { PushMessage } from '../../webhooks/render.ts';
import type { RobotSettings, Subscription } from '../../world/entries.ts';
import { createEmptyWorld } from '../../world/world.ts';
import { answerAsRobot } from './robot-answer.ts';
import { callOf, messageTypes, now } from './testing.ts';

const breaking = '](http://x) **_~`# > <font color="info"> @all <@all> <at id=all></at> | --- \\ "quoted"';

const titles: readonly [string, string][] = [
  ['an empty title', ''],
  ['a short one', '示例站点'],
  ['100 kB of ASCII', 'a'.repeat(100_000)],
  ['100 kB of Chinese', '栞'.repeat(34_000)],
  ['100 kB of emoji', '👩‍👩‍👧‍👦'.repeat(4000)],
  ['100 kB of line separators', '\u2028\u2029'.repeat(17_000)],
  ['100 kB of combining characters', `e${'\u0301'.repeat(50_000)}`],
  ['100 kB that JSON escapes', '"\\\n\u0001'.repeat(25_000)],
  ['100 kB of halves of characters', '\ud83d'.repeat(34_000)],
  ['what breaks Markdown', breaking],
  ['100 kB of what breaks Markdown', breaking.repeat(1200)],
];

const secret = 'SECthis-is-secret';
/** The last retry sends the same bytes. */
const lastRetryAt = retryDelaysMs.reduce((time, delay) => time + delay, now);

/** A push as it would be sent. */
function pushOn(channel: Robot, title: string, profile: Profile) {
  const push: PushMessage = {
    event: 'content.publish',
    at: now,
    site: { id: 1, name: title },
    data: { id: 42, title, [title.slice(0, 1000)]: { title } },
  };
  const url = 'http://x.example/robot?access_token=t&key=k';
  const subscription: Subscription = { id: 1, siteId: 1, url, channel, secret, events: [], createdAt: now };
  const world = createEmptyWorld(1, { mode: 'manual', time: now });
  return recordDelivery({ world, profile }, push, subscription);
}

function answersTo(robot: Robot, { url, body }: { url: string; body: string }, settings: RobotSettings) {
  const path = new URL(url).search;
  return [now, lastRetryAt].map(
    (time) => answerAsRobot(robot, callOf(body, { path, settings, now: time })).body,
  );
}

const accepted = {
  wecom: '{"errcode":0,"errmsg":"ok"}',
  dingtalk: '{"errcode":0,"errmsg":"ok"}',
  feishu: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
};

describe.each(messageTypes)('%s accepts our %s', (robot, type) => {
  const profile = profileWith({ [`channel.${robot}`]: type });
  const signing = profileWith({ [`channel.${robot}`]: type, 'webhook.robot-sign': 'vendor' });

  test.each(titles)('with %s', (_case, title) => {
    const [push, signed] = [pushOn(robot, title, profile), pushOn(robot, title, signing)];
    for (const wording of ['documented', 'observed'] as const) {
      const answers = [
        ...answersTo(robot, push, { wording }),
        ...answersTo(robot, signed, { wording, signSecret: secret }),
      ];
      expect(new Set(answers)).toEqual(new Set([accepted[robot]]));
    }
  });
});
