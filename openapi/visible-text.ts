// Texts of others, made harmless for what prints or shows them: terminals, the logs of CI, and readers.

/** Controls, what changes the direction of reading, what is not seen, and what Unicode calls no characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Azure, GitHub and TeamCity obey "##[…]", "##vso[…]" and "##teamcity[…]" anywhere in a line. */
const commandsAnywhere = /##(?=[a-z]*\[)/gi;

/** GitHub obeys "::…::" at the start of a line, blanks before it left out. */
const commandsAtStart = /^([^\S\n]*):(?=:)/gm;

/** A text in one line. What can't be seen is written as \u202e, and what a log would obey is broken up in the same way. */
export function visible(text: string): string {
  return withoutCommands(text.toWellFormed().replaceAll('\n', '\\n').replace(unseen, escapeCharacter));
}

/** The same in lines: line ends and tabs stay. */
export function visibleLines(text: string): string {
  const lines = text.toWellFormed().replaceAll('\r\n', '\n');
  return withoutCommands(
    lines.replace(unseen, (one) => (one === '\n' || one === '\t' ? one : escapeCharacter(one))),
  );
}

/** A value as JSON that is safe to print, and reads as the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleLines(JSON.stringify(value, null, indent));
}

/** Whether a text is shown as it is. */
export function isVisible(text: string): boolean {
  return visible(text) === text;
}

/** A character as JSON and JavaScript escape it. */
export function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function withoutCommands(text: string): string {
  return text.replace(commandsAnywhere, '#\\u0023').replace(commandsAtStart, '$1\\u003a');
}
