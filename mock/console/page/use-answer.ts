import { useEffect, useRef, useState } from 'preact/hooks';
import { mock } from './api.ts';
import type { AnswerAt, GivenAt, PathWith } from './control-client.ts';

const pauseMs = 1000;

interface Read<Answer> {
  answer?: Answer;
  error?: string;
}

/** What a GET of a path answers; it is asked again when the stamp changes, once a second at most. */
export function useAnswer<Path extends PathWith<'get'>>(
  path: Path,
  stamp: unknown,
  ...given: GivenAt<Path>
): Read<AnswerAt<Path>> {
  const key = JSON.stringify([path, given]);
  const [read, setRead] = useState<Read<AnswerAt<Path>> & { key: string }>();
  const asked = useRef({ key: '', at: Number.NEGATIVE_INFINITY });
  const wanted = useRef(key);
  wanted.current = key;
  useEffect(() => {
    const ask = async () => {
      asked.current = { key, at: performance.now() };
      const found = await settle(mock.GET(path, ...given));
      if (wanted.current === key) setRead({ key, ...found });
    };
    const isSame = asked.current.key === key;
    const timer = setTimeout(
      () => void ask(),
      isSame ? Math.max(0, asked.current.at + pauseMs - performance.now()) : 0,
    );
    return () => clearTimeout(timer);
  }, [key, stamp]);
  return read?.key === key ? read : {};
}

async function settle<Answer>(answer: Promise<Answer>): Promise<Read<Answer>> {
  try {
    return { answer: await answer };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
