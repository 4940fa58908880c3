import { isRateLimited } from '../../calls/expect-answer.ts';
import { ownToken, refusedCall } from '../../calls/profile-calls.ts';
import { secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { countKeys, countMostKeys, type KeyCount, lagMs } from './counted-keys.ts';
import { createKey, useKey } from './created-keys.ts';
import { deleteKey, deletionsOf } from './deleted-keys.ts';
import {
  createOthersKey,
  type FilledQuota,
  fillQuota,
  hasCreatedKeys,
  quota,
  quotaTrial,
  replaceKey,
} from './use-up-keys.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'operation:create-key', 'disruptive'];

/** How many creations are sent at once. */
const creationsAtOnce = 4;

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
        throw new WronglyRefused(
          `${quota} API keys to be possible for each tenant, regardless of other tenants`,
          after,
          quotaTrial(context, createOthersKey),
          `the other tenant could create a key before this tenant had all of its keys, but not after: ${describeAnswer(after)}`,
        );
      if (!succeeded(after)) throw refusedCall(context, after);
      await requireKnownQuota(context);
    },
  },
  {
    id: 'key-2-sixth-is-refused',
    requirement: 'KEY-2',
    needs,
    run: async (context) => {
      const { made, refusal, count } = await once(context, fillQuota);
      if (!refusal) return requireNoSixth(context, made.at(-1)?.exchange);
      if (!hasCreatedKeys(context)) throw refusedCall(context, refusal);
      await requireFive(context, refusal, count);
    },
  },
  {
    id: 'key-2-five-still-work',
    requirement: 'KEY-2',
    needs,
    run: async (context) => {
      const { made, wasAccepted } = await usedUpQuota(context);
      let isAnyAccepted = wasAccepted;
      const refusals: Exchange[] = [];
      const deleted = await once(context, deletionsOf);
      for (const { key } of made.filter(({ id }) => !deleted.has(String(id)))) {
        const exchange = await useKey(context, key);
        if (succeeded(exchange)) isAnyAccepted = true;
        else if (!isRateLimited(context, exchange)) {
          await requireCapacity(context, exchange, key);
          refusals.push(exchange);
        }
      }
      if (!isAnyAccepted) throw new NotVerified('no new API key was accepted at all; see AUTH-3');
      if (refusals[0])
        throw new WronglyRefused(
          'the existing keys to work after another creation was refused',
          refusals[0],
          {
            spoiledBy: 'operation:delete-key',
          },
        );
      await requireKnownQuota(context);
    },
  },
  {
    id: 'key-4-frees-its-place',
    requirement: 'KEY-4',
    needs: [...needs, 'operation:delete-key'],
    run: async (context) => {
      const next = await once(context, replaceKey);
      if (!succeeded(next))
        throw new WronglyRefused('a new key to be created after one was deleted', next, { plain: null });
    },
  },
  {
    id: 'key-2-no-more-after-a-deletion',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'operation:delete-key'],
    run: async (context) => {
      if (!succeeded(await once(context, replaceKey)))
        throw new NotVerified('a deleted key still counts towards the quota; see KEY-4');
      const exchange = await createKey(context);
      if (succeeded(exchange)) await requireNoSixth(context, exchange);
      await requireKnownQuota(context);
    },
  },
  {
    id: 'key-2-shared-by-users',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'second-user'],
    run: async (context) => {
      const { refusal } = await usedUpQuota(context);
      const { token } = await secondSession(context);
      const exchange = await createKey(context, { token });
      if (succeeded(exchange)) {
        const counted = await settle(() => requireNoSixth(context, exchange));
        await giveBack(context, exchange, token);
        return counted.value();
      }
      if (!areAlike(exchange, refusal)) throw refusedCall(context, exchange);
      await requireKnownQuota(context);
    },
  },
  {
    id: 'key-2-several-at-once',
    isFurther: true,
    requirement: 'KEY-2',
    needs: [...needs, 'operation:delete-key'],
    run: async (context) => {
      await usedUpQuota(context);
      const last = await once(context, replaceKey);
      if (!succeeded(last)) throw new NotVerified('a deleted key still counts towards the quota; see KEY-4');
      await deleteKey(context, last.values.id);
      await context.clock.pass(lagMs, 'the API key quota to have room after a deletion');
      const token = await ownToken(context, 'createKey');
      const calls = Array.from({ length: creationsAtOnce }, () =>
        settle(() => createKey(context, { token })),
      );
      const answers = (await Promise.all(calls)).filter(({ error }) => !error).map(({ value }) => value());
      const created = answers.filter(succeeded);
      if (created.length > 1) await requireNoSixth(context, created.at(-1));
      if (created.length === 0)
        throw new NotVerified(
          answers[0]
            ? `the deployment accepted none of ${creationsAtOnce} simultaneous creations (${describeAnswer(answers[0])})`
            : 'no call was answered',
        );
      await requireKnownQuota(context);
    },
  },
];

/** Throws PromiseBroken where more keys exist than there may be beyond doubt, and NotVerified where that is not known. */
async function requireNoSixth(context: Context, created: Exchange | undefined): Promise<void> {
  const { sure } = await countKeys(context);
  if (sure > quota)
    throw new PromiseBroken(
      `at most ${quota} API keys for the tenant`,
      `one more was created, and ${sure} exist${created ? `: ${describeAnswer(created)}` : ''}`,
      created,
    );
  throw new NotVerified(
    `a creation succeeded after one was refused, but only ${sure} keys are known to exist; another user may have deleted one`,
  );
}

/** Throws PromiseBroken where a key was refused although there is a place, and NotVerified where it may be somebody else's. */
async function requireFive(context: Context, refusal: Exchange, { sure, known }: KeyCount): Promise<void> {
  if (sure > quota)
    throw new PromiseBroken(`at most ${quota} API keys for the tenant`, `${sure} exist`, refusal);
  if (known === quota) return;
  const most = await countMostKeys(context);
  if (most !== undefined && most < quota) {
    if (await fillBySecondUser(context)) return;
    throw new WronglyRefused(
      `${quota} API keys to be possible`,
      refusal,
      quotaTrial(context, createKey),
      `refused with ${most} existing keys: ${describeAnswer(refusal)}`,
    );
  }
  throw new NotVerified(
    `a creation was refused (${describeAnswer(refusal)}) while ${known} keys are known to exist, not ${quota}; lists may omit keys of others or still show deleted ones`,
  );
}

/**
 * Five are the most of the tenant, and each user may have fewer: a second user fills the places that are left. Returns whether five exist then, and
 * false where that user can create none. Throws NotVerified where there are fewer.
 */
async function fillBySecondUser(context: Context): Promise<boolean> {
  const { token } = await secondSession(context);
  const made: Exchange[] = [];
  let last = await createKey(context, { token });
  for (; succeeded(last) && made.length < quota; last = await createKey(context, { token })) made.push(last);
  if (succeeded(last)) made.push(last);
  if (made.length === 0) return false;
  const { sure, known } = await countKeys(context);
  for (const one of made) await giveBack(context, one, token);
  if (sure > quota)
    throw new PromiseBroken(`at most ${quota} API keys for the tenant`, `${sure} exist`, made.at(-1));
  if (known === quota) return true;
  throw new NotVerified(
    `a creation was refused, and then a second user created ${made.length}: each user seems to have a limit, and ${known} keys do not reach the limit of the tenant`,
  );
}

/** Throws NotVerified where a key was refused while other than five are known, unless more than five exist: then nothing shows that five are the most. */
async function requireKnownQuota(context: Context): Promise<void> {
  const { known } = (await once(context, fillQuota)).count;
  // By now a deletion may have shown that the list leaves out what was ended.
  const { sure } = known > quota ? await countKeys(context) : { sure: 0 };
  if (sure > quota) throw new PromiseBroken(`at most ${quota} API keys for the tenant`, `${sure} exist`);
  if (known !== quota)
    throw new NotVerified(
      `a creation was refused while ${known} keys are known to exist; see key-2-sixth-is-refused`,
    );
}

/** Keys of one person may be closed to another. */
async function giveBack(context: Context, { values }: Exchange, token: string): Promise<void> {
  if (context.operations.has('deleteKey') && values.id !== undefined)
    await settle(() => deleteKey(context, values.id, { token }));
}

/** The keys that fill the quota, and the refusal of one more. */
async function usedUpQuota(context: Context): Promise<FilledQuota & { refusal: Exchange }> {
  const { refusal, ...filled } = await once(context, fillQuota);
  if (!refusal) throw new NotVerified('no creation was refused; see key-2-sixth-is-refused');
  return { ...filled, refusal };
}
