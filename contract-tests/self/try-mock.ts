// Runs discoveries with learnt operations against a mock.
import { loadProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import type { DiscoverOptions } from '../discover/options.ts';
import type { Learning, LearntOperation } from '../learn/learn-operations.ts';
import { discoverMock } from './discover-mock.ts';
import { isAbout } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

const spoken = loadProfile('default');

/** Operations learnt from a description without the answer of create-site. */
function learntOf(profile: Profile): LearntOperation[] {
  const stated = Object.entries(statedValues(profile)).filter(([id]) => id.startsWith('operation.'));
  return stated.flatMap(([id, value]): LearntOperation[] => {
    const gap = findGap(id);
    const { id: pointer, ...others } = value as Record<string, unknown>;
    const described = id === 'operation.create-site' || !pointer ? others : { ...others, id: pointer };
    const rest = { reasons: ['the path'], doubts: [], place: 'api.json', alternatives: [] };
    return gap ? [{ gap, value: described, isCertain: true, ...rest }] : [];
  });
}

const learnt = learntOf(spoken);

function learning(operations: LearntOperation[]): { learning: Learning } {
  return { learning: { operations, count: learnt.length, notes: [] } };
}

/** Omits some operations. */
export function without(names: RegExp): { learning: Learning } {
  return learning(learnt.filter(({ gap }) => !names.test(gap.id)));
}

/** Changes the value of one operation. */
export function restated(name: string, change: (value: object) => object): { learning: Learning } {
  const changed = (one: LearntOperation) => ({ ...one, value: { ...change(one.value ?? {}) } });
  return learning(learnt.map((one) => (one.gap.id === `operation.${name}` ? changed(one) : one)));
}

/** Adds calls, final sites, profile lines and leftovers by kind to the outcome. */
export async function tryWith(tamper?: Tamper, options: Partial<DiscoverOptions> = {}, profile = spoken) {
  const called: string[] = [];
  const seen: Tamper = async (message, forward) => {
    const { method, path } = message;
    called.push(`${method} ${path.replace('/api/v1', '').replace(/\?.*/, '')}`);
    return tamper ? tamper(message, forward) : forward(message);
  };
  let sites: unknown;
  const outcome = await discoverMock({
    spoken: profile,
    controls: true,
    tamper: seen,
    options: { ...learning(learnt), ...options },
    afterwards: async (mock) => {
      sites = mock.control.sites({ tenant: 1 }).sites.map(({ id, version }) => [id, version]);
    },
  });
  const lines = outcome.profile.split('\n').filter((line) => /^(# (to confirm: )?)?operation\./.test(line));
  const lineOf = (name: string) => lines.find((line) => line.includes(`operation.${name}:`));
  const left = (...kinds: string[]) => outcome.leftovers.filter(({ what }) => kinds.includes(what));
  return { ...outcome, called, sites, lineOf, left };
}

export const isCreatingSite = isAbout('POST', /\/sites$/);
