// Decides from answers which resources the run created, because it may change or delete only those, even with a wrong profile.
import type { Operation } from '../../openapi/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import { isSameId } from '../core/parse-json.ts';
import { placeOf, type Shown, shownIn, type Thing } from './shown-things.ts';

/** The answer to a creation with a name (`target`). */
interface Claim {
  thing: Thing;
  target: string;
  place: ReturnType<typeof placeOf>;
  /** Whether an earlier read showed the id. */
  wasShown: boolean;
  /** Whether a complete list before the creation did not contain the id. */
  mayBeNew: boolean;
}

/**
 * `own` and `other`: a read showed the id with a name of the run or another one, or the id cannot be of the creation. `believed`: nothing
 * contradicts the answers to the creations. `open`: they are inconclusive.
 */
type Verdict = 'own' | 'other' | 'believed' | 'open';

export interface Ownership {
  addName(name: string): void;
  addClaim(thing: Thing, target: string, answer: Exchange | { isBeside: boolean }): void;
  /** Whether the answer to a creation contains the id beside the sent name. */
  isBeside(thing: Thing): boolean;
  /** Records what the answer to a reading call shows. `about`: the values of the call. */
  noteRead(
    operation: Operation,
    exchange: Exchange,
    about: { values: Readonly<Record<string, unknown>>; tenant: Thing['tenant'] },
  ): void;
  isClaimed(thing: Thing): boolean;
  noteWhole(place: Omit<Thing, 'id'>): void;
  /** Whether to read the list of a kind before a creation. False after a complete read or a few attempts. */
  shouldList(place: Omit<Thing, 'id'>): boolean;
  /** Whether no list contained the id before the creation, so that it is new if a list shows it now. */
  mayBeNew(thing: Thing): boolean;
  /** Begins a wait for new resources to appear; call the result at its end. */
  beginWait(): () => void;
  /** Whether a wait ended after the creation of a thing. */
  isAwaited(thing: Thing): boolean;
  isShown(thing: Thing): boolean;
  /** The owner by the names that reads showed; undefined if inconclusive. */
  seenAs(thing: Thing): 'own' | 'other' | undefined;
  judge(thing: Thing): Verdict;
  /** Whether reads confirmed the ids of several creations of a kind. */
  isTrusted(what: Thing['what']): boolean;
}

const enough = 3;

export function createOwnership(): Ownership {
  const marks = new Set<string>();
  const names = new Set<string>();
  const claims = new Map<string, Claim[]>();
  const sights = new Map<string, Shown[]>();
  const wholes = new Set<string>();
  const tries = new Map<string, number>();
  let awaited: readonly Claim[] = [];
  const isMark = (value: unknown) =>
    typeof value === 'string' &&
    (names.has(value) || [...marks].some((mark) => value.toLowerCase().includes(mark)));
  const isRead = ({ thing }: Claim) => sights.get(keyOf(thing))?.some(({ isOwn }) => isOwn) ?? false;
  const claimsOf = (thing: Thing): readonly Claim[] => claims.get(keyOf(thing)) ?? [];
  const allClaims = () => [...claims.values()].flat();
  const isContested = (own: readonly Claim[]) => new Set(own.map(({ target }) => target)).size > 1;
  const mayBeNew = (thing: Thing) => {
    const own = claimsOf(thing);
    const isApart = isContested(own) || own.some(({ place }) => place === 'elsewhere');
    return !isApart && own.some((claim) => claim.mayBeNew);
  };
  const seenAs = (thing: Thing) => {
    const own = claimsOf(thing);
    const shown = sights.get(keyOf(thing)) ?? [];
    const alone = shown.filter(({ isList }) => !isList);
    const isOfOther = ({ isOwn, name }: Shown) => !isOwn && name !== undefined && !isPartOf(name, own);
    if (alone.some(({ isOwn }) => isOwn) || (mayBeNew(thing) && shown.some(({ isOfItem }) => isOfItem)))
      return 'own';
    if (shown.some(isOfOther)) return 'other';
    return shown.some(({ isOwn }) => isOwn) ? 'own' : undefined;
  };
  return {
    addName: (name) => {
      const mark = runMark.exec(name)?.[1];
      if (mark) marks.add(mark);
      else if (name !== '') names.add(name);
    },
    addClaim: (thing, target, answer) => {
      const { what, id } = thing;
      const place =
        'response' in answer
          ? placeOf(answer, { what, id, isMark })
          : answer.isBeside
            ? 'beside'
            : ('untold' as const);
      const isReplay = claimsOf(thing).some((claim) => claim.target === target);
      const wasShown = !isReplay && sights.has(keyOf(thing));
      const mayBeNew = !sights.has(keyOf(thing)) && wholes.has(keyOf({ ...thing, id: '' }));
      const claim = { thing, target, place, wasShown, mayBeNew };
      claims.set(keyOf(thing), [...claimsOf(thing), claim]);
    },
    isBeside: (thing) => claimsOf(thing).some(({ place }) => place === 'beside'),
    noteRead: (operation, exchange, { values, tenant }) => {
      for (const shown of shownIn(operation, exchange, { about: values, isMark })) {
        const key = keyOf({ ...shown, site: values.siteID, tenant });
        sights.set(key, [...(sights.get(key) ?? []), shown].slice(-mostSights));
      }
    },
    isClaimed: (thing) => claimsOf(thing).length > 0,
    noteWhole: (place) => void wholes.add(keyOf({ ...place, id: '' })),
    shouldList: (place) => {
      const key = keyOf({ ...place, id: '' });
      tries.set(key, (tries.get(key) ?? 0) + 1);
      return !wholes.has(key) && (tries.get(key) ?? 0) <= mostTries;
    },
    mayBeNew,
    beginWait: () => {
      const before = allClaims();
      return () => {
        awaited = before;
      };
    },
    isAwaited: (thing) => claimsOf(thing).length > 0 && claimsOf(thing).every((one) => awaited.includes(one)),
    isShown: (thing) => sights.has(keyOf(thing)),
    seenAs,
    judge: (thing) => {
      const seen = seenAs(thing);
      if (seen) return seen;
      const own = claimsOf(thing);
      if (own.some(({ wasShown }) => wasShown) || isContested(own)) return 'other';
      if (own.some(({ place }) => place === 'beside')) return 'believed';
      if (own.some(({ place }) => place === 'elsewhere')) return 'other';
      return own.length > 0 && differs(thing, allClaims()) ? 'believed' : 'open';
    },
    isTrusted: (what) =>
      allClaims().filter((claim) => claim.thing.what === what && isRead(claim)).length >= enough,
  };
}

/** Limited, because a list may be refused or incomplete. */
const mostTries = 2;

/** The most recent answers stored for each id. */
const mostSights = 20;

/** Part of every name that a run gives, except deliberately invalid ones. */
const runMark = /sitepub[-/]([0-9a-f]{8})\b/;

/** Sites and keys have ids without a site; other ids are unique per site. */
function keyOf({ what, id, site, tenant }: Thing): string {
  return [what, what === 'site' || what === 'API key' ? '' : site, id, tenant].join('\n');
}

/** Whether a name is masked or part of a sent one, because lists may show only a host or the beginning of a name. */
function isPartOf(name: string, claims: readonly Claim[]): boolean {
  return /[*•…]/.test(name) || claims.some(({ target }) => target.includes(name));
}

/** Whether creations of the kind had different ids, as expected. */
function differs({ what, id }: Thing, claims: readonly Claim[]): boolean {
  return claims.some((claim) => claim.thing.what === what && !isSameId(claim.thing.id, id));
}
