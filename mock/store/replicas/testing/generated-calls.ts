// Calls of all kinds, as they are drawn: each is chosen by name, and by small numbers that pick what was made before.
import fc from 'fast-check';
import { basePath, isControlPath } from '../../../http/paths.ts';
import type { Answered, Call } from './called-mock.ts';
import { apiKey, type Kind, kinds } from './kinds-of-calls.ts';

export interface Step {
  name: string;
  /** Which of the mocks is called. */
  at: number;
  a: number;
  b: number;
}

export type Caller = ReturnType<typeof createCaller>;

export const kindsOfCalls = Object.keys(kinds);

const small = fc.nat({ max: 3 });

/** Of so many steps at most. */
export function stepsOf(mostSteps: number): fc.Arbitrary<Step[]> {
  const names = fc.oneof(
    ...Object.entries(kinds).map(([name, { weight = 2 }]) => ({ weight, arbitrary: fc.constant(name) })),
  );
  return fc.array(fc.record({ name: names, at: fc.nat({ max: 1 }), a: small, b: small }), {
    minLength: mostSteps / 2,
    maxLength: mostSteps,
    size: 'max',
  });
}

/** `receiver`: the address of a receiver, without a path. */
export function createCaller(receiver: string) {
  /** What calls before have made, to be called again; gone things stay, so that they are called in vain. */
  const made = { tokens: [apiKey], sites: [101, 102, 201], contents: [1], keys: [1] };
  const subscriptions: [siteId: number, id: number][] = [[101, 1]];
  let saved: string | undefined;
  return {
    /** The call of a step. */
    callOf({ name, a, b }: Step): Call {
      /** 0 is what was made last. */
      const pick = <Thing>(things: readonly Thing[], index: number): Thing =>
        things[Math.max(0, things.length - 1 - index)] as Thing;
      const open = `/sites/${pick(made.sites, 3 - b)}`;
      const site = `/tenant${open}`;
      const [siteId, id] = pick(subscriptions, a);
      const [line, body] = (kinds[name] as Kind).call({
        a,
        b,
        site,
        open,
        content: `${site}/contents/${pick(made.contents, a)}`,
        subscription: `/tenant/sites/${siteId}/webhooks/${id}`,
        key: pick(made.keys, b),
        saved,
        receiver,
      });
      const [method, path = ''] = line.split(' ') as [Call['method'], string];
      if (isControlPath(path)) return { method, path, body };
      return { method, path: basePath + path, body, token: a === 3 ? apiKey : pick(made.tokens, a) };
    },
    /** Notes what was made. */
    learn({ name }: Step, { status, body }: Answered): void {
      if (status !== 200 || body === '') return;
      if (name === 'save') saved = body;
      const { data = {} } = JSON.parse(body) as { data?: Record<string, number> };
      for (const [list, member] of Object.entries(kinds[name]?.makes ?? {}))
        if (data[member] !== undefined) made[list as 'keys'].push(data[member]);
      if (name === 'subscribe') subscriptions.push([data.site_id ?? 101, data.id ?? 0]);
    },
  };
}
