import type { Agent } from 'node:http';
import type { RecordedExchange } from '../recording/recorded-exchange.ts';
import type { CaptureBudget } from './capture-body.ts';

/** What the requests of one proxy share. */
export interface Passage {
  target: URL;
  agent: Agent;
  headers: Readonly<Record<string, string>>;
  budget: CaptureBudget;
  /** The number of the next exchange. */
  number(): number;
  onExchange: (exchange: RecordedExchange) => void;
  /** Called with what is no call of an API, such as a login that redirects. */
  onOther: (exchange: RecordedExchange) => void;
  onProblem: (problem: string) => void;
}

/** How long the target may take until its answer begins, in milliseconds. */
export const answerMs = 120_000;
