// Seeded randomness: its whole state is one integer in the world, so a restored world continues as the saved one would have.
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

/** Eight digits. Every answer needs some; this takes a third of the time of toString(16). */
function hexOf(word: number): string {
  const upper = `${bytes[word >>> 24]}${bytes[(word >>> 16) & 255]}`;
  return `${upper}${bytes[(word >>> 8) & 255]}${bytes[word & 255]}`;
}

export function drawText(source: Source, length: number): string {
  return Array.from({ length }, () => alphabet[drawWord(source) % alphabet.length]).join('');
}

/** A whole number from `least` to `most`. */
export function drawBetween(source: Source, least: number, most: number): number {
  return least + (drawWord(source) % (most - least + 1));
}

/** One of some items. */
export function drawOf<Item>(source: Source, items: readonly Item[]): Item | undefined {
  return items[drawBetween(source, 0, items.length - 1)];
}

export function drawUuid(source: Source): string {
  const hex = drawHex(source, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-4$3-${variant}$4-`);
}

/** Where random numbers are drawn from. */
export type Source = Pick<World, 'random'>;

/** Always the same source for the same name, so no state has to be kept. */
export function namedSource(name: string): Source {
  return { random: Number.parseInt(digest(name).slice(0, 8), 16) | 0 };
}
