// @module-tag ci
// A check without data to judge does not pass.
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { eventNames } from '../../openapi/event-names.ts';
import { type MockRun, runAgainstMock, type TamperPush } from './run-against-mock.ts';
import { isAbout, isCreation, jsonOf, lose, refusing } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

const full = { tier: 'full', cases: 4 } as const;
const lasting = profileWith({ 'operation.delete-subscription': 'not-offered' });

test.for<[check: string, what: string, trial: MockRun]>([
  [
    'log-1-failed-delivery-is-listed-too',
    'no subscription can be created and no retry is waited for',
    {
      ...without(isCreation),
      control: false,
      options: { only: ['LOG-1'], maxWaitMs: 60_000 },
    },
  ],
  ['event-4-only-chosen-events-on-chat', 'no chat channel is accepted', without(isOnChat)],
  ['event-13-every-chat-channel', 'no chat channel is accepted', without(isOnChat)],
  ['hook-5-generated-events-on-chat', 'no chat channel is accepted', without(isOnChat)],
  [
    'login-1-generated-order-of-members',
    'only the first login succeeds',
    { ...withOnlyFirst(isAbout('POST', /\/login$/)), options: { only: ['LOGIN-1'] } },
  ],
  [
    'hook-10-generated-tests',
    'only the first subscription can be created',
    { ...withOnlyFirst(({ path }) => path.endsWith('/webhooks')), options: { only: ['HOOK-10'] } },
  ],
  [
    'idem-1-same-site-creation-at-once',
    'only one of several calls at once is answered',
    { tamper: losingLaterCreations, options: { only: ['IDEM-1'] } },
  ],
  [
    'event-4-only-chosen-events',
    'subscriptions cannot be deleted, and those to some events are refused',
    {
      ...without((message) => isCreation(message) && eventsOf(message.body).length === 4),
      spoken: lasting,
      options: { tier: 'safe', only: ['EVENT-4'] },
    },
  ],
  [
    'retry-1-of-every-event',
    'nothing is pushed to subscriptions to all events',
    {
      ...losingPushesToAll(),
      spoken: profileWith({ 'hook-test.body': 'other' }),
      options: { only: ['RETRY-1'] },
    },
  ],
  [
    'retry-3-delays-at-other-targets',
    'nothing is retried',
    { tamperPush: losingRetries(), options: { only: ['RETRY-3'] } },
  ],
])('does not pass %s if %s', { timeout: 60_000 }, async ([id, , trial]) => {
  const report = await runAgainstMock({ ...trial, options: { ...full, ...trial.options } });
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  expect(checks.find((check) => check.id === id)).toMatchObject({
    // Other checks verify the same as generated cases. Refused creations leave open whether tests pass.
    outcome:
      id.includes('-generated-') && id !== 'hook-10-generated-tests' ? 'not-applicable' : 'not-verified',
    reason: expect.any(String),
  });
});

const nowhere = '/65534/nobody';

function without(isRefused: (message: Message) => boolean): MockRun {
  return { tamper: () => refusing(isRefused, 400, 40001) };
}

function withOnlyFirst(isMeant: (message: Message) => boolean): MockRun {
  let count = 0;
  return without((message) => isMeant(message) && count++ > 0);
}

/** Answers one of several identical site creations, and drops the connection for the others. */
function losingLaterCreations(): Tamper {
  const seen = new Set<string>();
  return async (message, forward) => {
    const text = message.body.toString();
    const isSite = message.method === 'POST' && /\/sites$/.test(message.path);
    if (isSite && seen.has(text)) lose();
    if (isSite) seen.add(text);
    return forward(message);
  };
}

function isOnChat(message: Message): boolean {
  return isCreation(message) && !['custom', undefined].includes(jsonOf(message.body).channel as string);
}

function eventsOf(body: Buffer): readonly unknown[] {
  const { events } = jsonOf(body);
  return Array.isArray(events) ? events : [];
}

/** Delivers each push only once. */
function losingRetries(): TamperPush {
  const seen = new Set<string>();
  return (push) => {
    const text = `${push.path} ${push.body.toString('latin1')}`;
    const isRetry = seen.has(text);
    seen.add(text);
    return isRetry ? { ...push, path: nowhere } : push;
  };
}

/** Delivers only test messages to subscriptions to all events. */
function losingPushesToAll(): MockRun {
  const all = new Set<string>();
  return {
    tamper: () => (message, forward) => {
      const { url } = jsonOf(message.body);
      if (isCreation(message) && eventsOf(message.body).length === eventNames.length)
        all.add(new URL(String(url)).pathname);
      return forward(message);
    },
    tamperPush: (push) => {
      const isEvent = eventNames.some((name) => push.body.includes(`"${name}"`));
      return isEvent && all.has(push.path) ? { ...push, path: nowhere } : push;
    },
  };
}
