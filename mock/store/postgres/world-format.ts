// In which format the worlds in a PostgreSQL database are read and written, while replicas of two versions share them.
import type { Client } from 'pg';
import { StoreError } from '../engine.ts';
import type { Formats } from '../rows/formats.ts';
import type { Batch } from '../rows/row.ts';
import { readRows, type WorldRow } from './read-rows.ts';
import { seenLately } from './replica.ts';

/** Of a world in a turn. */
export interface Shape {
  /** In which it is written. */
  format: number;
  /** What is written before, of a world that gets another format. */
  rewritten: Batch[];
}

/** Throws a StoreError if this version can't write the world so that all others can read it. */
export async function shapeOf(
  db: Client,
  row: WorldRow,
  { formats, place }: { formats: Formats; place: string },
): Promise<Shape> {
  const { newest } = formats;
  if (row.format === newest) return { format: newest, rewritten: [] };
  const format = Math.max(row.format, Math.min(newest, await oldestReader(db)));
  if (format < newest - 1)
    throw new StoreError(
      `store ${place}: mocks of format ${format} use it, and this version of sitepub shares it with those of format ${newest - 1} at least; end them first, or upgrade version by version`,
      { reason: 'refused' },
    );
  if (format === row.format) return { format, rewritten: [] };
  const kept = await readRows(db, row);
  if (!kept) return { format, rewritten: [] };
  const batch = formats.translate({ isWhole: false, ...kept }, row.format, format);
  return { format, rewritten: [batch] };
}

/** The lowest of the formats that those who were seen lately know. */
async function oldestReader(db: Client): Promise<number> {
  const { rows } = await db.query<{ format: number | null }>(
    `select min(format) as format from sitepub_replica where ${seenLately}`,
  );
  return rows[0]?.format ?? Number.POSITIVE_INFINITY;
}
