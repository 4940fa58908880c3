/** Lets only so many things at a time happen for each target; the others wait for their turn, in order. */
export interface TargetQueue {
  take(target: string): Promise<void>;
  giveBack(target: string): void;
}

interface Line {
  taken: number;
  waiting: (() => void)[];
}

export function createTargetQueue(most: number): TargetQueue {
  const lines = new Map<string, Line>();
  return {
    async take(target) {
      const line = lines.get(target) ?? { taken: 0, waiting: [] };
      lines.set(target, line);
      // A turn that is given back goes to the next in line, so that the number taken stays.
      if (line.taken >= most) await new Promise<void>((resolve) => line.waiting.push(resolve));
      else line.taken++;
    },
    giveBack(target) {
      const line = lines.get(target);
      const next = line?.waiting.shift();
      if (next) next();
      else if (line && --line.taken === 0) lines.delete(target);
    },
  };
}
