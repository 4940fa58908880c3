// What is legal and yet nowhere promised not to happen: variations find clients and checks that lean on habits of this mock.
import type { Json } from '../../openapi/json.ts';
import type { World } from '../world/world.ts';

/** Where random numbers are drawn from (see random.ts). */
export type Source = Pick<World, 'random'>;

/** What a variation knows of the message that it changes. */
export interface VariationContext {
  /** What tells the message from all others. */
  name: string;
  /** A source of this variation's own; the same for the same text, so that nothing has to be remembered. */
  draw(text: string): Source;
  /** The names that the interface document or the profile gives a meaning. */
  reserved: ReadonlySet<string>;
}

/** One row of the table: what it does to the messages that it concerns. Nothing that it is given is changed. */
export interface Variation {
  id: string;
  title: string;
  envelope?: (envelope: Json, given: VariationContext) => Json;
  /** Of the custom channel. */
  customBody?: (body: Json, given: VariationContext) => Json;
  /** Of the chat channels, whose robots judge what they are sent. */
  robotBody?: (body: Json, given: VariationContext) => Json;
  /** How long an answer is held back, in milliseconds. */
  answerDelay?: (given: VariationContext) => number;
  /** How long an attempt to push is held back, in milliseconds. */
  pushDelay?: (given: VariationContext) => number;
  /** Whether what an attempt sends is sent twice. */
  isSentTwice?: (given: VariationContext) => boolean;
}
