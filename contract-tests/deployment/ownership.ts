// Whose things are, as far as answers have shown: the run may change, publish and delete what it created alone, whatever its profile says.
import type { Operation } from '../../openapi/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import { isSameId } from '../core/parse-json.ts';
import { placeOf, type Shown, shownIn, type Thing } from './shown-things.ts';

/** The answer to a creation that was sent with a name, its `target`. */
interface Claim {
  thing: Thing;
  target: string;
  place: ReturnType<typeof placeOf>;
  /** Whether reading had shown the identifier before. */
  wasShown: boolean;
  /** Whether a whole list had been read before, without it. */
  mayBeNew: boolean;
}

/**
 * `own` and `other`: by a name that was read with the identifier, or since it can't be that of what was created. `believed`: nothing speaks against the
 * answers to the creations. `open`: they do not say enough.
 */
type Verdict = 'own' | 'other' | 'believed' | 'open';

export interface Ownership {
  /** Notes a name, or an address, that the run gives. */
  addName(name: string): void;
  /** Notes what the answer to a creation has as the identifier of what was created. */
  addClaim(thing: Thing, target: string, answer: Exchange | { isBeside: boolean }): void;
  /** Whether the answer to a creation has the identifier beside the name that was sent. */
  isBeside(thing: Thing): boolean;
  /** Notes what an answer shows, where the call reads. `about`: the values of the call. */
  noteRead(
    operation: Operation,
    exchange: Exchange,
    about: { values: Readonly<Record<string, unknown>>; tenant: Thing['tenant'] },
  ): void;
  /** Whether an answer to a creation had the identifier. */
  isClaimed(thing: Thing): boolean;
  /** Notes that a list was read to its end. */
  noteWhole(place: Omit<Thing, 'id'>): void;
  /** Whether to read the list of a kind before a creation: not where it was read to its end, or tried a few times. */
  shouldList(place: Omit<Thing, 'id'>): boolean;
  /** Whether the identifier was in no list before the creation, so that it is new where one shows it now. */
  mayBeNew(thing: Thing): boolean;
  /** Notes that something new has been waited for; call the result once it has. */
  beginWait(): () => void;
  /** Whether something new has been waited for since the creation of a thing. */
  isAwaited(thing: Thing): boolean;
  /** Whether reading has shown something with the identifier. */
  isShown(thing: Thing): boolean;
  /** Whose it is by the names that reading has shown; undefined where that says nothing. */
  seenAs(thing: Thing): 'own' | 'other' | undefined;
  judge(thing: Thing): Verdict;
  /** Whether several answers to creations of a kind had the identifier of what was created, as reading has shown. */
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

/** A list may be refused, or cut: it is not asked for before each creation. */
const mostTries = 2;

/** Each answer to a read is kept, but for those that repeat themselves. */
const mostSights = 20;

/** What the names of a run have in them, but for those that are wrong on purpose. */
const runMark = /sitepub[-/]([0-9a-f]{8})\b/;

/** By kind, identifier, and where that counts: sites and keys are known by it everywhere. */
function keyOf({ what, id, site, tenant }: Thing): string {
  return [what, what === 'site' || what === 'API key' ? '' : site, id, tenant].join('\n');
}

/** Whether a name is masked, or a part of one that was sent: lists may show the host of an address alone, or the beginning of a name. */
function isPartOf(name: string, claims: readonly Claim[]): boolean {
  return /[*•…]/.test(name) || claims.some(({ target }) => target.includes(name));
}

/** Whether creations of the kind had different identifiers, as those of what they create do. */
function differs({ what, id }: Thing, claims: readonly Claim[]): boolean {
  return claims.some((claim) => claim.thing.what === what && !isSameId(claim.thing.id, id));
}
