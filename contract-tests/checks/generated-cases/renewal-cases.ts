// Generated renewals.
import { type Arbitrary, constant, constantFrom, nat, string, tuple } from 'fast-check';
import { call } from '../../calls/call.ts';
import { sessionToken, startNewSession } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isAccepted } from '../../credentials/use-token.ts';
import { renewalWorks } from '../sessions/refresh.ts';
import { requireRefusal } from './case-verdicts.ts';
import { word } from './invalid-values.ts';
import { tryCases } from './try-cases.ts';

/** Renewals that come without the token as Bearer. */
export function tryOtherSchemes(context: Context, checkId: string): Promise<void> {
  const known = constantFrom('Basic', 'Digest', 'Token', 'ApiKey', 'Negotiate', 'OAuth');
  const invented = word(3, 8).filter((text) => text !== 'bearer');
  const kinds = [
    constant(''),
    known,
    invented.map((text) => text.charAt(0).toUpperCase() + text.slice(1)),
    constantFrom('Bearer', 'Bearer '),
  ];
  return tryRenewals(context, checkId, {
    kinds,
    send: async (scheme) => {
      const token = await sessionToken(context);
      const header = scheme.startsWith('Bearer') ? scheme : `${scheme} ${token}`;
      const headers = scheme === '' ? {} : { Authorization: header };
      const exchange = await call(context, 'refresh', { values: { token }, token: null, headers });
      const what = scheme === '' ? 'a renewal without Authorization' : `a renewal with the scheme ${scheme}`;
      const isRemarked = scheme !== '' && !scheme.startsWith('Bearer');
      if (isRemarked && succeeded(exchange)) context.remarks.add('other-scheme', `${what} is accepted`);
      return { exchange, what, isAllowed: isRemarked };
    },
  });
}

/** Renewals of invented tokens, many of them similar to the session token. */
export function tryInventedTokens(context: Context, checkId: string): Promise<void> {
  const alphabet = constantFrom(...'0123456789abcdef');
  const invented = string({ unit: alphabet, minLength: 64, maxLength: 64 });
  const kinds = shapes.map((shape) => tuple(constant(shape), nat(1_000), invented));
  return tryRenewals(context, checkId, {
    kinds,
    send: async ([{ what, make }, at, text]) => {
      const token = make(await sessionToken(context), at, text);
      // It may contain most of a real token.
      context.secrets.add('SITEPUB_INVENTED_TOKEN', token);
      const exchange = await call(context, 'refresh', { values: { token }, token });
      return { exchange, what: `the renewal of a token ${what}` };
    },
  });
}

/** Makes an invented token from a real token, a number and a text. */
interface Shape {
  what: string;
  make(real: string, at: number, text: string): string;
}

const shapes: readonly Shape[] = [
  {
    what: 'that was invented',
    make: (real, _at, text) => real.slice(0, 3) + text.slice(0, Math.max(16, real.length - 3)),
  },
  {
    what: 'with another character in its first half',
    make: (real, at) => replaceAt(real, at % halfOf(real)),
  },
  {
    what: 'with another character in its second half',
    // The last characters may be padding that decodes to nothing.
    make: (real, at) => replaceAt(real, halfOf(real) + (at % Math.max(1, halfOf(real) - 4))),
  },
  { what: 'without its second half', make: (real) => real.slice(0, halfOf(real)) },
  {
    what: 'whose second half was invented',
    make: (real, _at, text) => real.slice(0, halfOf(real)) + text.slice(0, real.length - halfOf(real)),
  },
];

/** A renewal, and whether it may be accepted. */
interface Renewal {
  exchange: Exchange;
  what: string;
  isAllowed?: boolean;
}

/** A renewal that should have been refused may have ended the run's token. */
async function tryRenewals<T>(
  context: Context,
  checkId: string,
  { kinds, send }: { kinds: readonly Arbitrary<T>[]; send(one: T): Promise<Renewal> },
): Promise<void> {
  await renewalWorks(context);
  let isAnyAccepted = false;
  const tryOne = async (one: T) => {
    const { exchange, what, isAllowed } = await send(one);
    isAnyAccepted ||= succeeded(exchange);
    if (isAllowed && succeeded(exchange)) return;
    requireRefusal(context, exchange, { what, kind: 'unauthenticated' });
  };
  try {
    await tryCases(context, checkId, { kinds, tryOne });
  } finally {
    const isEnded = isAnyAccepted && (await isAccepted(context, await sessionToken(context))) === false;
    if (isEnded) await startNewSession(context);
  }
}

/** Puts another character in its place, another one also where case does not matter. */
function replaceAt(token: string, at: number): string {
  const other = token.charAt(at).toLowerCase() === 'a' ? 'b' : 'a';
  return token.slice(0, at) + other + token.slice(at + 1);
}

function halfOf({ length }: string): number {
  return Math.floor(length / 2);
}
