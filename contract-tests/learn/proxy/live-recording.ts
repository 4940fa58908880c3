// What has been learnt so far, while somebody is using the console.
import { type LearntRecording, learnRecording } from '../recording/learn-recording.ts';
import { type RecordedExchange, RecordingError } from '../recording/recorded-exchange.ts';
import { createSecretTexts } from '../recording/secret-texts.ts';

export interface LiveRecording {
  add(exchange: RecordedExchange): void;
  /** The same of what is no call of the API: what was typed there may stand in calls. */
  hear(exchange: RecordedExchange): void;
  /** All that was learnt so far; undefined while no call of the API has passed. */
  learnt(): LearntRecording | undefined;
  /** Why nothing was learnt; undefined while something was, or nothing has passed. */
  problem(): string | undefined;
  /** Whether exchanges were given up, since there were too many. */
  isFull(): boolean;
  stop(): void;
}

interface Live {
  /** Of the API; guessed where it is not given. */
  baseUrl?: string | undefined;
  /** What was recorded before, and is learnt from as well. */
  earlier?: readonly RecordedExchange[];
  /** What was no call in that. */
  others?: readonly RecordedExchange[];
  /** Called when something was learnt, some time after the calls. */
  onLearnt: (learnt: LearntRecording) => void;
  /** How long calls are gathered before they are looked at, in milliseconds. */
  waitMs?: number;
}

/** So many exchanges are kept, and so many characters of their bodies. */
const most = { exchanges: 1_000, characters: 67_108_864, others: 1_000, othersCharacters: 8_388_608 };

/** So many times as long as it took to learn, nothing is learnt. */
const idleShare = 4;

export function createLiveRecording({
  baseUrl,
  earlier = [],
  others = [],
  onLearnt,
  waitMs = 300,
}: Live): LiveRecording {
  const secrets = createSecretTexts();
  for (const exchange of [...earlier, ...others]) secrets.learn(exchange);
  const heard = [...others];
  let heardCharacters = 0;
  const hear = (exchange: RecordedExchange) => {
    if (heard.length >= most.others || heardCharacters + exchange.size > most.othersCharacters) return;
    heardCharacters += exchange.size;
    heard.push(exchange);
  };
  const kept = createKept();
  let timer: NodeJS.Timeout | undefined;
  let problem: string | undefined;
  let pauseMs = waitMs;
  const learnt = () => {
    problem = undefined;
    try {
      return learnRecording([...earlier, ...kept.inOrder()], { baseUrl, secrets, others: heard });
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      problem = error.message;
      return undefined;
    }
  };
  const tell = () => {
    timer = undefined;
    const began = performance.now();
    const now = learnt();
    if (now) onLearnt(now);
    // Whoever clicks waits meanwhile.
    pauseMs = Math.max(waitMs, (performance.now() - began) * idleShare);
  };
  return {
    add: (exchange) => {
      // What is answered may hold a secret of earlier, also where the exchange itself is not kept.
      secrets.learn(exchange);
      if (kept.add(exchange)) timer ??= setTimeout(tell, pauseMs);
      else hear(exchange);
    },
    hear: (exchange) => {
      secrets.learn(exchange);
      hear(exchange);
    },
    learnt,
    problem: () => (learnt() ? undefined : problem),
    isFull: kept.isFull,
    stop: () => clearTimeout(timer),
  };
}

/** Of calls that are repeated to the letter, as by polling, the first and the last are kept. */
function createKept() {
  const exchanges = new Set<RecordedExchange>();
  const latest = new Map<string, RecordedExchange[]>();
  let [characters, isFull] = [0, false];
  const remove = (exchange: RecordedExchange) => {
    if (exchanges.delete(exchange)) characters -= exchange.size;
  };
  return {
    inOrder: () => [...exchanges].sort((one, other) => one.startedAt - other.startedAt),
    isFull: () => isFull,
    add: (exchange: RecordedExchange): boolean => {
      if (exchange.answer === undefined && exchange.status !== 204) return false;
      const key = keyOf(exchange);
      const [first, last] = latest.get(key) ?? [];
      if (last) remove(last);
      if (exchanges.size >= most.exchanges || characters + exchange.size > most.characters) isFull = true;
      else {
        latest.set(key, first ? [first, exchange] : [exchange]);
        exchanges.add(exchange);
        characters += exchange.size;
      }
      return true;
    },
  };
}

function keyOf({ method, url, requestBody, status }: RecordedExchange): string {
  const body = JSON.stringify(requestBody, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return `${method} ${url.replace(/([?&])_=\d+/, '$1')} ${status} ${body}`;
}
