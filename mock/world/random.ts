// The generator's whole state is one integer in the world, so a restored world continues the same sequence.
import { drawWord } from '../../openapi/draw-word.ts';
import { digest } from './digests.ts';
import type { World } from './world.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function drawHex(source: Source, digits: number): string {
  let text = '';
  while (text.length < digits) text += hexOf(drawWord(source));
  return text.length === digits ? text : text.slice(0, digits);
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Every answer needs hex digits, and this takes a third of the time of `toString(16)`. */
function hexOf(word: number): string {
  const upper = `${bytes[word >>> 24]}${bytes[(word >>> 16) & 255]}`;
  return `${upper}${bytes[(word >>> 8) & 255]}${bytes[word & 255]}`;
}

export function drawText(source: Source, length: number): string {
  return Array.from({ length }, () => alphabet[drawWord(source) % alphabet.length]).join('');
}

export function drawBetween(source: Source, least: number, most: number): number {
  return least + (drawWord(source) % (most - least + 1));
}

export function drawOf<Item>(source: Source, items: readonly Item[]): Item | undefined {
  return items[drawBetween(source, 0, items.length - 1)];
}

export function drawUuid(source: Source): string {
  const hex = drawHex(source, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-4$3-${variant}$4-`);
}

export type Source = Pick<World, 'random'>;

/** A name always gives the same sequence, so no state has to be stored. */
export function namedSource(name: string): Source {
  return { random: Number.parseInt(digest(name).slice(0, 8), 16) | 0 };
}
