// Variations are legal behaviour that differs from the mock's usual one: they find clients and checks that rely on its habits.
import type { Json } from '../../openapi/json.ts';
import type { Source } from '../world/random.ts';
import type { Habits } from './habits.ts';

/** What a variation knows about the message that it changes. */
export interface VariationContext {
  /** Unique name of the message. */
  name: string;
  /** A source for this variation; always the same for the same text, so no state has to be kept. */
  draw(text: string): Source;
  /** Names with a meaning in the interface document or the profile. */
  reserved: ReadonlySet<string>;
}

/** One row of the table: how it changes messages. It returns copies and never changes its input. */
export interface Variation {
  id: string;
  title: string;
  /** Not one of "all". */
  onlyByName?: true;
  habits?: Habits;
  envelope?: (envelope: Json, context: VariationContext) => Json;
  /** For the custom channel. */
  customBody?: (body: Json, context: VariationContext) => Json;
  /** For the chat channels, whose robots validate what they receive. */
  robotBody?: (body: Json, context: VariationContext) => Json;
  /** Changes the body of a creation of a subscription before it is judged, but for its field `secret`. */
  subscriptionBody?: (body: unknown, secret: string) => unknown;
  pushHeaders?: (headers: Record<string, string>, context: VariationContext) => Record<string, string>;
  /** Delay of an answer, in milliseconds. */
  answerDelay?: (context: VariationContext) => number;
  /** Delay of a push attempt, in milliseconds. */
  pushDelay?: (context: VariationContext) => number;
  /** Whether the push of an attempt is sent twice. */
  isSentTwice?: (context: VariationContext) => boolean;
}
