import { didYouMean } from '../../openapi/nearest.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The names in a list flag, in any case. Throws UsageError for an unknown one; `otherwise` ends its message when no known name is near. */
export function readNames(
  given: Given,
  flag: string,
  { known, noun, otherwise }: { known: readonly string[]; noun: string; otherwise?: string },
): string[] {
  const inAnyCase = new Map(known.map((name) => [name.toLowerCase(), name]));
  const isKnown = (name: string) => known.includes(name);
  const names = given
    .list(flag)
    .map((name) => (isKnown(name) ? name : (inAnyCase.get(name.toLowerCase()) ?? name)));
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return names;
  const hint = didYouMean(unknown, known, otherwise ?? `; there are ${known.join(', ')}`);
  throw new UsageError(`--${flag}: there is no ${noun} "${unknown}"${hint}`);
}
