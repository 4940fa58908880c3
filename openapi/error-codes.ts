import type { GapValues } from './generated/gap-values.ts';
import type { Profile } from './profile.ts';
import { findGap } from './registers.ts';

const conventional = findGap('errors.http-status')?.conventional ?? {};
const defaultCodes = findGap('errors.codes')?.default as Record<string, number>;

const kinds = Object.keys(defaultCodes) as ErrorKind[];

/** The document names no kinds of error (section 7). */
export type ErrorKind = keyof GapValues['errors.codes'];

export function statusOf(profile: Profile, kind: ErrorKind): number {
  const value = profile.values['errors.http-status'];
  if (value === 'always-200') return 200;
  const stated = typeof value === 'object' ? value[kind] : undefined;
  return stated ?? conventional[kind] ?? 500;
}

/** Never returns 0, which means success. */
export function codeOf(profile: Profile, kind: ErrorKind): number {
  return profile.values['errors.codes'][kind] ?? defaultCodes[kind] ?? -1;
}

export function codesOf(profile: Profile): [ErrorKind, number][] {
  return kinds.map((kind) => [kind, codeOf(profile, kind)]);
}

export function kindOfCode(profile: Profile, code: number): ErrorKind | undefined {
  return codesOf(profile).find(([, other]) => other === code)?.[0];
}

/** Prefers the statuses of the profile over conventional ones. */
export function kindOfStatus(profile: Profile, status: number): ErrorKind | undefined {
  const stated = kinds.find((kind) => statusOf(profile, kind) === status);
  return stated ?? kinds.find((kind) => conventional[kind] === status);
}
