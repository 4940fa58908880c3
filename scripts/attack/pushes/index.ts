// Hostile pushes against all that takes some.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Group, Tried } from '../group.ts';
import { type Attack, attacks } from './attacks.ts';
import { send, serveOthers } from './send.ts';
import { type Started, startTarget, type Target, targets } from './targets.ts';

export const pushes: Group = {
  id: 'hostile-pushes',
  what: "hostile pushes to `sitepub receiver`, the suite's receiver and the mock's inboxes, alone and side by side",
  promise:
    'each is refused or taken, with no 5xx, and its connection ended within 45 s; others are answered within 5 s; 400 MB; prints no orders; ends by SIGTERM within 10 s',
  isTimed: true,
  trials: (seeds) =>
    targets.flatMap((target) =>
      attacks.map((attack) => ({
        id: `${target.id} × ${attack.id}`,
        count: attack.pushes(seeds).length,
        run: () => tryAttack(target, attack, seeds),
      })),
    ),
};

async function tryAttack(target: Target, attack: Attack, seeds: readonly number[]): Promise<Tried> {
  const started = await startTarget(target);
  const startedAt = performance.now();
  const broken = await pushAll(started, attack, seeds);
  const after = await serveOthers(started);
  const seconds = (performance.now() - startedAt) / 1_000;
  const stopped = await started.stop();
  return {
    id: `${target.id} × ${attack.id}`,
    broken: [...new Set([...broken, ...after, ...stopped.broken])].slice(0, 10),
    ...{ seconds, megabytes: stopped.megabytes },
  };
}

async function pushAll(started: Started, attack: Attack, seeds: readonly number[]): Promise<string[]> {
  const all = attack.pushes(seeds);
  const one = async ({ name, pieces, answers }: (typeof all)[number]) => {
    const answer = await send(started, pieces);
    if (answer === undefined) return [`${name}: was left open`];
    return answers.includes(answer) ? [] : [`${name}: ${answer}`];
  };
  if (attack.sideBySide) {
    const others = sleep(1_000).then(() => serveOthers(started));
    return (await Promise.all([...all.map(one), others])).flat();
  }
  const broken: string[] = [];
  for (const push of all) broken.push(...(await one(push)));
  return broken;
}
