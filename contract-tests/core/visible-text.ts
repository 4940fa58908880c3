// Texts of others, made harmless for what prints or shows them: terminals, the logs of CI, and readers.
import { rawJson } from './raw-json.ts';

/** Controls, what changes the direction of reading, what is not seen, and what Unicode calls no characters. */
export const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Emoji of several characters are left whole, though some of these are not seen by themselves. Made when needed: it takes long. */
let emojiOrUnseen: RegExp | undefined;

/** Azure, GitHub and TeamCity obey "##[…]", "##vso[…]" and "##teamcity[…]" anywhere in a line. */
const commandsAnywhere = /##(?=[a-z]*\[)/gi;

/** GitHub obeys "::…::" at the start of a line, blanks before it left out. */
const commandsAtStart = /^([^\S\n]*):(?=:)/gm;

const plain = /^(?:[ !"$-9;-~]|#(?!#)|:(?!:))*$/;

/** Most lines: of Latin letters alone. To look for the unseen by Unicode's tables takes long at the first time. */
const plainLines = /^[\n\t -~\u00a1-\u00ac\u00ae-\u00ff]*$/;

/** A text in one line. What can't be seen is written as \u202e, and what a log would obey is broken up in the same way. */
export function visible(text: string): string {
  // Most texts; a mock has some of them in the line of each request.
  if (plain.test(text)) return text;
  return withoutCommands(escapeUnseen(text.replaceAll('\n', '\\n'), ''));
}

/** The same in lines: line ends and tabs stay. */
export function visibleLines(text: string): string {
  if (plainLines.test(text)) return withoutCommands(text);
  return withoutCommands(escapeUnseen(text.replaceAll('\r\n', '\n'), '\n\t'));
}

/** A value as JSON that is safe to print, and reads as the same value. */
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

/** As JSON and JavaScript escape it. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function withoutCommands(text: string): string {
  return text.replace(commandsAnywhere, '#\\u0023').replace(commandsAtStart, '$1\\u003a');
}
