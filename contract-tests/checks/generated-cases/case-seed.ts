// What generated cases are drawn from.
import { createHash, randomInt } from 'node:crypto';
import { type Context, oncePerRun } from '../../context.ts';
import { casesOf } from './case-settings.ts';

/** What all generated cases of a run are drawn from; told in the notes of the run once it is used. */
export const seedOf = oncePerRun(drawSeed);

async function drawSeed(context: Context): Promise<number> {
  const seed = context.options.seed ?? randomInt(2 ** 31);
  const note = `generated cases were drawn with --seed ${seed} --cases ${casesOf(context.options)}`;
  context.notes.push(note);
  return seed;
}

/** A seed of its own for each kind of case, so that none depends on which others are made. */
export function seedFor(seed: number, kind: string): number {
  return createHash('sha256').update(`${seed} ${kind}`).digest().readInt32BE();
}
