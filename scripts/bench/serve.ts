// A child process of the benchmark: reports its address, and answers questions, over the channel to its parent.

/** The answers of a child beside `usage`, by the name of the question. */
type Answers = Readonly<Record<string, (value: unknown) => unknown>>;

/** What a process has used since its start. */
export interface Usage {
  cpuMs: number;
  rssBytes: number;
}

export interface Question {
  id: number;
  ask: string;
  value?: unknown;
}

/** A message of a child: first `about`, then one answer or error for each question. */
export interface ChildMessage {
  about?: object;
  id?: number;
  answer?: unknown;
  error?: string;
}

/** The argument that this child was started with. */
export function readArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** Reports `about` to the parent, which says that the child is ready, and answers its questions. */
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

function send(message: ChildMessage): void {
  process.send?.(message);
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() };
}
