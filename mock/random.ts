// Seeded randomness, drawn from the world: one integer is its whole state, so a restored world goes on as the saved one would have.
import type { World } from './world.ts';

type Source = Pick<World, 'random'>;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function drawHex(source: Source, digits: number): string {
  let text = '';
  while (text.length < digits) text += drawWord(source).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

export function drawText(source: Source, length: number): string {
  return Array.from({ length }, () => alphabet[drawWord(source) % alphabet.length]).join('');
}

/** A whole number from `least` to `most`. */
export function drawBetween(source: Source, least: number, most: number): number {
  return least + (drawWord(source) % (most - least + 1));
}

export function drawUuid(source: Source): string {
  const hex = drawHex(source, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** 32 random bits, by the generator mulberry32. */
function drawWord(source: Source): number {
  source.random = (source.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(source.random ^ (source.random >>> 15), source.random | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
