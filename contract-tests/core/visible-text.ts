// Escapes foreign texts, so that they cannot control terminals or CI logs, or deceive readers.
import { rawJson } from './parse-json.ts';

/** Control, bidirectional and invisible characters, and noncharacters. */
export const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Preserves multi-character emoji, although they contain invisible characters. Compiled lazily, because it is slow. */
let emojiOrUnseen: RegExp | undefined;

/** Azure, GitHub and TeamCity execute "##[…]", "##vso[…]" and "##teamcity[…]" anywhere in a line. */
const commandsAnywhere = /##(?=[a-z]*\[)/gi;

/** GitHub executes "::…::" at the start of a line, even after blanks. */
const commandsAtStart = /^([^\S\n]*):(?=:)/gm;

const plain = /^(?:[ !"$-9;-~]|#(?!#)|:(?!:))*$/;

/** Most lines contain only Latin letters, which avoids the slow first use of Unicode tables. */
const plainLines = /^[\n\t -~\u00a1-\u00ac\u00ae-\u00ff]*$/;

/** A text in one line. Escapes invisible characters and CI commands, for example as \u202e. */
export function visible(text: string): string {
  // The fast path for most texts.
  if (plain.test(text)) return text;
  return withoutCommands(escapeUnseen(text.replaceAll('\n', '\\n'), ''));
}

/** The same, but preserves line ends and tabs. */
export function visibleLines(text: string): string {
  if (plainLines.test(text)) return withoutCommands(text);
  return withoutCommands(escapeUnseen(text.replaceAll('\r\n', '\n'), '\n\t'));
}

/** JSON that is safe to print and parses to the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  const asInteger = (_: string, part: unknown) => (typeof part === 'bigint' ? rawJson(String(part)) : part);
  return visibleLines(JSON.stringify(value, asInteger, indent));
}

function escapeUnseen(text: string, kept: string): string {
  const whole = text.toWellFormed();
  if (!unseen.test(kept === '' ? whole : whole.replaceAll(/[\n\t]/g, ''))) return whole;
  emojiOrUnseen ??= new RegExp(`\\p{RGI_Emoji}|${unseen.source}`, 'gv');
  return whole.replace(emojiOrUnseen, (one) =>
    isEmoji(one) || kept.includes(one) ? one : escapeCharacter(one),
  );
}

function isEmoji(match: string): boolean {
  return !unseen.test(String.fromCodePoint(match.codePointAt(0) ?? 0));
}

function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function withoutCommands(text: string): string {
  return text.replace(commandsAnywhere, '#\\u0023').replace(commandsAtStart, '$1\\u003a');
}
