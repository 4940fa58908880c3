// Words that people have typed, as the bodies of a recording show them. Wherever else such a word stands, as a choice, as the name of a member or in a path,
// it may be the same person's, site's or customer's name.
import { isObject } from '../../../openapi/json.ts';
import { resourcesIn } from '../words.ts';
import { bodyOf, isPaging, queryOf } from './call-values.ts';
import { isChoice, isWritten } from './constant-values.ts';
import { foldText } from './fold-text.ts';
import { isCyrillicOrGreek, soundOf } from './latin-letters.ts';
import {
  identifiedBy,
  leadsToLink,
  looksRandom,
  mayBeLink,
  wordsOf as namesIn,
  singular,
} from './plain-words.ts';
import { credentialOf, ownHeaderValuesOf } from './read-credential.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { kindOfName } from './secret-names.ts';
import { decodeSegment } from './template-path.ts';
import { unfoldTexts } from './unfold-texts.ts';
import { isUnusualWord } from './unusual-word.ts';

export interface TypedWords {
  /** Whether a value, the name of a member or a part of a path is one of them, or holds one, in whatever spelling. */
  has(text: string): boolean;
}

interface Typed {
  /** Of the API. */
  calls: readonly RecordedExchange[];
  /** What else was recorded, such as a login elsewhere. */
  others: readonly RecordedExchange[];
  /** Whether visitors of the published site sent a call, so that all of it was typed. */
  isVisitors: (exchange: RecordedExchange) => boolean;
}

export function typedWords({ calls, others, isVisitors }: Typed): TypedWords {
  const words = createWords();
  const isNamed = (key: string) => isWritten(key) || identifiedBy(key) !== undefined;
  for (const exchange of calls) {
    const isAnyones = isVisitors(exchange);
    const mayBeTyped = (key: string) => isAnyones || !(isChoice(key) || isPaging(key));
    visit(unfoldTexts(sentIn(exchange)), { words, mayBeTyped });
    visit(unfoldTexts(answerOf(exchange)), { words, mayBeTyped: isNamed });
  }
  for (const text of [...calls, ...others].flatMap(ownHeaderValuesOf))
    if (isOfWords(text)) words.add(text, true);
  for (const text of [...calls, ...others].flatMap(addressesIn)) words.add(text, true);
  for (const text of [...calls, ...others].flatMap(linksIn)) words.add(text, false);
  for (const exchange of others) visit(unfoldTexts(sentIn(exchange)), { words, mayBeTyped: isNamed });
  return { has: words.has };
}

/** Of letters alone, in an order that somebody may speak: anything else is hidden as a token. */
function isOfWords(text: string): boolean {
  return /^\p{L}{4,}([-_. ]\p{L}+)*$/u.test(text) && !looksRandom(text);
}

/** Addresses of people in a path. */
function addressesIn({ url }: RecordedExchange): string[] {
  const segments = new URL(url).pathname.split('/').map(decodeSegment);
  return segments.filter((segment) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(segment));
}

/** Parts of a path that let somebody in. */
function linksIn({ url }: RecordedExchange): string[] {
  const segments = new URL(url).pathname.split('/').map(decodeSegment);
  return segments.filter((text, index) => leadsToLink(segments[index - 1] ?? '') && mayBeLink(text));
}

function sentIn(exchange: RecordedExchange): unknown[] {
  return [queryOf(exchange), bodyOf(exchange), exchange.otherBody];
}

/** Without the message of the envelope, which programs write. */
function answerOf({ answer }: RecordedExchange): unknown {
  return isObject(answer) ? { ...answer, message: undefined } : answer;
}

interface Words {
  /** `isName`: whether each of its words may be told apart from usual ones. */
  add(text: string, isName: boolean): void;
  has(text: string): boolean;
}

const most = { words: 10_000, levels: 12, items: 200, characters: 80, wordsOfName: 8 };

function createWords(): Words {
  const [wholes, parts] = [new Set<string>(), new Set<string>()];
  const sounds = new Set<string>();
  let known = new Map<string, boolean>();
  const soundsOf = (words: readonly string[]) => words.flatMap((word) => soundOf(word) ?? []);
  const isHeld = (text: string) => {
    const folded = foldText(text);
    const words = namesIn(text).flatMap(foldText);
    return (
      folded.some((one) => wholes.has(one)) ||
      words.some((one) => parts.has(one)) ||
      (sounds.size > 0 && soundsOf([text, ...namesIn(text)]).some((one) => sounds.has(one))) ||
      folded.some((one) => [...parts].some((part) => mayStandWithin(part) && one.includes(part))) ||
      (hanOnly.test(text) && [...wholes].some((whole) => whole.includes(text)))
    );
  };
  return {
    add: (text, isName) => {
      if (wholes.size > most.words || !mayBeName(text)) return;
      known = new Map();
      for (const folded of foldText(text)) wholes.add(folded);
      const words = namesIn(text);
      if (isCyrillicOrGreek(text) && words.length <= most.wordsOfName)
        for (const sound of soundsOf([text, ...words.filter(isUnusualWord)])) sounds.add(sound);
      if (!isName || words.length > most.wordsOfName) return;
      // "O'Grady" is a word as well as two.
      for (const word of [...words, ...text.split(/[^\p{L}\p{M}\p{N}'’]+/u)].filter(mayBeWordOfName))
        for (const folded of foldText(word)) parts.add(folded);
    },
    has: (text) => {
      const found = known.get(text) ?? (mayBeName(text.replace(/^[^\p{L}]+/u, '')) && isHeld(text));
      known.set(text, found);
      return found;
    },
  };
}

const hanOnly = /^\p{Script=Han}{2,}$/u;

/** Shorter words stand within others by chance. */
function mayStandWithin(part: string): boolean {
  return part.length >= 6 || hanOnly.test(part);
}

/** Whether it carries no credentials where others do. But whoever tries the published site in the browser of the console sends them along. */
export function isSentByVisitors(exchange: RecordedExchange, hasCredentials: boolean): boolean {
  if (hasCredentials && credentialOf(exchange) === 'none') return true;
  const { method, url } = exchange;
  const [resource] = resourcesIn(new URL(url).pathname);
  return method === 'POST' && (resource === 'form' || resource === 'submission' || resource === 'comment');
}

/** What all words are known of says nothing of anybody: "draft", "form submissions". */
function mayBeName(text: string): boolean {
  if (text.length < 2 || text.length > most.characters || !/^\p{L}/u.test(text)) return false;
  return namesIn(text).some(isUnusualWord);
}

function mayBeWordOfName(word: string): boolean {
  const isLong = word.length > 3 || (word.length > 1 && !/^\p{Script=Latin}/u.test(word));
  return isLong && /^\p{L}/u.test(word) && isUnusualWord(word);
}

/** Objects whose members are often named after somebody or something have such a word in their names. */
const holders = new Set(
  'notify notification permission role access grant member user people person team recipient watcher owner assignee assignment reviewer approver approval subscriber collaborator contributor editor author share shared sharing vote mention label site by'.split(
    ' ',
  ),
);

/** Objects with members of whatever names people give them. */
const openMaps = new Set('metadata attribute custom extra'.split(' '));

/** In JSON:API, attributes are what the program knows, beside their type. */
function isOpenMap(key: string, beside: object): boolean {
  const words = namesIn(key).map(singular);
  return words.some((word) => openMaps.has(word)) && !(key === 'attributes' && 'type' in beside);
}

function isHolder(key: string): boolean {
  return namesIn(key).some((word) => holders.has(singular(word)));
}

interface Visiting {
  words: Words;
  /** Whether a text under a name may be what somebody typed. */
  mayBeTyped: (key: string) => boolean;
}

function visit(value: unknown, visiting: Visiting, key = '', level = 0): void {
  const { words, mayBeTyped } = visiting;
  if (level > most.levels) return;
  if (typeof value === 'string') {
    // Capitals and letters of other alphabets are hardly the words of a program.
    if (mayBeTyped(key)) words.add(value, isWritten(key) || /\p{Lu}\p{Ll}|[^\p{ASCII}]|@/u.test(value));
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, most.items)) visit(item, visiting, key, level + 1);
  } else if (isObject(value)) {
    const members = Object.entries(value);
    const isLogin = members.some(([name]) => kindOfName(name) === 'typed');
    const isOfNames = isHolder(key) && members.every(([, part]) => typeof part !== 'object');
    for (const [name, part] of members) {
      if (isObject(part) && isOpenMap(name, value))
        for (const [member, one] of Object.entries(part))
          if (typeof one !== 'object') words.add(member, false);
      if (isOfNames) words.add(name, true);
      addBracketed(name, words);
      if (isLogin && typeof part === 'string' && userNames.test(name)) words.add(part, true);
      visit(part, visiting, name, level + 1);
    }
  }
}

/** As forms have it: "roles[mei]". */
function addBracketed(name: string, words: Words): void {
  const [, holder = '', member] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  if (member !== undefined && isHolder(holder)) words.add(member, true);
}

/** Beside a password. */
const userNames = /user|login|account|name|nick|tenant|mail|phone|mobile/i;
