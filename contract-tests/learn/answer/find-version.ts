// Which field of an answer is the version of a publish: others have versions, too, and a row of a database may count its changes.
import { parsePointer } from '../../../openapi/json-pointer.ts';
import { type Field, nameOf } from '../described-operation.ts';
import { findNamed } from '../words/find-named.ts';
import { namesOfReads } from '../words/names-of-values.ts';
import { wordsOf } from '../words/words.ts';
import { isOfAnother } from './find-identifier.ts';

interface Version {
  /** Undefined where there is none, or nobody can tell which of several it is. */
  pointer: string | undefined;
  /** Those that it may be, where nobody can tell. */
  rivals: readonly string[];
}

/** `fields`: of a type that a version may have. */
export function findVersion(fields: readonly Field[], find: typeof findNamed = findNamed): Version {
  const own = fields.filter((field) => !isOfSomethingElse(field));
  const versions = own.filter((field) => namesVersion(nameOf(field)));
  const [best, ...others] = [isOfPublish, isPlain].map((fits) => versions.filter(fits)).find(isSingle) ?? [];
  const isClear = best && others.length === 0 && !(isPlain(best) && versions.some(isUnclear));
  if (isClear) return { pointer: best.pointer, rivals: [] };
  if (versions.length > 1) return { pointer: undefined, rivals: versions.map(({ pointer }) => pointer) };
  const [named] = find(own, namesOfReads.version ?? []);
  return { pointer: named?.field.pointer, rivals: [] };
}

function isSingle(fields: readonly Field[]): boolean {
  return fields.length === 1;
}

/** Of a template or a schema, or of an earlier publish. */
function isOfSomethingElse(field: Field): boolean {
  const segments = parsePointer(field.pointer);
  const said = (field.texts[0] ?? '').slice(0, 80);
  return (
    segments.slice(0, -1).some(isOfAnother) ||
    wordsOf(nameOf(field)).some(({ text }) => others.has(text)) ||
    wordsOf(said).some(({ text }) => others.has(text)) ||
    /lock|锁/i.test(said)
  );
}

const others = new Set(
  'schema api software publisher engine generator renderer client server protocol plugin theme template library sdk previous prior last next old base minimum min maximum max lock etag row'.split(
    ' ',
  ),
);

/** Those that are called a version, or just a number. */
export function findVersions(fields: readonly Field[]): Field[] {
  return fields.filter(
    (field) =>
      !isOfSomethingElse(field) && (namesVersion(nameOf(field)) || nameOf(field).toLowerCase() === 'number'),
  );
}

export function namesVersion(name: string): boolean {
  return wordsOf(name).some(({ text }) => /^(version|revision|banben|版本)$/.test(text));
}

/** "publishVersion", or the version within "live". */
function isOfPublish({ pointer }: Field): boolean {
  const words = parsePointer(pointer).slice(-2).flatMap(wordsOf);
  return words.some(({ concept, text }) => concept === 'publish' || /^(release|deployment)$/.test(text));
}

/** "version", "versionNo", "site_version". */
function isPlain(field: Field): boolean {
  const known = ['publication', 'id', 'site', 'neutral'];
  return wordsOf(nameOf(field)).every(({ concept, text }) => known.includes(concept ?? '') || text === 'hao');
}

/** "current_version" beside "queued_version", or in a language that nobody knows here. */
function isUnclear(field: Field): boolean {
  return !isPlain(field) && !isOfPublish(field);
}
