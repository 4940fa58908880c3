// What a run observes of the gaps: whether the deployment agrees with the values of its profile.
import { gapValue, type Profile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { writeJson } from '../core/parse-json.ts';

/** One gap in the report; `observed` as a text. */
export interface GapReport {
  id: string;
  value: unknown;
  source: 'default' | 'profile';
  observed: string | null;
  outcome: 'agrees' | 'drift' | 'not-observed';
}

export interface Observations {
  /** Notes that the deployment does what the gap's value says. */
  agrees(gap: string, observed: unknown): void;
  /** Notes that the deployment does something else. Drift outweighs agreement; all observations are reported. */
  drifts(gap: string, observed: unknown): void;
  /** Notes agreement where `observed` equals the gap's value, else drift. */
  compare(gap: string, observed: unknown): void;
  /** The same for a gap that discovery does not find out: it drifts only where the profile states it. */
  compareStated(gap: string, observed: unknown): void;
  report(): GapReport[];
}

interface Observed {
  agreed: Set<string>;
  drifted: Set<string>;
}

export function createObservations(profile: Profile): Observations {
  const seen = new Map<string, Observed>(
    gaps.map(({ id }) => [id, { agreed: new Set(), drifted: new Set() }]),
  );
  const note = (gap: string, kind: keyof Observed, observed: unknown) =>
    seen.get(gap)?.[kind].add(toText(observed));
  const compare = (gap: string, observed: unknown) =>
    note(gap, observed === gapValue(profile, gap) ? 'agreed' : 'drifted', observed);
  return {
    agrees: (gap, observed) => note(gap, 'agreed', observed),
    drifts: (gap, observed) => note(gap, 'drifted', observed),
    compare,
    compareStated: (gap, observed) => {
      if (profile.stated.has(gap) || observed === gapValue(profile, gap)) compare(gap, observed);
    },
    report: () => [...seen].map(([id, observed]) => reportGap(id, observed, profile)),
  };
}

function reportGap(id: string, { agreed, drifted }: Observed, profile: Profile): GapReport {
  const source = profile.stated.has(id) ? 'profile' : 'default';
  const common = { id, value: gapValue(profile, id), source } as const;
  if (drifted.size > 0) return { ...common, observed: [...drifted].join('; '), outcome: 'drift' };
  if (agreed.size > 0) return { ...common, observed: [...agreed].join('; '), outcome: 'agrees' };
  return { ...common, observed: null, outcome: 'not-observed' };
}

function toText(observed: unknown): string {
  return typeof observed === 'string' ? observed : writeJson(observed);
}
