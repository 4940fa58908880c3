// The control of a mock whose world a store keeps.
import { changeKept } from './change-kept.ts';
import type { ControlContext } from './control-context.ts';
import type { Control } from './create-control.ts';

type Asked<Member> = Member extends (...given: infer Given) => infer Result
  ? (...given: Given) => Promise<Awaited<Result>>
  : Member;

type AskedAll<Members> = { [Name in keyof Members]: Asked<Members[Name]> };

type KeptInbox = AskedAll<ReturnType<Control['inbox']>>;

/**
 * Each method as in `Control`, but it gives a promise: it sees what other mocks have done to the world, and its result is
 * kept. Rejects with a ControlError, with status 503 where the store keeps nothing now. `watch` is the same.
 */
export type KeptControl = AskedAll<Omit<Control, 'watch' | 'inbox'>> &
  Pick<Control, 'watch'> & { inbox(...given: Parameters<Control['inbox']>): KeptInbox };

/** Also while a store fails. */
const alwaysAnswered: ReadonlySet<string> = new Set(['health', 'live', 'ready', 'metrics', 'stop']);
/** Those that show requests: others may have got some. */
const needsJournal: ReadonlySet<string> = new Set(['requests', 'request', 'clearRequests', 'overview']);

export function createKeptControl(control: Control, service: ControlContext['service']): KeptControl {
  const asked = (name: string, method: (...given: never[]) => unknown) => {
    if (alwaysAnswered.has(name)) return async (...given: never[]) => method(...given);
    const needs = { journal: service.store?.shared !== undefined && needsJournal.has(name) };
    return (...given: never[]) => changeKept(service, () => method(...given), needs);
  };
  const askedAll = (members: object) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        typeof member === 'function' ? asked(name, member) : member,
      ]),
    );
  const { watch, inbox, ...methods } = control;
  return { ...askedAll(methods), watch, inbox: (name: string) => askedAll(inbox(name)) } as KeptControl;
}
