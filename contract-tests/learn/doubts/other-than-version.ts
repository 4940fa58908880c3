// Whether a deployment asks for a publish by another identifier than its version, such as that of the job.

import { rankIdentifier } from '../answer/find-identifier.ts';
import { findVersions, namesVersion as saysRevision } from '../answer/find-version.ts';
import {
  type DescribedAnswer,
  type DescribedOperation,
  type Field,
  type Link,
  nameOf,
} from '../described-operation.ts';
import type { Match } from '../match-operation.ts';

/** Of the call that reads a publish, and of the one that makes it: whether the path of the first may have something else than the version that both answer with. */
export function readsByOther({ known: { operation }, value }: Match, publish: Match | undefined): boolean {
  const { method, path, seen, parameters, answers } = operation;
  const at = String(value.path).split('/').indexOf('{version}');
  const name = path.split('/')[at]?.slice(1, -1);
  if (name === undefined) return false;
  const given = (publish?.known.operation.seen?.links ?? []).filter(
    ({ usedBy }) =>
      usedBy.in === 'path' &&
      usedBy.method === method &&
      usedBy.path === path &&
      usedBy.pointer === `/${name}`,
  );
  const pointers = given.map(({ pointer }) => pointer);
  if (areOthers(pointers, publish?.value.version)) return true;
  const own = parameters.find(({ pointer }) => pointer === `/${name}`);
  const saysVersion = [name, ...(own?.texts ?? [])].some(namesVersion);
  const isNumber = own?.types.includes('integer') ?? true;
  // Of a publish that nobody knows, a text is no number of a version.
  if (!publish && !saysVersion && !isNumber) return true;
  if (seen) return areOthers(seen.repeated[name] ?? [], value.version);
  // Where nobody has seen a call: a parameter that is called an identifier, beside a version that is none.
  if (saysVersion) return false;
  const isIdentifier = (field: Field) =>
    field.pointer.endsWith(`/${name}`) || rankIdentifier(field, 'publication') !== undefined;
  const haveOther = (all: readonly DescribedAnswer[], version: unknown) =>
    version !== undefined &&
    all.some(({ body = [] }) => body.some((field) => field.pointer !== version && isIdentifier(field)));
  return (
    haveOther(answers, value.version) ||
    haveOther(publish?.known.operation.answers ?? [], publish?.value.version)
  );
}

/** Whether what a publish answered with is the identifier of a job or a build: recorded calls that read by it were answered with another version. */
export function isOfJob(publish: Match, operations: readonly DescribedOperation[]): boolean {
  const { version } = publish.value;
  if (typeof version !== 'string' || saysRevision(nameOf({ pointer: version }))) return false;
  const links = (publish.known.operation.seen?.links ?? []).filter(({ pointer }) => pointer === version);
  return links.some(({ usedBy }) => {
    const reader = operations.find(({ method, path }) => method === 'GET' && isOf(usedBy, { method, path }));
    const sameAsSent = usedBy.in === 'path' ? (reader?.seen?.repeated[usedBy.pointer.slice(1)] ?? []) : [];
    const fields = (reader?.answers ?? []).flatMap(({ body = [] }) => body);
    const versions = findVersions(fields.filter(({ pointer }) => !pointer.includes('/*')));
    return versions.length > 0 && !versions.some(({ pointer }) => sameAsSent.includes(pointer));
  });
}

function isOf(
  usedBy: Link['usedBy'],
  { method, path }: Pick<DescribedOperation, 'method' | 'path'>,
): boolean {
  return usedBy.method === method && usedBy.path === path;
}

/** Whether there are places of the value, and that of the version is none of them. */
function areOthers(pointers: readonly string[], version: unknown): boolean {
  return version !== undefined && pointers.length > 0 && !pointers.some((pointer) => pointer === version);
}

function namesVersion(text: string): boolean {
  return /version|banben|版本|revision|number/i.test(text);
}
