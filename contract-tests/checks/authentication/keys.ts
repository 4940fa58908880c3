import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { readList } from '../../calls/pages.ts';
import { callProfileOperation, gapOf, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import {
  allCreatedKeys,
  type CreatedKey,
  createdKey,
  isWholeKey,
  requireKeyAccepted,
  useKey,
} from './created-keys.ts';
import { deleteUsedKey, findAcceptedUse, longestDeletionMs } from './deleted-keys.ts';
import { foreignAccess } from './foreign-access.ts';
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
    run: async (context) => requireForm(context, await createdKey(context)),
  },
  ...endpoints.map<Check>((endpoint) => ({
    id: `auth-3-${endpoint.name}-with-new-key`,
    isFurther: true,
    requirement: 'AUTH-3',
    needs: [...needs, 'site'],
    run: async (context) => {
      await sendValidCounterpart(context, endpoint.name);
      const { key } = await createdKey(context);
      if (!isWholeKey(key))
        throw new NotVerified('the value at the pointer in the profile is not a key; see KEY-1');
      const which = 'a newly created API key';
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
    id: 'key-4-deleted-key-is-refused-everywhere',
    isFurther: true,
    requirement: 'KEY-4',
    longestMs: longestDeletionMs,
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const accepted = await findAcceptedUse(context);
      const what = `${accepted?.operation} with a deleted API key`;
      if (accepted) expectRefusal(context, accepted, { what, kind: 'unauthenticated' });
    },
  },
  {
    id: 'key-4-other-keys-are-left-alone',
    requirement: 'KEY-4',
    longestMs: longestDeletionMs,
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const { other } = await once(context, deleteUsedKey);
      expectSuccess(context, other.value(), 'a call with an API key after another one was deleted');
    },
  },
  ...keyQuota,
  {
    id: 'key-1-form-of-each',
    requirement: 'KEY-1',
    needs,
    run: async (context) => {
      await createdKey(context);
      for (const made of allCreatedKeys(context)) await requireForm(context, made);
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
  ...foreignAccess,
  {
    // A renewal may end the key, so it is one of the run's own that no other check needs any more.
    id: 'refresh-2-api-key',
    isFurther: true,
    requirement: 'REFRESH-2',
    needs,
    run: async (context) => {
      const { key: token } = await createdKey(context);
      if (!succeeded(await call(context, 'refresh', { values: { token }, token }))) return;
      context.remarks.add('key-renewed', 'the refresh endpoint renews a newly created API key');
      throw new NotApplicable('the refresh endpoint renews an API key; see the remark key-renewed');
    },
  },
];

/** Where an answer has the key is a gap: what does not look like one is judged only if it is accepted as one, or stands where another key did. */
async function requireForm(context: Context, { key, exchange }: CreatedKey): Promise<void> {
  if (/^sp_./.test(key)) return;
  const isPlace = allCreatedKeys(context).some((made) => isWholeKey(made.key));
  if (!key.startsWith('sp_') && !isPlace) await requireTaken(context, key);
  throw new PromiseBroken('a key with the prefix sp_ and a secret part after it', shapeOf(key), exchange);
}

async function requireTaken(context: Context, key: string): Promise<void> {
  const used = await settle(() => useKey(context, key));
  if (!used.error && succeeded(used.value())) return;
  const gap = gapOf(context, 'createKey');
  context.observations.drifts(gap, `${shapeOf(key)}, which no call accepts`);
  throw new NotVerified(
    `no call accepts the value that ${gap} points at as an API key; state where the key is`,
  );
}

function shapeOf(key: string): string {
  return key.startsWith('sp_') ? 'only sp_' : `a key of ${key.length} characters with another prefix`;
}
