import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../exchange.ts';
import { expectRefusal, isRateLimited } from '../expect.ts';
import { sendCreation } from '../hook-calls.ts';
import { creationWorks } from '../hooks.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { callOwn, callToEnd, gapOf, refusedCall, uniqueText } from '../own-calls.ts';

const needs: readonly Need[] = ['account', 'creates', 'operation:create-key', 'spare-key'];
const filling: readonly Need[] = ['account', 'site', 'creates', 'operation:create-key', 'disruptive'];
const quota = 5;

/** API keys: their form, their number, and that they are shown once. */
export const keys: readonly Check[] = [
  {
    id: 'key-1-form',
    requirement: 'KEY-1',
    needs,
    run: async (context) => {
      const { exchange, key } = await madeKey(context);
      if (!/^sp_./.test(key))
        throw new PromiseBroken('a key of sp_ and a secret part', shapeOf(key), exchange);
    },
  },
  {
    id: 'key-3-not-listed',
    requirement: 'KEY-3',
    needs: [...needs, 'operation:list-keys'],
    run: async (context) => {
      const { key, exchange: creation } = await madeKey(context);
      await callToEnd(context, 'listKeys');
      const since = context.exchanges.indexOf(creation) + 1;
      const showing = context.exchanges.slice(since).find((exchange) => shows(exchange, key));
      if (showing)
        throw new PromiseBroken(
          'the plaintext of a key in the answer to its creation only',
          `it stands in an answer of ${showing.operation}: ${describeAnswer(showing)}`,
          showing,
        );
    },
  },
  {
    id: 'key-4-deleted-key-is-refused',
    requirement: 'KEY-4',
    needs: [...needs, 'site', 'operation:delete-key'],
    run: async (context) => {
      const { key, id } = await newKey(context, 'to delete');
      await requireAccepted(context, key);
      await callToEnd(context, 'deleteKey', { values: { keyID: id } });
      expectRefusal(context, await use(context, key), {
        what: 'a call with a deleted API key',
        kind: 'unauthenticated',
      });
    },
  },
  {
    id: 'key-2-sixth-is-refused',
    requirement: 'KEY-2',
    needs: filling,
    run: async (context) => {
      const { made, before, refusal } = await filledQuota(context);
      if (!refusal)
        throw new PromiseBroken(
          `${quota} API keys at most`,
          `${made.length} were created in this run${before === undefined ? '' : `, beside ${before} that were there`}`,
          made.at(-1)?.exchange,
        );
      if (!hasMadeKeys(context)) throw refusedCall(context, refusal);
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
    needs: filling,
    run: async (context) => {
      const { made, refusal } = await filledQuota(context);
      if (!refusal) throw new NotVerified('no key was refused; see key-2-sixth-is-refused');
      for (const { key, wasAccepted } of made) {
        if (!wasAccepted) continue;
        const exchange = await use(context, key);
        if (!succeeded(exchange) && !isRateLimited(context, exchange))
          throw new PromiseBroken(
            'the keys to work on when a sixth is refused',
            describeAnswer(exchange),
            exchange,
          );
      }
    },
  },
  {
    id: 'key-4-frees-its-place',
    requirement: 'KEY-4',
    needs: [...filling, 'operation:delete-key'],
    run: async (context) => {
      const { made, refusal } = await filledQuota(context);
      const last = made.at(-1);
      if (!refusal || !last) throw new NotVerified('no key was refused for the number of keys; see KEY-2');
      await callToEnd(context, 'deleteKey', { values: { keyID: last.id } });
      const next = await callOwn(context, 'createKey', { values: { name: uniqueText(context, 'key') } });
      if (!succeeded(next))
        throw new PromiseBroken('a new key in the place of a deleted one', describeAnswer(next), next);
    },
  },
];

interface MadeKey {
  exchange: Exchange;
  key: string;
  id: unknown;
}

/** A key that the checks of its form share. */
function madeKey(context: Context): Promise<MadeKey> {
  return once(context, 'API key', () => newKey(context, 'to look at'));
}

async function newKey(context: Context, what: string): Promise<MadeKey> {
  return read(
    context,
    await callToEnd(context, 'createKey', { values: { name: uniqueText(context, what) } }),
  );
}

function read(context: Context, exchange: Exchange): MadeKey {
  const { key, id } = exchange.values;
  if (typeof key !== 'string')
    throw new NotVerified(`no key is where the profile says; state key in ${gapOf(context, 'createKey')}`);
  context.secrets.add('SITEPUB_NEW_API_KEY', key);
  return { exchange, key, id };
}

interface FilledQuota {
  made: (MadeKey & { wasAccepted: boolean })[];
  /** How many keys there were; undefined where the profile does not say how to list them. */
  before: number | undefined;
  refusal: Exchange | undefined;
}

/** Creates keys until one is refused, and one more than there may be at most. */
function filledQuota(context: Context): Promise<FilledQuota> {
  return once(context, 'filled quota of keys', async () => {
    const before = await countKeys(context);
    const made: FilledQuota['made'] = [];
    while (made.length <= quota) {
      const exchange = await callOwn(context, 'createKey', { values: { name: uniqueText(context, 'key') } });
      if (isRateLimited(context, exchange, 'key-quota')) throw refusedCall(context, exchange);
      if (!succeeded(exchange)) return { made, before, refusal: exchange };
      const one = read(context, exchange);
      made.push({ ...one, wasAccepted: succeeded(await use(context, one.key)) });
      if ((before ?? 0) + made.length > quota) break;
    }
    return { made, before, refusal: undefined };
  });
}

async function countKeys(context: Context): Promise<number | undefined> {
  if (!context.operations.has('listKeys')) return undefined;
  const { values } = await callToEnd(context, 'listKeys');
  return typeof values.total === 'number' ? values.total : undefined;
}

/** A creation that is refused from the first one on says nothing about the number of keys. */
function hasMadeKeys({ exchanges }: Context): boolean {
  return exchanges.some((exchange) => exchange.operation === 'createKey' && succeeded(exchange));
}

/** A call that an API key must be good for (section 4): the creation of a subscription. */
async function use(context: Context, key: string): Promise<Exchange> {
  await creationWorks(context);
  return (await sendCreation(context, {}, { token: key })).exchange;
}

async function requireAccepted(context: Context, key: string): Promise<void> {
  const exchange = await use(context, key);
  if (!succeeded(exchange))
    throw new NotVerified(`a new API key was refused (${describeAnswer(exchange)}); see AUTH-3`);
}

/** The secret part alone is as good as the key. */
function shows({ response }: Exchange, key: string): boolean {
  const secret = key.replace(/^sp_/, '');
  return response.text.includes(secret) || response.text.includes(JSON.stringify(secret).slice(1, -1));
}

function shapeOf(key: string): string {
  return key.startsWith('sp_') ? 'sp_ alone' : `one of ${key.length} characters that begins otherwise`;
}
