import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { readList } from '../../calls/pages.ts';
import { callProfileOperation, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { once } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import {
  allCreatedKeys,
  type CreatedKey,
  createdKey,
  isWholeKey,
  requireKeyAccepted,
} from './created-keys.ts';
import { deleteUsedKey, longestDeletionMs } from './deleted-keys.ts';
import { keyQuota } from './key-quota.ts';
import { requireHidden } from './shown-keys.ts';

const needs: readonly Need[] = ['account', 'creates', 'operation:create-key', 'spare-key'];

/** Others who may list keys. */
const otherReaders = [
  { name: 'a-second-user', need: 'second-user', session: secondSession },
  { name: 'another-tenant', need: 'other-user', session: otherSession },
] as const;

/** API keys: their form, their use and their number. A key is shown once. */
export const keys: readonly Check[] = [
  {
    id: 'key-1-form',
    requirement: 'KEY-1',
    needs,
    run: async (context) => requireForm(await createdKey(context)),
  },
  ...endpoints.map<Check>((endpoint) => ({
    id: `auth-3-${endpoint.name}-with-new-key`,
    isFurther: true,
    requirement: 'AUTH-3',
    needs: [...needs, 'site'],
    run: async (context) => {
      await sendValidCounterpart(context, endpoint.name);
      const { key } = await createdKey(context);
      if (!isWholeKey(key)) throw new NotVerified('the value where the profile says is no key; see KEY-1');
      const which = 'an API key that was created just now';
      await requireKeyAccepted(context, endpoint, { key, which });
    },
  })),
  {
    id: 'key-3-not-listed',
    requirement: 'KEY-3',
    needs: [...needs, 'operation:list-keys'],
    run: async (context) => {
      await createdKey(context);
      await readList(context, 'listKeys');
      requireHidden(context);
    },
  },
  ...otherReaders.map<Check>(({ name, need, session }) => ({
    id: `key-3-not-listed-for-${name}`,
    isFurther: true,
    requirement: 'KEY-3',
    needs: [...needs, 'operation:list-keys', need],
    run: async (context) => {
      await createdKey(context);
      const { token } = await session(context);
      const first = await untilAccepted(context, () => callProfileOperation(context, 'listKeys', { token }));
      if (!succeeded(first)) throw refusedCall(context, first);
      await readList(context, 'listKeys', { token });
      requireHidden(context);
    },
  })),
  ...endpoints.map<Check>(({ name, what }) => ({
    id: `key-4-deleted-key-is-refused-on-${name}`,
    requirement: 'KEY-4',
    longestMs: longestDeletionMs,
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const use = (await once(context, deleteUsedKey)).uses.get(name);
      if (!use) throw new NotVerified('the endpoint was not called with a deleted key');
      const refusal = { what: `${what} with a deleted API key`, kind: 'unauthenticated' } as const;
      expectRefusal(context, use.value(), refusal);
    },
  })),
  {
    id: 'key-4-other-keys-are-left-alone',
    requirement: 'KEY-4',
    longestMs: longestDeletionMs,
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const { other } = await once(context, deleteUsedKey);
      expectSuccess(context, other.value(), 'a call with an API key beside one that was deleted');
    },
  },
  ...keyQuota,
  {
    id: 'key-1-form-of-each',
    requirement: 'KEY-1',
    needs,
    run: async (context) => {
      await createdKey(context);
      for (const made of allCreatedKeys(context)) requireForm(made);
    },
  },
  {
    id: 'key-3-in-no-other-answer',
    requirement: 'KEY-3',
    needs,
    run: async (context) => {
      await createdKey(context);
      if (context.operations.has('listKeys')) await readList(context, 'listKeys');
      requireHidden(context);
    },
  },
];

function requireForm({ key, exchange }: CreatedKey): void {
  if (!/^sp_./.test(key)) throw new PromiseBroken('a key of sp_ and a secret part', shapeOf(key), exchange);
}

function shapeOf(key: string): string {
  return key.startsWith('sp_') ? 'sp_ alone' : `one of ${key.length} characters that begins otherwise`;
}
