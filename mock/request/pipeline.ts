import type { IncomingMessage } from 'node:http';
import { readRequest } from '../../openapi/operations.ts';
import { notPersisted } from '../http/api-errors.ts';
import type { JournalExchange } from '../http/journal.ts';
import { type Body, type Read, receiveBody } from '../http/read-body.ts';
import { type Answer, jsonHeaders } from '../http/render-envelope.ts';
import type { AnyCall, Caller, Mock, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import { nameOfCaller, tenantOfCall, userOfCall } from './authenticate.ts';
import {
  answerInTurn,
  closeExchange,
  openExchange,
  refuse,
  refuseInTurn,
  refuseOutside,
  unpersisted,
} from './exchange.ts';
import { type ForcedAnswer, forcedAnswer, forcedAnswerFor, reasonForDelay } from './forced-answers.ts';
import { meantBy, type Plan, type Route, type SharedRoutes } from './route.ts';

export interface Incoming {
  routes: SharedRoutes;
  message: IncomingMessage;
  params: Readonly<Record<string, string>>;
  respond(answer: Answer): void;
}

export function serveRequest(mock: Mock, incoming: Incoming): void {
  if (incoming.routes.length > 1) serveShared(mock, incoming);
  else serveRoute(mock, incoming.routes[0], incoming);
}

/** Reads the body first, because only the body or the query identifies the operation. */
function serveShared(mock: Mock, incoming: Incoming): void {
  const { routes, message, respond } = incoming;
  const requests = routes.map(({ operation }) => operation.request);
  // The body may be empty if one of the operations takes none.
  const request = requests.some(Boolean) ? { required: !requests.includes(undefined) } : undefined;
  receiveBody(request, message, ({ failure, ...body }) => {
    if (failure) {
      void Promise.resolve(refuseInTurn(mock, failure, message)).then(respond);
      return;
    }
    const route = meantBy(routes, message.url ?? '', body);
    serveRoute(mock, route, incoming, route.operation.request ? body : {});
  });
}

/** In memory, authenticates before the body arrives, so that a rejected caller need not send it. */
function serveRoute(mock: Mock, route: Route, incoming: Incoming, received?: Body): void {
  const { message, respond } = incoming;
  // A turn of a store can't wait for a body, so there the body comes first.
  const arrived = mock.store ? undefined : new ActiveRequest(mock, route, incoming);
  if (arrived?.answer) {
    arrived.end();
    return;
  }
  const goOn = (read: Read) => {
    let active = arrived;
    const begun = mock.turn(() => {
      // A turn that was undone runs again.
      active?.endWork();
      active = arrived ?? new ActiveRequest(mock, route, incoming);
      return active.proceed(read);
    });
    if (!(begun instanceof Promise)) {
      begun.end();
      return;
    }
    begun.then(
      (persisted) => persisted.end(),
      (error) => {
        active?.endWork();
        respond(refuseOutside(mock, unpersisted(error), message, route.operation.id));
      },
    );
  };
  if (received) goOn(received);
  else receiveBody(route.operation.request, message, goOn);
}

/** Fulfilled with what makes the answer in a later turn; never rejected. */
type Waiting = Promise<() => Handled>;
type Handled = Answer | Waiting;

class ActiveRequest {
  readonly mock: Mock;
  readonly route: Route;
  readonly plan: Plan;
  readonly incoming: Incoming;
  readonly exchange: JournalExchange;
  readonly forced: ForcedAnswer | undefined;
  caller: Caller | undefined;
  /** Undoes the count against the limit if the call fails, unless failures count. */
  uncount: (() => void) | undefined;
  /** How many milliseconds the work of the call delays the answer. */
  heldMs = 0;
  /** The key of the call in `callsInProgress`. */
  workKey: string | undefined;
  /** Ends the wait of repetitions for the handler. */
  goOn: (() => void) | undefined;
  waiting: Waiting | undefined;
  answer: Answer | undefined;
  delayMs = 0;
  sent: Answer | undefined;

  /** Does what needs no body; sets `answer` if the call ends there. */
  constructor(mock: Mock, route: Route, incoming: Incoming) {
    const { operation } = route;
    const { headers, socket: connection } = incoming.message;
    this.mock = mock;
    this.route = route;
    this.plan = route.plan();
    this.incoming = incoming;
    this.exchange = openExchange(mock, incoming.message, operation.id);
    this.forced = forcedAnswerFor(mock, operation.id, headers.prefer);
    this.exchange.forcedBy = this.forced?.by;
    try {
      if (this.forced) this.answer = forcedAnswer(this.forced, operation, mock.profile);
      if (!this.answer && this.plan.authenticate) {
        const request = { header: headers.authorization, now: this.exchange.at, connection };
        this.caller = this.plan.authenticate(mock, operation, request);
        this.exchange.tenantId = this.caller?.tenantId;
        this.exchange.who = nameOfCaller(this.caller);
      }
    } catch (error) {
      this.refuse(error);
    }
    if (this.answer) this.hold();
  }

  proceed(read: Read): this {
    if (!this.answer) this.take(() => this.handle(read));
    // The entry of a shared journal is persisted together with what the call did.
    if (this.mock.store?.shared && this.answer && this.delayMs <= 0) this.sent = this.finish();
    return this;
  }

  take(make: () => Handled): void {
    try {
      const handled = make();
      if (handled instanceof Promise) this.waiting = handled;
      else this.answer = handled;
    } catch (error) {
      this.refuse(error);
    }
    if (this.answer) this.hold();
  }

  end(): void {
    if (this.waiting !== undefined) void this.conclude(this.waiting).then(() => this.end());
    else if (this.sent) this.incoming.respond(this.sent);
    else if (this.delayMs > 0) setTimeout(() => this.close(), this.delayMs).unref();
    else this.close();
  }

  close(): void {
    const { respond } = this.incoming;
    if (this.mock.store?.shared) void answerInTurn(this.mock, () => this.finish()).then(respond);
    else respond(this.finish());
  }

  /** The rest of a call that waited runs in another turn. */
  async conclude(waiting: Waiting): Promise<void> {
    const make = await waiting;
    try {
      await this.mock.turn(() => {
        this.waiting = undefined;
        this.endWork();
        this.take(make);
      });
    } catch {
      this.waiting = undefined;
      this.refuse(notPersisted());
    }
  }

  handle(read: Read): Handled {
    if (read.failure) throw read.failure;
    const { mock, route, plan, exchange } = this;
    const { steps } = plan;
    const body = plan.tidy && read.value !== undefined ? { ...read, value: plan.tidy(read.value) } : read;
    exchange.requestBody = body.text;
    const call = this.createCall(body);
    exchange.tenantId = tenantOfCall(call);
    exchange.who ??= userOfCall(call);
    const { url, headers } = exchange;
    const key = plan.repetitionKeyOf?.(call, { url, headers, body: body.text });
    if (key !== undefined) {
      const wait = steps.joinWork(mock, call, key);
      if (wait instanceof Promise) return wait.then(() => () => this.handle(read));
      this.heldMs = wait;
    }
    const first = key === undefined ? undefined : steps.findFirstAnswer(call, key);
    if (!first || mock.profile.values['limits.repeats'] !== 'not-counted')
      this.uncount = plan.countAgainstLimit?.(call);
    steps.validate(call, body);
    if (first) {
      if (mock.profile.values['idempotency.trace'] === 'same') exchange.traceId = first.traceId;
      return this.succeedWith(first.values);
    }
    if (plan.startWork) this.heldMs = plan.startWork(mock.world, key);
    this.workKey = key;
    const answerWith = (values: Values, at = call.now): Answer => {
      if (key !== undefined) {
        // The window of a repetition begins when the call ends.
        const endedAt = at + this.heldMs;
        const ended = endedAt === call.now ? call : { ...call, now: endedAt };
        steps.storeFirstAnswer(ended, key, { values, traceId: exchange.traceId });
      }
      return this.succeedWith(values);
    };
    const values = steps.handle(route.handler, call);
    if (!(values instanceof Promise)) return answerWith(values);
    if (key !== undefined)
      mock.callsInProgress.set(
        key,
        new Promise((resolve) => {
          this.goOn = resolve;
        }),
      );
    return values.then(
      (known) => () => answerWith(known, mock.clock.now()),
      (error: unknown) => () => {
        throw error;
      },
    );
  }

  createCall(body: Body): AnyCall {
    const { mock, plan, exchange, caller } = this;
    const { operation } = this.route;
    const { params } = this.incoming;
    const input = readRequest(operation, body.value);
    for (const name in params) input[name] = params[name];
    if (plan.readQuery) Object.assign(input, plan.readQuery(exchange.url));
    return {
      operation,
      caller,
      input,
      now: exchange.at,
      profile: mock.profile,
      world: mock.world,
      clock: mock.clock,
      validate: mock.validate,
      scheduler: mock.scheduler,
      dispatcher: mock.dispatcher,
      settings: mock.settings,
    };
  }

  succeedWith(values: Values): Answer {
    return {
      status: this.forced?.status ?? this.route.operation.success.status,
      headers: jsonHeaders,
      body: this.plan.write(values, this.exchange.traceId),
    };
  }

  refuse(error: unknown): void {
    this.uncount?.();
    this.heldMs = 0;
    this.answer = refuse(this.mock, this.exchange, error);
  }

  hold(): void {
    const { forced, exchange, heldMs } = this;
    const { settings, world, variations } = this.mock;
    const { latency } = settings;
    let delay = (forced?.delayMs ?? 0) + heldMs;
    if (latency) delay += drawBetween(world, latency.least, latency.most);
    if (variations) delay += variations.answerDelay(exchange.traceId);
    if (delay > 0) exchange.delayReason = reasonForDelay(forced, heldMs);
    this.delayMs = delay;
  }

  /** From now on, repetitions find the first answer, if there is one. */
  endWork(): void {
    if (this.workKey !== undefined) this.mock.callsInProgress.delete(this.workKey);
    this.workKey = undefined;
    this.goOn?.();
  }

  finish(): Answer {
    const { mock, exchange, answer } = this;
    if (!answer) throw new Error(`the request ${exchange.traceId} has no answer yet`);
    this.endWork();
    return closeExchange(mock, exchange, answer);
  }
}
