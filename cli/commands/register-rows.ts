// The registers as lists: what is promised, what checks it, what is left open, and what a mock can break.
import { checks } from '../../contract-tests/checks/index.ts';
import { receiverChecks } from '../../contract-tests/test-receiver/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { packagedProfiles } from '../../openapi/profile.ts';
import { gaps, readRequirements } from '../../openapi/registers.ts';

export interface Row {
  id: string;
  [detail: string]: unknown;
}

export type RowKind = 'requirements' | 'checks' | 'gaps' | 'faults' | 'profiles';

/** The checks of deployments and of receivers, with the command that runs them. */
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
