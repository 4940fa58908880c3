import { isRateLimited } from '../../calls/expect-answer.ts';
import { refusedCall } from '../../calls/profile-calls.ts';
import { secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { useKey } from './created-keys.ts';
import {
  createKey,
  createOthersKey,
  type FilledQuota,
  fillQuota,
  hasCreatedKeys,
  quota,
  replaceKey,
} from './use-up-keys.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'operation:create-key', 'disruptive'];

/** How many API keys a tenant may have. */
export const keyQuota: readonly Check[] = [
  {
    id: 'key-2-of-each-tenant',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'second-tenant', 'operation:delete-key'],
    run: async (context) => {
      // Sent before this tenant's keys are created, so that nothing else can be the reason of a refusal afterwards.
      const before = await createOthersKey(context);
      if (!succeeded(before)) throw refusedCall(context, before);
      const { refusal } = await usedUpQuota(context);
      const after = await createOthersKey(context);
      if (!succeeded(after) && areAlike(after, refusal))
        throw new PromiseBroken(
          `${quota} API keys to be possible for each tenant, however many another one has`,
          `the other tenant could create one before this one had all of its own, and not after: ${describeAnswer(after)}`,
          after,
        );
      if (!succeeded(after)) throw refusedCall(context, after);
    },
  },
  {
    id: 'key-2-sixth-is-refused',
    requirement: 'KEY-2',
    needs,
    run: async (context) => {
      const { made, before, refusal } = await once(context, fillQuota);
      if (!refusal)
        throw new PromiseBroken(
          `${quota} API keys at most`,
          `${made.length} were created in this run${before === undefined ? '' : `, beside ${before} from before`}`,
          made.at(-1)?.exchange,
        );
      if (!hasCreatedKeys(context)) throw refusedCall(context, refusal);
      if (before !== undefined && before + made.length < quota)
        throw new PromiseBroken(
          `${quota} API keys to be possible`,
          `refused with ${before + made.length}: ${describeAnswer(refusal)}`,
          refusal,
        );
    },
  },
  {
    id: 'key-2-five-still-work',
    requirement: 'KEY-2',
    needs,
    run: async (context) => {
      const { made } = await usedUpQuota(context);
      // AUTH-3 covers keys that were never accepted.
      if (!made.some(({ wasAccepted }) => wasAccepted)) return;
      for (const { key } of made) {
        const exchange = await useKey(context, key);
        if (!succeeded(exchange) && !isRateLimited(context, exchange))
          throw new PromiseBroken(
            'the keys to work, and to work on when a sixth is refused',
            describeAnswer(exchange),
            exchange,
          );
      }
    },
  },
  {
    id: 'key-4-frees-its-place',
    requirement: 'KEY-4',
    needs: [...needs, 'operation:delete-key'],
    run: async (context) => {
      const next = await once(context, replaceKey);
      if (!succeeded(next))
        throw new PromiseBroken('a new key in the place of a deleted one', describeAnswer(next), next);
    },
  },
  {
    id: 'key-2-no-more-after-a-deletion',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'operation:delete-key'],
    run: async (context) => {
      if (!succeeded(await once(context, replaceKey)))
        throw new NotVerified('a deleted key keeps its place; see KEY-4');
      const exchange = await createKey(context);
      if (succeeded(exchange))
        throw new PromiseBroken(
          `${quota} API keys at most, also after one was deleted and another created`,
          `one more was created: ${describeAnswer(exchange)}`,
          exchange,
        );
    },
  },
  {
    id: 'key-2-shared-by-users',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'second-user'],
    run: async (context) => {
      const { refusal } = await usedUpQuota(context);
      const exchange = await createKey(context, { token: (await secondSession(context)).token });
      if (succeeded(exchange))
        throw new PromiseBroken(
          `${quota} API keys at most for the tenant, whoever of its users creates them`,
          `a second user created one more: ${describeAnswer(exchange)}`,
          exchange,
        );
      if (!areAlike(exchange, refusal)) throw refusedCall(context, exchange);
    },
  },
];

/** The keys that fill the quota, and the refusal of one more. */
async function usedUpQuota(context: Context): Promise<FilledQuota & { refusal: Exchange }> {
  const { refusal, ...filled } = await once(context, fillQuota);
  if (!refusal) throw new NotVerified('no key was refused; see key-2-sixth-is-refused');
  return { ...filled, refusal };
}
