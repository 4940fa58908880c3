// The envelope is judged on every exchange of the run; these checks come last, first make the answers that no other check
// asks for, and then read what was found.

import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { provokeAnswers } from './provoke-answers.ts';

const needs: readonly Need[] = [];
const accountNeeds: readonly Need[] = ['account'];

/** The operations that answer with a list. */
const lists = [
  { id: 'listSites', name: 'list-of-sites', need: 'operation:list-sites' },
  { id: 'listKeys', name: 'list-of-keys', need: 'operation:list-keys' },
  { id: 'listSubscriptions', name: 'list-of-subscriptions', need: 'operation:list-subscriptions' },
  { id: 'listDeliveries', name: 'push-log', need: 'operation:list-deliveries' },
] as const;

/** What every answer looks like. */
export const envelope: readonly Check[] = [
  ...['ENV-1', 'ENV-2', 'ENV-3', 'ENV-4', 'ENV-5', 'ENV-7'].map((requirement) => ({
    id: `${requirement.toLowerCase()}-in-every-answer`,
    requirement,
    needs,
    run: async (context: Context) => {
      await provokeAnswers(context);
      requireEvidence(context, requirement);
      requireNoViolation(context, requirement);
    },
  })),
  ...lists.map(({ id, name, need }) => ({
    id: `env-6-${name}`,
    isFurther: id !== 'listSites',
    requirement: 'ENV-6',
    needs: [...accountNeeds, need],
    run: async (context: Context) => {
      await provokeAnswers(context);
      const shown = context.exchanges.filter((exchange) => exchange.operation === id && succeeded(exchange));
      if (shown.length === 0) throw new NotVerified(`the ${name.replaceAll('-', ' ')} was not seen`);
      requireNoViolation(context, 'ENV-6');
      for (const exchange of shown) requireList(exchange);
    },
  })),
];

interface List {
  list: unknown[];
  total: number;
}

function requireList(exchange: Exchange): void {
  const { list, total } = (exchange.response.json as { data: Partial<List> }).data;
  if (Array.isArray(list) && typeof total === 'number') return;
  const expected = 'list (an array) and total (an integer) in data';
  throw new PromiseBroken(expected, describeAnswer(exchange), exchange);
}

/** ENV-2 and ENV-5 are about successes, ENV-3 about failures. */
function requireEvidence({ exchanges }: Context, requirement: string): void {
  const wanted =
    requirement === 'ENV-2' || requirement === 'ENV-5'
      ? 'successful'
      : requirement === 'ENV-3'
        ? 'failed'
        : 'any';
  const evidence = exchanges.filter(
    (exchange) => wanted === 'any' || succeeded(exchange) === (wanted === 'successful'),
  );
  if (evidence.length === 0) throw new NotVerified(`no ${wanted} answer was seen`);
}

function requireNoViolation({ exchangeChecker }: Context, requirement: string): void {
  const broken = exchangeChecker.violations.filter((violation) => violation.requirement === requirement);
  const first = broken[0];
  if (!first) return;
  const more = broken.length > 1 ? ` (and in ${broken.length - 1} more answers)` : '';
  throw new PromiseBroken(first.expected, `${first.actual}${more}`, first.exchange);
}
