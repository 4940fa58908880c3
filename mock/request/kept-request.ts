// A request where a store keeps the world: all that it does is one turn, and it is answered when that is kept.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { inEndedWorld, notKept } from '../http/not-kept.ts';
import { type Body, readBody } from '../http/read-body.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { Service } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import { type ActiveRequest, complete, forcedWhole, identify, open, type Route } from './course.ts';
import { delayOf, finish, refuseActive, refuseOutside } from './finish-request.ts';

interface KeptRequest {
  route: Route;
  request: FastifyRequest;
  /** Its body, if that was read already. */
  received: Body | undefined;
}

/** A turn waits for nothing, so that the body is read before, also that of a caller who is refused then. */
export async function handleKept(
  service: Service,
  store: Store,
  { route, request, received }: KeptRequest,
): Promise<Answer> {
  const read = received ?? (await readOrFail(route, request));
  const course = await store
    .run(() => {
      const begun = runCourse(service, route, request, read);
      return store.shared ? finishAtOnce(service, begun) : begun;
    })
    .catch((error: unknown) => ({ error }));
  if ('error' in course) {
    const { method = '', url = '', headers } = request.raw;
    const isGone = course.error instanceof StoreError && course.error.reason === 'gone';
    // Else the store has told why in the log.
    const problem = isGone ? inEndedWorld(method, url) : notKept();
    return refuseOutside(service, problem, { method, url, headers, operation: route.operation.id });
  }
  const { active, sent } = course;
  if (sent) return sent;
  if (course.answer instanceof Promise) await settle(service, store, course);
  if (course.delay > 0) await sleep(course.delay, undefined, { ref: false });
  const answer = await course.answer;
  const end = () => finish(service, active, answer);
  // What the call did is kept, whatever becomes of its entry in the journal.
  return store.shared ? store.run(end).catch(end) : end();
}

interface Course {
  active: ActiveRequest;
  answer: Answer | Promise<Answer>;
  /** In milliseconds. */
  delay: number;
  /** What is answered at once, where its entry in the journal is kept with what the call did. */
  sent?: Answer;
}

/** Unless its answer has to wait. */
function finishAtOnce(service: Service, course: Course): Course {
  const { active, answer, delay } = course;
  return answer instanceof Promise || delay > 0
    ? course
    : { ...course, sent: finish(service, active, answer) };
}

async function readOrFail(route: Route, { raw }: FastifyRequest): Promise<Body | { error: unknown }> {
  try {
    return await readBody(route.operation, raw);
  } catch (error) {
    return { error };
  }
}

function runCourse(
  service: Service,
  route: Route,
  request: FastifyRequest,
  read: Body | { error: unknown },
): Course {
  const active = open(service, route, request);
  let answer: Course['answer'] | undefined = forcedWhole(active);
  try {
    if (!answer) {
      identify(service, active);
      if ('error' in read) throw read.error;
      answer = complete(service, active, read);
      // It is waited for when the turn is kept, and may fail before.
      if (answer instanceof Promise) answer.catch(() => {});
    }
  } catch (error) {
    answer = refuseActive(service, active, error);
  }
  return { active, answer, delay: answer instanceof Promise ? 0 : delayOf(service, active) };
}

/** Waits for a handler that waits for something, and until what it did then is kept. */
async function settle(service: Service, store: Store, course: Course): Promise<void> {
  const { active } = course;
  try {
    course.answer = await course.answer;
  } catch (error) {
    course.answer = refuseActive(service, active, error);
  }
  try {
    course.delay = await store.run(() => delayOf(service, active));
  } catch {
    course.answer = refuseActive(service, active, notKept());
  }
}
