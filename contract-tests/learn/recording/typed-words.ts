// Words that people have typed, as the bodies of a recording show them. Wherever else such a word stands, as a choice, as the name of a member or in a path,
// it may be the same person's, site's or customer's name.
import { isObject } from '../../../openapi/json.ts';
import { readPath } from '../read-name.ts';
import { wordsOf } from '../words.ts';
import { bodyOf, isPaging, queryOf } from './call-values.ts';
import { isChoice, isWritten } from './constant-values.ts';
import { identifiedBy, wordsOf as namesIn, singular } from './plain-words.ts';
import { credentialOf } from './read-credential.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { kindOfName } from './secret-texts.ts';
import { unfoldTexts } from './unfold-texts.ts';

export interface TypedWords {
  /** Whether a value or a part of a path is one of them. */
  has(text: string): boolean;
  /** The same of the name of a member: what is a usual one says nothing. */
  hasName(name: string): boolean;
}

/** `isVisitors`: whether visitors of the published site sent it, so that all of it was typed. */
export function typedWords(
  exchanges: readonly RecordedExchange[],
  isVisitors: (exchange: RecordedExchange) => boolean,
): TypedWords {
  const words = new Set<string>();
  const add = (text: string) => {
    if (words.size < most.words && mayBeName(text)) words.add(spell(text));
  };
  for (const exchange of exchanges) {
    const isAnyones = isVisitors(exchange);
    const mayBeTyped = (key: string) => isAnyones || !(isChoice(key) || isPaging(key));
    for (const sent of [queryOf(exchange), bodyOf(exchange), exchange.otherBody])
      visit(unfoldTexts(sent), { add, mayBeTyped });
    const isName = (key: string) => isWritten(key) || identifiedBy(key) !== undefined;
    visit(unfoldTexts(exchange.answer), { add, mayBeTyped: isName });
  }
  const has = (text: string) => words.has(spell(text));
  return { has, hasName: (name) => has(name) && !isUsual(name) };
}

/** Whether it carries no credentials where others do. But whoever tries the published site in the browser of the console sends them along. */
export function isSentByVisitors(exchange: RecordedExchange, hasCredentials: boolean): boolean {
  if (hasCredentials && credentialOf(exchange) === 'none') return true;
  const { method, url } = exchange;
  const { resource } = readPath(new URL(url).pathname);
  return method === 'POST' && (resource === 'form' || resource === 'submission' || resource === 'comment');
}

const most = { words: 10_000, levels: 12, items: 200, characters: 80 };

/** As addresses spell a title: "Spring menu" is "spring-menu". */
function spell(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
}

/** What all words are known of says nothing of anybody: "draft", "form submissions". */
function mayBeName(text: string): boolean {
  if (text.length < 2 || text.length > most.characters || !/^\p{L}/u.test(text)) return false;
  return wordsOf(text).some((word) => word.concept === undefined && !roles.has(word.text));
}

const roles = new Set(
  'owner editor author viewer member guest reader writer everyone anyone default public private custom'.split(
    ' ',
  ),
);

/** Objects whose members are often named after somebody or something have such a word in their names. */
const holders = new Set(
  'notify notification permission role access grant member user people person team recipient watcher owner assignee assignment reviewer approver approval subscriber collaborator contributor editor author share shared sharing vote mention label site by'.split(
    ' ',
  ),
);

function isHolder(key: string): boolean {
  return namesIn(key).some((word) => holders.has(singular(word)));
}

interface Visiting {
  add: (text: string) => void;
  /** Whether a text under a name may be what somebody typed. */
  mayBeTyped: (key: string) => boolean;
}

function visit(value: unknown, visiting: Visiting, key = '', level = 0): void {
  if (level > most.levels) return;
  if (typeof value === 'string') {
    if (visiting.mayBeTyped(key)) visiting.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, most.items)) visit(item, visiting, key, level + 1);
  } else if (isObject(value)) {
    const members = Object.entries(value);
    const isLogin = members.some(([name]) => kindOfName(name) === 'typed');
    const isOfNames = isHolder(key) && members.every(([, part]) => typeof part !== 'object');
    for (const [name, part] of members) {
      if (isOfNames) visiting.add(name);
      addBracketed(name, visiting);
      if (isLogin && typeof part === 'string' && userNames.test(name)) visiting.add(part);
      visit(part, visiting, name, level + 1);
    }
  }
}

/** As forms have it: "roles[mei]". */
function addBracketed(name: string, { add }: Visiting): void {
  const [, holder = '', member] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  if (member === undefined || !isHolder(holder)) return;
  add(member);
  if (mayBeName(member)) add(name);
}

/** Beside a password. */
const userNames = /user|login|account|name|nick|tenant|mail|phone|mobile/i;

function isUsual(name: string): boolean {
  return isWritten(name) || isChoice(name) || isPaging(name) || identifiedBy(name) !== undefined;
}
