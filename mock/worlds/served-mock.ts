import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Control } from '../control/control.ts';
import type { ControlledMock } from '../control/controlled-mock.ts';

/** A mock with what answers for it. */
export interface ServedMock extends ControlledMock {
  app: FastifyInstance;
  /** Answers calls of the service that need no Fastify; false for the others. */
  direct: ((message: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The same app, unless the control API is apart. */
  controlApp: FastifyInstance;
  control: Control;
  seed: number;
}
