// The requirements, checks, gaps, faults and profiles, for `sitepub list`, `sitepub explain` and `sitepub mcp`.
import { checks } from '../../contract-tests/checks/index.ts';
import { receiverChecks } from '../../contract-tests/test-receiver/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { gapValue, type Profile, packagedProfiles } from '../../openapi/profile.ts';
import { gaps, readRequirements } from '../../openapi/registers.ts';
import { UsageError } from '../options/usage-error.ts';

export interface Row {
  id: string;
  [detail: string]: unknown;
}

export type RowKind = 'requirements' | 'checks' | 'gaps' | 'faults' | 'profiles';

const allChecks = [
  ...checks.map(({ id, requirement, needs }) => ({ id, requirement, needs, command: 'test' })),
  ...receiverChecks.map(({ id, requirement }) => ({ id, requirement, needs: [], command: 'test-receiver' })),
];

export const registerRows: Readonly<Record<RowKind, () => Row[]>> = {
  requirements: () =>
    readRequirements().map((one) => ({
      ...one,
      checks: allChecks.filter(({ requirement }) => requirement === one.id).map(({ id }) => id),
    })),
  checks: () => [...allChecks],
  gaps: () => gaps.map((gap) => ({ ...gap })),
  faults: () => faults.map(({ id, title, requirement }) => ({ id, title, requirement })),
  profiles: () =>
    [...packagedProfiles().values()].map(({ name, stated }) => ({ id: name, stated_gaps: stated.size })),
};

type Explained = Exclude<RowKind, 'profiles'>;

const explanations: Readonly<Record<Explained, (row: Row, profile: Profile) => object>> = {
  requirements: ({ checks: _ids, ...row }) => ({
    what: 'requirement',
    ...row,
    checks: rowsOf('checks', row.id),
    faults: rowsOf('faults', row.id),
  }),
  checks: (row) => ({ what: 'check', ...row, promise: promiseOf(row) }),
  gaps: ({ kind, ...row }, profile) => ({
    what: 'gap',
    ...row,
    fills: kind,
    in_profile: { name: profile.name, value: gapValue(profile, row.id), stated: profile.stated.has(row.id) },
  }),
  faults: (row) => ({
    what: 'fault',
    ...row,
    promise: promiseOf(row),
    checks: rowsOf('checks', row.requirement),
  }),
};

/** Ids are compared without case. Throws UsageError for an unknown id. */
export function explainId(id: string, profile: Profile): Row {
  const kinds = Object.keys(explanations) as Explained[];
  const known: string[] = [];
  for (const kind of kinds) {
    const rows = registerRows[kind]();
    const row = rows.find((one) => one.id.toLowerCase() === id.toLowerCase());
    if (row) return { id: row.id, ...explanations[kind](row, profile) };
    known.push(...rows.map((one) => one.id));
  }
  const hint = didYouMean(id, known, '; list requirements, checks, gaps or faults to see all');
  throw new UsageError(`there is no requirement, check, gap or fault "${id}"${hint}`);
}

function rowsOf(kind: 'checks' | 'faults', id: unknown): object[] {
  const rows = registerRows[kind]().filter(({ requirement }) => requirement === id);
  return rows.map(({ requirement: _id, ...row }) => row);
}

function promiseOf({ requirement }: Row): object | undefined {
  const found = registerRows.requirements().find(({ id }) => id === requirement);
  return found && { title: found.title, quote: found.quote, reading: found.reading };
}
