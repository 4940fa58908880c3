import { didYouMean } from '../../openapi/nearest.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The names in a list flag. Throws UsageError for an unknown one; `otherwise` ends its message when no known name is near. */
export function readNames(
  given: Given,
  flag: string,
  { known, noun, otherwise }: { known: readonly string[]; noun: string; otherwise?: string },
): string[] {
  const names = given.list(flag);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const hint = didYouMean(unknown, known, otherwise ?? `; there are ${known.join(', ')}`);
  throw new UsageError(`--${flag}: there is no ${noun} "${unknown}"${hint}`);
}
