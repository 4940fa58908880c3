// Records whether a deployment matches the gap values of its profile.
import { gapValue, type Profile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { writeJson } from '../core/parse-json.ts';

/** One gap in the report. `observed` is a text, or null if nothing was observed. */
export interface GapReport {
  id: string;
  value: unknown;
  source: 'default' | 'profile';
  observed: string | null;
  outcome: 'agrees' | 'drift' | 'not-observed';
}

export interface Observations {
  /** The deployment matches the gap's value. `part`: a part of the gap, such as a kind of error. */
  agrees(gap: string, observed: unknown, part?: string): void;
  /** The deployment differs from the gap's value. Drift outweighs agreement, except agreement of the same part: a deployment may do it in several ways. */
  drifts(gap: string, observed: unknown, part?: string): void;
  /** Agrees if `observed` equals the gap's value, otherwise drifts. */
  compare(gap: string, observed: unknown): void;
  /** The same for gaps that discovery does not find: drifts only if the profile states the gap. */
  compareStated(gap: string, observed: unknown): void;
  report(): GapReport[];
}

interface Observed {
  agreed: Set<string>;
  /** Part by observation. */
  drifted: Map<string, string | undefined>;
  agreedParts: Set<string>;
}

export function createObservations(profile: Profile): Observations {
  const seen = new Map<string, Observed>(
    gaps.map(({ id }) => [id, { agreed: new Set(), drifted: new Map(), agreedParts: new Set() }]),
  );
  const agrees: Observations['agrees'] = (gap, observed, part) => {
    seen.get(gap)?.agreed.add(toText(observed));
    if (part !== undefined) seen.get(gap)?.agreedParts.add(part);
  };
  const drifts: Observations['drifts'] = (gap, observed, part) =>
    void seen.get(gap)?.drifted.set(toText(observed), part);
  const compare = (gap: string, observed: unknown) => {
    if (observed === gapValue(profile, gap)) agrees(gap, observed);
    else drifts(gap, observed);
  };
  return {
    agrees,
    drifts,
    compare,
    compareStated: (gap, observed) => {
      if (profile.stated.has(gap) || observed === gapValue(profile, gap)) compare(gap, observed);
    },
    report: () => [...seen].map(([id, observed]) => reportGap(id, observed, profile)),
  };
}

function reportGap(id: string, { agreed, drifted: all, agreedParts }: Observed, profile: Profile): GapReport {
  const drifted = [...all].flatMap(([text, part]) =>
    part !== undefined && agreedParts.has(part) ? [] : [text],
  );
  const source = profile.stated.has(id) ? 'profile' : 'default';
  const common = { id, value: gapValue(profile, id), source } as const;
  if (drifted.length > 0) return { ...common, observed: drifted.join('; '), outcome: 'drift' };
  if (agreed.size > 0) return { ...common, observed: [...agreed].join('; '), outcome: 'agrees' };
  return { ...common, observed: null, outcome: 'not-observed' };
}

function toText(observed: unknown): string {
  return typeof observed === 'string' ? observed : writeJson(observed);
}
