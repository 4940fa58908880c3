// Web pages in a real browser against the control API of a mock.
import { callsOf, chromium, noChromium, pageAttacks, tryPage } from '../../mock/testing/hostile-page.ts';
import type { Group, Trial } from './group.ts';

export const pages: Group = {
  id: 'hostile-pages',
  what: "calls of a hostile page in Chromium to the mock's control API, from another origin and by a rebound host name, with and without `--cors`",
  promise: 'none is obeyed, and nothing is read',
  missing: () => (chromium === undefined ? noChromium : undefined),
  trials: () => pageAttacks.map(trialOf),
};

function trialOf(attack: (typeof pageAttacks)[number]): Trial {
  const id = `${attack.kind}${attack.cors ? ', with --cors' : ''}`;
  return { id, count: callsOf(attack), run: async () => ({ id, broken: await tryPage(attack) }) };
}
