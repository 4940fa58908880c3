import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './api.ts';

const pauseMs = 1000;

interface Read<Answer> {
  path: string;
  answer?: Answer;
  error?: string;
}

/** What a call answers; it is asked again when the stamp changes, once a second at most. */
export function useAnswer<Answer>(path: string | undefined, stamp: unknown): Omit<Read<Answer>, 'path'> {
  const [read, setRead] = useState<Read<Answer>>();
  const asked = useRef({ path: '', at: Number.NEGATIVE_INFINITY });
  const wanted = useRef(path);
  wanted.current = path;
  useEffect(() => {
    if (path === undefined) return;
    const ask = async () => {
      asked.current = { path, at: performance.now() };
      const found = await answerOf<Answer>(path);
      if (wanted.current === path) setRead(found);
    };
    const isSame = asked.current.path === path;
    const timer = setTimeout(
      () => void ask(),
      isSame ? Math.max(0, asked.current.at + pauseMs - performance.now()) : 0,
    );
    return () => clearTimeout(timer);
  }, [path, stamp]);
  return read?.path === path && read ? read : {};
}

async function answerOf<Answer>(path: string): Promise<Read<Answer>> {
  try {
    return { path, answer: await call<Answer>('GET', path) };
  } catch (error) {
    return { path, error: error instanceof Error ? error.message : String(error) };
  }
}
