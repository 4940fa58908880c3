// A child of the benchmark: says where it is reached, and answers what it is asked, over the channel to its parent.

/** What a child answers beside its usage, by the name of the question. */
export type Answers = Readonly<Record<string, (value: unknown) => unknown>>;

/** What a process has used up to now. */
export interface Usage {
  cpuMs: number;
  rssBytes: number;
}

export interface Question {
  id: number;
  ask: string;
  value?: unknown;
}

/** What a child sends: first `about`, then one answer or error for each question. */
export interface ChildMessage {
  about?: object;
  id?: number;
  answer?: unknown;
  error?: string;
}

/** What this child was told when it was started. */
export function readArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** `about` tells the parent what it has to know, and that all is ready. */
export function serve(about: object, answers: Answers = {}): void {
  const known: Answers = { usage, ...answers };
  process.on('message', (question: Question) => void answer(known, question));
  process.on('disconnect', () => process.exit());
  send({ about });
}

async function answer(answers: Answers, { id, ask, value }: Question): Promise<void> {
  try {
    send({ id, answer: await answers[ask]?.(value) });
  } catch (error) {
    send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function send(word: ChildMessage): void {
  process.send?.(word);
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() };
}
