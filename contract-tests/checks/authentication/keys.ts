import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { readList } from '../../calls/pages.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import {
  allCreatedKeys,
  type CreatedKey,
  createdKey,
  deleteKey,
  isWholeKey,
  requireKeyAccepted,
  shows,
} from './created-keys.ts';
import { keyQuota } from './key-quota.ts';

const needs: readonly Need[] = ['account', 'creates', 'operation:create-key', 'spare-key'];

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
      const made = await createdKey(context);
      await readList(context, 'listKeys');
      requireHidden(context, made);
    },
  },
  ...endpoints.map<Check>(({ name, what }) => ({
    id: `key-4-deleted-key-is-refused-on-${name}`,
    requirement: 'KEY-4',
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const use = (await once(context, deleteKey)).uses.get(name);
      if (!use) throw new NotVerified('the endpoint was not called with a deleted key');
      const refusal = { what: `${what} with a deleted API key`, kind: 'unauthenticated' } as const;
      expectRefusal(context, use.value(), refusal);
    },
  })),
  {
    id: 'key-4-other-keys-are-left-alone',
    requirement: 'KEY-4',
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const { other } = await once(context, deleteKey);
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
      for (const made of allCreatedKeys(context)) requireHidden(context, made);
    },
  },
];

function requireForm({ key, exchange }: CreatedKey): void {
  if (!/^sp_./.test(key)) throw new PromiseBroken('a key of sp_ and a secret part', shapeOf(key), exchange);
}

/** An answer may repeat the Authorization of its call: the caller showed that key. */
function requireHidden({ exchanges }: Context, { key, exchange: creation }: CreatedKey): void {
  const showing = exchanges.find(
    (exchange) => exchange !== creation && !isBy(exchange, key) && shows(exchange, key),
  );
  if (showing)
    throw new PromiseBroken(
      'the plaintext of a key in the answer to its creation only',
      `it is in an answer of ${showing.operation}: ${describeAnswer(showing)}`,
      showing,
    );
}

function isBy({ request }: Exchange, key: string): boolean {
  return request.headers.Authorization?.includes(key) ?? false;
}

function shapeOf(key: string): string {
  return key.startsWith('sp_') ? 'sp_ alone' : `one of ${key.length} characters that begins otherwise`;
}
