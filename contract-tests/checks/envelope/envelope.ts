// The envelope is checked on every exchange of the run. These checks come last: they first provoke the answers that no other check
// asks for, and then report all violations.

import { isObject } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { gapValue } from '../../../openapi/profile.ts';
import { keepExchange } from '../../calls/keep-exchange.ts';
import { callOutside } from '../../calls/outside-calls.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import type { Check } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { sendProvocations } from './provoke-answers.ts';

/** The operations that answer with a list. */
const lists = [
  { id: 'listSites', name: 'list-of-sites', need: 'operation:list-sites' },
  { id: 'listKeys', name: 'list-of-keys', need: 'operation:list-keys' },
  { id: 'listSubscriptions', name: 'list-of-subscriptions', need: 'operation:list-subscriptions' },
  { id: 'listDeliveries', name: 'push-log', need: 'operation:list-deliveries' },
] as const;

/** The requirement whose check calls what is no endpoint as well, which it makes no more than a remark on. */
export const outsideIn = 'ENV-1';

/** What every answer looks like. */
export const envelope: readonly Check[] = [
  ...['ENV-1', 'ENV-2', 'ENV-3', 'ENV-4', 'ENV-5', 'ENV-7'].map<Check>((requirement) => ({
    id: `${requirement.toLowerCase()}-in-every-answer`,
    requirement,
    needs: [],
    run: async (context) => {
      await once(context, sendProvocations);
      if (requirement === 'ENV-7') await lookTwice(context);
      if (requirement === outsideIn && context.options.tier === 'full') await once(context, callOutside);
      requireEvidence(context, requirement);
      requireNoViolation(context, requirement);
    },
  })),
  ...lists.map<Check>(({ id, name, need }) => ({
    id: `env-6-${name}`,
    isFurther: id !== 'listSites',
    requirement: 'ENV-6',
    needs: ['account', need],
    run: async (context) => {
      await once(context, sendProvocations);
      const seen = context.exchanges.filter((exchange) => exchange.operation === id && succeeded(exchange));
      if (seen.length === 0) throw new NotVerified(`the ${name.replaceAll('-', ' ')} was not seen`);
      requireListEndpoint(context, id, seen);
      requireNoViolation(context, 'ENV-6', id);
      for (const exchange of seen) requireList(exchange);
    },
  })),
];

/** A single answer that is not JSON may be that of a gateway on a bad day: the same call is sent once more. */
async function lookTwice(context: Context): Promise<void> {
  const { exchangeChecker, send, clock } = context;
  const seen = exchangeChecker.violations.filter(({ requirement }) => requirement === 'ENV-7');
  const [violation] = seen;
  if (!violation || seen.length > 1) return;
  const { exchange } = violation;
  const again = { ...exchange, response: await send(exchange.request), at: clock.now(), mayBeReplayed: true };
  keepExchange(context, again);
  if (again.response.json === undefined || again.response.isUtf8 === false) exchangeChecker.check(again);
  else exchangeChecker.forgive(violation);
}

function requireList(exchange: Exchange): void {
  const { list, total } = (exchange.response.json as { data: { list?: unknown; total?: unknown } }).data;
  if (Array.isArray(list) && typeof total === 'number') return;
  const expected = 'list (an array) and total (an integer) in data';
  throw new PromiseBroken(expected, describeAnswer(exchange), exchange);
}

/** ENV-2 and ENV-5 are about successes, ENV-3 about failures. */
const answersOf: Readonly<Record<string, 'successful' | 'failed'>> = {
  'ENV-2': 'successful',
  'ENV-5': 'successful',
  'ENV-3': 'failed',
};

function requireEvidence({ exchanges }: Context, requirement: string): void {
  const wanted = answersOf[requirement];
  const isWanted = (exchange: Exchange) => !wanted || succeeded(exchange) === (wanted === 'successful');
  if (!exchanges.some(isWanted))
    throw new NotVerified(wanted ? `no ${wanted} answer was seen` : 'no answer was seen');
}

/** By an operation alone, or by any. */
function requireNoViolation({ exchangeChecker }: Context, requirement: string, id?: OperationId): void {
  const [first, ...others] = exchangeChecker.violations.filter(
    ({ requirement: broken, exchange }) =>
      broken === requirement && (id === undefined || exchange.operation === id),
  );
  if (!first) return;
  throw new PromiseBroken(first.expected, first.actual, first.exchange, {
    others: others.map(({ exchange }) => exchange),
  });
}

type ListId = (typeof lists)[number]['id'];

/** Throws NotVerified where no answer of an operation has a list, neither in data.list nor with its items elsewhere. */
function requireListEndpoint(context: Context, id: ListId, seen: readonly Exchange[]): void {
  const items = itemPointers(context, id);
  const showsList = ({ response: { json } }: Exchange) =>
    Array.isArray(getAt(json, '/data/list')) ||
    arraysIn(json).some((array) => array.some((item) => items.some((at) => getAt(item, at) !== undefined)));
  if (seen.some(showsList)) return;
  const gap = gapOf(context, id);
  context.observations.drifts(gap, 'an answer without a list');
  throw new NotVerified(
    `no answer of ${gap} has a list, so it may not be a list endpoint; state one that is`,
  );
}

/** Where the profile says that an item has its members. */
function itemPointers(context: Context, id: ListId): string[] {
  const call = gapValue(context.profile, gapOf(context, id));
  if (!isObject(call)) return [];
  return Object.entries(call).flatMap(([name, at]) =>
    name.startsWith('item.') && typeof at === 'string' ? [at] : [],
  );
}

/** The arrays within a value, however deep. */
function arraysIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(arraysIn);
  return Array.isArray(value) ? [value, ...inner] : inner;
}
