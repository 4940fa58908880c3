import { useEffect, useRef, useState } from 'preact/hooks';

const pauseMs = 1000;

interface Read<Answer> {
  answer?: Answer;
  error?: string;
}

/** Repeats the call when `stamp` changes, at most once a second; a component needs another key for another call. */
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
