// Explains why a body is not JSON, without quoting it, because it may contain a secret.
import { parseJson } from './parse-json.ts';

/** Completes "the body …"; undefined if the reason is unknown. */
export function whyNotJson(text: string): string | undefined {
  return text.length > longest ? undefined : flaws.find(({ isSeen }) => isSeen(text))?.what;
}

/** In characters. Longer bodies are not examined. */
const longest = 262_144;

const flaws: readonly { what: string; isSeen(text: string): boolean }[] = [
  {
    what: 'is in UTF-16 instead of UTF-8',
    isSeen: (text) => /^\ufffd*\0?[[{]\0?/.test(text) && text.includes('\0'),
  },
  {
    what: "has a guard such as )]}' or while(1); before its JSON",
    isSeen: (text) => isJson(text.replace(/^\s*(\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|&&&\w+&&&)\s*/, '')),
  },
  {
    what: 'is JSONP, a script that calls a function',
    isSeen: (text) => isJson(text.replace(/^\s*(\/\*\*\/)?\s*[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/, '$2')),
  },
  {
    what: 'has a value NaN, Infinity or undefined, which is not valid JSON',
    isSeen: (text) => isJson(text.replace(/([:[,]\s*)(-?Infinity|NaN|undefined)(?=\s*[,\]}])/g, '$1null')),
  },
  {
    what: 'has a trailing comma',
    isSeen: (text) => isJson(text.replace(/,(\s*[\]}])/g, '$1')),
  },
  {
    what: 'consists of several JSON texts',
    isSeen: (text) => isJson(`[${text.replace(/\}\s*\{/g, '},{')}]`) && /\}\s*\{/.test(text),
  },
];

function isJson(text: string): boolean {
  return typeof parseJson(text) === 'object';
}
