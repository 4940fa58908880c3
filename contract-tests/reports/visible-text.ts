/** A deployment's text in one line, without control characters that could move the cursor or give commands to the terminal. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, (one) =>
      one === '\n' ? '\\n' : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
