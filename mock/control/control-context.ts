import type { Service } from '../service.ts';
import { lazyContract, nameOf } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { explain } from './explain-input.ts';

/** Where the mock is reached. */
export interface Addresses {
  baseUrl: string;
  controlUrl: string;
}

/** What the parts of the control share. */
export interface ControlContext {
  service: Service;
  about(): Addresses;
  /** Refuses what is sent with a call if it does not fit the description. */
  check(callId: string, body: unknown): void;
  /** Does one thing after the other of those that move the clock or replace the world. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createControlContext(service: Service, about: () => Addresses): ControlContext {
  const contract = lazyContract();
  let last: Promise<void> = Promise.resolve();
  return {
    service,
    about,
    async inTurn(work) {
      const earlier = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await earlier;
        return await work();
      } finally {
        resolve();
      }
    },
    check(callId, body) {
      const call = contract().calls.find(({ id }) => id === callId);
      if (!call?.body) throw new Error(`the call ${callId} takes no body`);
      const reason = explain(contract(), call.body.schema, body);
      if (reason !== undefined) throw new ControlError(400, `${nameOf(call)}: ${reason}`);
    },
  };
}
