import { useEffect, useRef, useState } from 'preact/hooks';

const pauseMs = 1000;

interface Read<Answer> {
  answer?: Answer;
  error?: string;
}

/**
 * The answer to a call; it is made again when the stamp changes, once a second at most.
 * A component makes the same call for as long as it is there: one for something else has another key.
 */
export function useAnswer<Answer>(call: () => Promise<Answer>, stamp: unknown): Read<Answer> {
  const [read, setRead] = useState<Read<Answer>>({});
  const calledAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const ask = async () => {
      calledAt.current = performance.now();
      try {
        setRead({ answer: await call() });
      } catch (error) {
        setRead({ error: error instanceof Error ? error.message : String(error) });
      }
    };
    const waitMs = Math.max(0, calledAt.current + pauseMs - performance.now());
    const timer = setTimeout(() => void ask(), waitMs);
    return () => clearTimeout(timer);
  }, [stamp]);
  return read;
}
