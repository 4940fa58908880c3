// "The created subscription" is what was asked for. Where an answer shows it is a gap: a place counts once it has shown the right value.
import { channels, eventNames } from '../../../openapi/event-names.ts';
import { readRequest } from '../../../openapi/operations.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, PromiseBroken } from '../../core/outcomes.ts';
import { parseExactly, writeJson } from '../../core/parse-json.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';

/** What the answers to all creations of a run have shown. */
export const shownSubscriptions: readonly Check[] = [
  {
    id: 'hook-1-answer-shows-what-was-sent',
    requirement: 'HOOK-1',
    needs: ['account', 'site', 'creates'],
    run: async (context) => {
      await requireFirstSubscription(context);
      const shown = (Object.keys(fields) as Field[]).map((field) => requireSame(context, field));
      if (!shown.includes(true))
        throw new NotApplicable(
          'no creation showed its URL, events or channel at the pointers in the profile; state subscription.response.url, .events and .channel',
        );
    },
  },
];

/** How a value that was sent compares with the one that was shown; undefined where it can't be told. */
type Compare = (sent: unknown, shown: unknown) => boolean | undefined;

const fields = { url: isSameUrl, events: areSameEvents, channel: isSameChannel } satisfies Record<
  string,
  Compare
>;

type Field = keyof typeof fields;

/** Returns whether any creation showed the right value. Throws PromiseBroken where others showed a wrong one. */
function requireSame(context: Context, field: Field): boolean {
  const compared = creationsOf(context).map((creation) => ({
    ...creation,
    isSame: fields[field](creation.sent[field], creation.shown[field]),
  }));
  const wrong = compared.find(({ isSame }) => isSame === false);
  const isShown = compared.some(({ isSame }) => isSame === true);
  if (!wrong) return isShown;
  const [sent, shown] = [writeJson(wrong.sent[field]), writeJson(wrong.shown[field])];
  if (isShown)
    throw new PromiseBroken(
      `the created subscription to have the ${field} ${sent}, as other answers showed the values that were sent`,
      shown,
      wrong.exchange,
    );
  context.observations.drifts(`subscription.response.${field}`, `${shown} for ${sent}`);
  return false;
}

interface Creation {
  sent: Record<string, unknown>;
  shown: Exchange['values'];
  exchange: Exchange;
}

function creationsOf({ exchanges, operations }: Context): Creation[] {
  const operation = operations.get('createSubscription');
  if (!operation) return [];
  return exchanges
    .filter((exchange) => exchange.operation === 'createSubscription' && succeeded(exchange))
    .map((exchange) => ({
      sent: readRequest(operation, parseExactly(exchange.request.body ?? '')),
      shown: exchange.values,
      exchange,
    }));
}

/** Invalid values are the subject of other checks; a part of the URL may be masked, as it may be secret. */
function isSameUrl(sent: unknown, shown: unknown): boolean | undefined {
  const [wanted, given] = [normalUrl(sent), normalUrl(shown)];
  if (wanted === undefined || shown === undefined || shown === null) return undefined;
  if (wanted === given) return true;
  return typeof shown === 'string' && /\*{3}|%2A%2A%2A|\.{3}|…/i.test(shown) ? undefined : false;
}

/** Without what two forms of one address may differ in: case of the host, default port, fragment, and characters that need no escape. */
function normalUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, host, pathname, searchParams, username, password } = new URL(url);
  const query = [...searchParams].map((pair) => pair.join('=')).join('&');
  return [protocol, username, password, host, decode(pathname).replace(/\/$/, ''), query].join(' ');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A word that is no event may stand for all of them. */
function areSameEvents(sent: unknown, shown: unknown): boolean | undefined {
  if (!Array.isArray(sent) || !sent.every(isEventName) || shown === undefined || shown === null)
    return undefined;
  const list: readonly unknown[] = Array.isArray(shown) ? shown : String(shown).split(/[\s,;]+/);
  if (new Set(sent).size === eventNames.length && list.length === 1 && !isEventName(list[0]))
    return undefined;
  return new Set(list).isSubsetOf(new Set(sent)) && new Set(sent).isSubsetOf(new Set(list));
}

function isEventName(event: unknown): boolean {
  return eventNames.some((name) => name === event);
}

function isSameChannel(sent: unknown, shown: unknown): boolean | undefined {
  if (!channels.some((name) => name === sent) || shown === undefined || shown === null) return undefined;
  return sent === shown;
}
