/** Puts `npx` before the commands in a hint if npm started this process. The user's shell then has no sitepub in its PATH. */
export function withNpx(hint: string): string {
  return process.env.npm_command ? hint.replaceAll(/(?<=`|^ *)sitepub (?=[a-z-])/gm, 'npx sitepub ') : hint;
}
