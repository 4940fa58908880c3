// What is wrong with a body that is nearly JSON. It is said without quoting the body, which may hold a secret.
import { parseJson } from './parse-json.ts';

/** Completes "the body …", where it is known what keeps a text from being JSON; undefined otherwise. */
export function whyNotJson(text: string): string | undefined {
  return text.length > longest ? undefined : flaws.find(({ isSeen }) => isSeen(text))?.what;
}

/** Longer bodies are not looked through, in characters. */
const longest = 262_144;

const flaws: readonly { what: string; isSeen(text: string): boolean }[] = [
  {
    what: 'is in UTF-16, and JSON is in UTF-8',
    isSeen: (text) => /^\ufffd*\0?[[{]\0?/.test(text) && text.includes('\0'),
  },
  {
    what: "has a guard such as )]}' or while(1); before its JSON",
    isSeen: (text) => isJson(text.replace(/^\s*(\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|&&&\w+&&&)\s*/, '')),
  },
  {
    what: 'is a script that calls a function with its JSON (JSONP)',
    isSeen: (text) => isJson(text.replace(/^\s*(\/\*\*\/)?\s*[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/, '$2')),
  },
  {
    what: 'has NaN, Infinity or undefined as a value, which JSON does not have',
    isSeen: (text) => isJson(text.replace(/([:[,]\s*)(-?Infinity|NaN|undefined)(?=\s*[,\]}])/g, '$1null')),
  },
  {
    what: 'has a comma behind its last member',
    isSeen: (text) => isJson(text.replace(/,(\s*[\]}])/g, '$1')),
  },
  {
    what: 'is several JSON texts, one behind the other',
    isSeen: (text) => isJson(`[${text.replace(/\}\s*\{/g, '},{')}]`) && /\}\s*\{/.test(text),
  },
];

function isJson(text: string): boolean {
  return typeof parseJson(text) === 'object';
}
