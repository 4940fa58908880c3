// Calls of all kinds, as they are drawn: each is chosen by name, and by small numbers that pick what was made before.
import fc from 'fast-check';
import type { Answered, Call } from './called-mock.ts';
import { apiKey, kinds, type Learned, type Made } from './kinds-of-calls.ts';

export interface Step {
  name: string;
  /** Which of the mocks is called. */
  at: number;
  a: number;
  b: number;
}

export interface Caller {
  /** The call of a step. */
  callOf(step: Step): Call;
  /** Notes what was made. */
  learn(step: Step, answered: Answered): void;
}

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
export function createCaller(receiver: string): Caller {
  const made: Made = {
    tokens: [apiKey],
    sites: [101, 102, 201],
    contents: [1],
    keys: [1],
    subscriptions: [[101, 1]],
    saved: undefined,
  };
  return {
    callOf({ name, a, b }) {
      /** 0 is what was made last. */
      const pick = <Thing>(things: readonly Thing[], index: number): Thing =>
        things[Math.max(0, things.length - 1 - index)] as Thing;
      const site = `/tenant/sites/${pick(made.sites, 3 - b)}`;
      const [siteId, id] = pick(made.subscriptions, a);
      const call = kinds[name]?.call({
        a,
        b,
        token: a === 3 ? apiKey : pick(made.tokens, a),
        site,
        content: `${site}/contents/${pick(made.contents, a)}`,
        subscription: `/tenant/sites/${siteId}/webhooks/${id}`,
        key: pick(made.keys, b),
        saved: made.saved,
        receiver,
      });
      if (!call) throw new Error(`there is no call ${name}`);
      return call;
    },
    learn({ name }, { status, body }) {
      if (status !== 200) return;
      if (name === 'save') made.saved = body;
      else kinds[name]?.learn?.(made, JSON.parse(body) as Learned);
    },
  };
}
