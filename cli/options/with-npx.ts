/** Puts `npx` before commands in a hint if npm started this process, because npm adds sitepub only to the PATH of its own processes. */
export function withNpx(hint: string): string {
  return process.env.npm_command ? hint.replaceAll(/(?<=`|^ *)sitepub (?=[a-z-])/gm, 'npx sitepub ') : hint;
}
