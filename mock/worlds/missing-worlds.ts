// Why there is no world of a name, and why there can be no new one.
import { ControlError } from '../control/control-error.ts';
import { quote } from './choose-world.ts';

export const nameRule =
  'a name has 1 to 63 letters of ASCII, digits, hyphens, dots and underscores, of which the first is a letter or a digit';

export function explainMissing(name: string, reason: string | undefined): string {
  const why = reason === undefined ? '' : `: it has ${reason}`;
  return `there is no world ${quote(name)}${why}; POST /_mock/worlds makes one, GET /_mock/worlds lists them`;
}

export function refuseTaken(name: string): ControlError {
  return new ControlError(
    409,
    `there is a world ${quote(name)} already; choose another name, or end it with DELETE /_mock/worlds/${name}`,
  );
}

/** `full` says what is full. */
export function refuseFull(full: string): ControlError {
  return new ControlError(
    409,
    `${full} worlds already; end one with DELETE /_mock/worlds/NAME, and let others expire ("expires_in")`,
  );
}

const mostRemembered = 100;

/** Of what became of the latest worlds that are no more, so that late calls learn it. */
export function createGone() {
  const reasons = new Map<string, string>();
  return {
    add(name: string, change: 'ended' | 'expired') {
      reasons.delete(name);
      reasons.set(name, `${change} at ${new Date().toISOString()}`);
      const [oldest] = reasons.keys();
      if (reasons.size > mostRemembered && oldest !== undefined) reasons.delete(oldest);
    },
    reasonOf: (name: string) => reasons.get(name),
  };
}
