import type { Schemas } from '../../../openapi/generated/control-types.ts';
import type { ServiceEvents } from '../../service.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { notePush, noteRequest, type PushNote, showClock } from '../show.ts';

/** A request of the service, without headers and bodies. */
export type RequestNote = ReturnType<typeof noteRequest> & { type: 'request' };

export type ClockNote = Schemas['Clock'] & { type: 'clock' };

export type { PushNote };

export type Note = RequestNote | PushNote | ClockNote;

type Heard = ServiceEvents extends NodeJS.EventEmitter<infer Events> ? Events : never;

type Listeners = { [Name in keyof Heard]?: (...heard: Heard[Name]) => void };

export function follow(events: ServiceEvents, listeners: Listeners): () => void {
  const pairs = Object.entries(listeners) as [keyof Heard, (...heard: unknown[]) => void][];
  for (const [name, listener] of pairs) events.on(name, listener);
  return () => {
    for (const [name, listener] of pairs) events.off(name, listener);
  };
}

export function watch(mock: ControlledMock, listener: (notes: readonly Note[]) => void): () => void {
  let waiting: (() => Note)[] = [];
  const flush = () => {
    const notes = waiting.map((note) => note());
    waiting = [];
    if (notes.length > 0) listener(notes);
  };
  const add = (note: () => Note) => {
    if (waiting.push(note) === 1) setImmediate(flush);
  };
  const end = follow(mock.events, {
    request(exchange, _entry, isElsewhere) {
      if (!isElsewhere) add(() => ({ type: 'request', ...noteRequest(mock.world, exchange) }));
    },
    attempt(delivery, attempt, isElsewhere) {
      if (isElsewhere) return;
      // Read now, because another attempt may change the delivery before the notes are sent.
      const note = notePush(delivery, attempt);
      add(() => note);
    },
    clock() {
      const clock = showClock(mock.world);
      add(() => ({ type: 'clock', ...clock }));
    },
  });
  return () => {
    end();
    flush();
  };
}
