// The seed from which generated cases are drawn.
import { createHash, randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import { casesOf } from './case-settings.ts';

/** The seed of all generated cases, drawn once a run; the notes of the run name it. */
export async function drawSeed(context: Context): Promise<number> {
  const seed = context.options.seed ?? randomInt(2 ** 31);
  const note = `generated cases were drawn with --seed ${seed} --cases ${casesOf(context.options)}`;
  context.notes.push(note);
  return seed;
}

/** A separate seed for each kind of case, so that no kind depends on which others are made. */
export function deriveSeed(seed: number, kind: string): number {
  return createHash('sha256').update(`${seed} ${kind}`).digest().readInt32BE();
}
