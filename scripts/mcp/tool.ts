// What a tool is: what it takes, what it does, and what a client is told of it.
import type { Json } from '../../openapi/json.ts';
import type { Session } from './session.ts';

/** One call of a tool. */
export interface Call {
  session: Session;
  /** Aborted when the client cancels the call, and when it goes away. */
  signal: AbortSignal;
  /** Tells the client how far the work is; nothing where it did not ask. */
  report(progress: Progress): void;
}

interface Progress {
  /** Only grows. */
  done: number;
  total?: number;
  message?: string;
}

/** A tool changes something unless `isReadOnly` is true; such tools are offered with --allow-changes alone. */
export interface Tool {
  /** A verb and a noun. */
  name: string;
  title: string;
  description: string;
  isReadOnly: boolean;
  /** Whether what it changes can't be taken back. */
  isDestructive?: boolean;
  /** Whether a second call with the same input changes nothing more. */
  isIdempotent?: boolean;
  /** Whether it reaches something else than this machine's files and the mock. */
  isOpenWorld?: boolean;
  /** Whether its answers hold texts of others. */
  hasTextsOfOthers?: boolean;
  /** JSON Schemas of the members of the input. */
  input: Readonly<Record<string, Json>>;
  required?: readonly string[];
  /** Gets an input that fits the schemas. What it throws is told to the client as a sentence. */
  call(input: unknown, call: Call): Promise<object>;
}

type Definition<Input> = Omit<Tool, 'call'> & { call(input: Input, call: Call): Promise<object> | object };

/** A tool whose input has been validated by its schemas. */
export function defineTool<Input>(definition: Definition<Input>): Tool {
  return { ...definition, call: async (input, call) => definition.call(input as Input, call) };
}
