// Finds all mistakes in a world seed; the messages never repeat what may be secret.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { explainErrors } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { createAjv } from '../../openapi/libraries.ts';
import { isReceivingUrl } from '../world/receiving-url.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findDuplicates } from './find-duplicates.ts';
import type { Mistake } from './seed-path.ts';
import { worldSeedSchema } from './seed-schema.ts';

/** All mistakes in a seed; empty for a valid one. */
export function findMistakes(seed: unknown): Mistake[] {
  compiled ??= createAjv({ formats: { 'receiving-url': isReceivingUrl } }).compile<WorldSeed>(
    worldSeedSchema(),
  );
  const isSeed = compiled;
  if (isSeed(seed)) return findDuplicates(seed);
  return explainErrors(isSeed.errors ?? [], {
    expected: ({ description }) => String(description),
    found,
  }).map(({ path, ...mistake }) => ({
    ...mistake,
    path: path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
  }));
}

/** Compiled at the first seed: it takes longer than checking one. */
let compiled: ValidateFunction<WorldSeed> | undefined;

/** A value in the wrong place may be a password, so only values in the place of a plain value are repeated. */
function found(value: unknown, { type, writeOnly }: Json): string {
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  const hint = type === 'string' && isBare ? '; put it in quotes' : '';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (!writeOnly && type !== 'object' && type !== 'array') return `${shorten(JSON.stringify(value))}${hint}`;
  if (typeof value === 'string') return writeOnly ? '' : 'a text';
  return `${typeof value === 'number' ? 'a number' : 'true or false'}${hint}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
