// Generated signing secrets. The document sets no rule for them, so a deployment may: a length from which on they are taken, or certain
// characters only. What follows no rule is a mistake.
import { type Context, once } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { lengthen } from '../../subscriptions/secret-forms.ts';
import { subscriptionOf } from '../../subscriptions/shared-subscriptions.ts';
import { bodyFieldsOf } from './body-fields.ts';
import { validSecrets } from './creation-cases.ts';
import { onChannelAlone } from './subscription-cases.ts';
import { type CreationCase, createCase, createValidCounterpart, tryValidCreations } from './try-creations.ts';
import { rareCharacters } from './valid-values.ts';

const plainSecret = 'sitepub0secret00';

/** A secret may be refused for the name of its field; a secret without anything unusual shows that first. */
export async function trySecrets(context: Context, checkId: string): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyFieldsOf(context, 'createSubscription');
  const createPlain = () => createValidCounterpart(context, body, withSecret(context, plainSecret));
  const created = await createPlain();
  // This finds out which secrets are taken.
  if (!succeeded(created)) await subscriptionOf(context, { channel: 'custom', signed: true });
  if (!succeeded(created) && !succeeded(await createPlain()))
    throw new NotVerified(
      `a subscription with a plain secret was refused (${describeAnswer(created)}); see hook-2-with-secret`,
    );
  const plain = withSecret(context, plainSecret);
  await tryValidCreations(context, checkId, {
    made: 1,
    kinds: (fields) => validSecrets(fields).map((kind) => kind.map((one) => lengthened(context, one))),
    counterpartOf: ({ values: { channel } = {} }) =>
      channel === undefined ? plain : onChannelAlone(channel),
    isLawful: ({ values: { secret } = {} }) => breaksRule(context, String(secret)),
  });
}

function lengthened(context: Context, creation: CreationCase): CreationCase {
  const { channel, secret } = creation.values ?? {};
  const longer = lengthen(context, String(secret));
  if (longer === secret) return creation;
  const { what, values } = withSecret(context, longer);
  return channel === undefined
    ? { what, values }
    : { what: `${what} and the channel ${channel}`, values: { ...values, channel } };
}

function withSecret(context: Context, text: string) {
  const secret = lengthen(context, text);
  return { what: `the secret ${JSON.stringify(secret)}`, values: { secret } };
}

/** Whether all secrets with characters of that class are refused: those outside ASCII, blanks, or all but letters and digits. */
async function breaksRule(context: Context, secret: string): Promise<boolean> {
  if (/^[a-z0-9]*$/i.test(secret)) return false;
  if (secret.includes(' ') && (await once(context, refusesBlanks))) return true;
  const isBeyondAscii = /[^\x20-\x7e]/.test(secret);
  const isRule = await once(context, refusesAll, isBeyondAscii ? 'beyond-ascii' : 'marks');
  if (isRule && isBeyondAscii) context.observations.compare('subscription.secret-rule', 'ascii');
  return isRule;
}

async function refusesBlanks(context: Context): Promise<boolean> {
  const body = bodyFieldsOf(context, 'createSubscription');
  for (const text of ['sitepub0 secret00', 'site pub0 sec ret00'])
    if (succeeded(await createCase(context, body, { values: { secret: lengthen(context, text) } })))
      return false;
  return true;
}

async function refusesAll(context: Context, kind: 'beyond-ascii' | 'marks'): Promise<boolean> {
  const body = bodyFieldsOf(context, 'createSubscription');
  const groups = rareCharacters.filter(([first = '']) => first > '~' === (kind === 'beyond-ascii'));
  for (const characters of groups) {
    const secret = lengthen(context, `sitepub0${characters.join('')}secret00`);
    if (succeeded(await createCase(context, body, { values: { secret } }))) return false;
  }
  return true;
}
