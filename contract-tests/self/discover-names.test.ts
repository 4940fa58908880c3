// @module-tag nightly
import { test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import { answering, isCreation, jsonOf, withJson } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

interface Naming {
  name: string;
  /** In the order in which the deployment asks for them. */
  names: readonly [url: string, events: string, channel: string, secret: string];
  refusal: (name: string) => Record<string, unknown>;
}

/** One of each kind; names.test.ts tests more. */
const namings: readonly Naming[] = [
  {
    name: 'PascalCase in a sentence',
    names: ['CallbackUrl', 'EventTypes', 'ChannelType', 'SigningSecret'],
    refusal: (name) => ({ message: `${name} is required` }),
  },
  {
    name: 'everyday words in a sentence',
    names: ['target', 'events', 'type', 'secret'],
    refusal: (name) => ({ message: `${name} is missing` }),
  },
  {
    name: 'a member param beside the envelope',
    names: ['PushUri', 'Topics', 'Platform', 'SignSecret'],
    refusal: (name) => ({ message: '参数错误', param: name }),
  },
  {
    name: 'a list of errors with a field each',
    names: ['notify_url', 'event_list', 'message_format', 'sign_key'],
    refusal: (name) => ({ message: 'validation failed', errors: [{ field: name, rule: 'required' }] }),
  },
  {
    name: 'short names before a colon, one without meaning',
    names: ['target', 'on', 'format', 'hmac'],
    refusal: (name) => ({ message: `${name}: value expected` }),
  },
];

// Concurrent, because these tests mostly wait.
test.concurrent.for(namings)(
  'finds names that the deployment requests one at a time: $name',
  async ({ names, refusal }, { expect }) => {
    const { found, count, profile } = await discoverMock({
      options: { arrivalMs: 300 },
      tamper: asking(names, refusal),
    });
    const lines = ['url', 'events', 'channel', 'secret'].map(
      (field, index) => `subscription.request.${field}: ${names[index]}  # `,
    );
    expect(lines.filter((line) => !profile.includes(line))).toEqual([]);
    expect(found).toContain('hook-test.status');
    expect(count.requests).toBeLessThan(110);
  },
);

const silently = answering(
  ({ code }) => code !== 0,
  (body) => ({ ...body, message: 'bad request' }),
);

test.concurrent('finds names of a deployment that ignores unknown fields and explains no refusal', async ({
  expect,
}) => {
  const { differences, missed, count } = await discoverMock({
    spoken: loadProfile('always-200-camel-case'),
    tamper: silently,
  });
  expect(differences).toEqual([]);
  expect(missed.filter((id) => id.startsWith('subscription.'))).toEqual([]);
  expect(count.requests).toBeLessThan(90);
});

test.concurrent('asks the user for names if a deployment refuses unknown fields and explains no refusal', async ({
  expect,
}) => {
  const { stopped, profile, count } = await discoverMock({
    spoken: loadProfile('nested-201-uuid'),
    tamper: silently,
  });
  expect(stopped).toBeUndefined();
  expect(profile).toMatch(
    /^# subscription\.request\.url: url {2}# not found: no creation with likely names passed;.*state them/m,
  );
  expect(count.requests).toBeLessThan(40);
});

/** A deployment that requests one missing field at a time. */
function asking(names: Naming['names'], refusal: Naming['refusal']): Tamper {
  const fields = ['url', 'events', 'channel', 'secret'];
  return async (message, forward) => {
    if (!isCreation(message)) return forward(message);
    const sent = jsonOf(message.body);
    const known = names.flatMap((name, index) => (name in sent ? [[fields[index], sent[name]]] : []));
    const reply = await forward(withJson(message, Object.fromEntries(known)));
    const { code, trace_id } = jsonOf(reply.body);
    const missing = names.slice(0, 3).find((name) => !(name in sent));
    if (code !== 40002 || missing === undefined) return reply;
    return withJson(reply, { code, trace_id, ...refusal(missing) });
  };
}
