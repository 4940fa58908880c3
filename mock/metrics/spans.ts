// Spans for OpenTelemetry, where its API is installed: https://opentelemetry.io/docs/specs/otel/trace/api/
import type { Tracer } from '@opentelemetry/api';
import { version } from '../../openapi/version.ts';

/** What has just ended. */
export interface Span {
  name: 'turn' | 'attempt';
  durationMs: number;
  attributes: Readonly<Record<string, string | number>>;
  /** Why it failed. */
  problem?: string | undefined;
}

/** Tells of what has ended; where the package is missing, nobody, and nothing is described. It is loaded with the first. */
export function createSpans(): (describe: () => Span) => void {
  let loading: Promise<Tracer | undefined> | undefined;
  let isMissing = false;

  async function load(): Promise<Tracer | undefined> {
    try {
      const { trace } = await import('@opentelemetry/api');
      return trace.getTracer('sitepub', version);
    } catch {
      isMissing = true;
      return undefined;
    }
  }

  async function record(endTime: number, { name, durationMs, attributes, problem }: Span): Promise<void> {
    loading ??= load();
    const tracer = await loading;
    const span = tracer?.startSpan(name, { startTime: endTime - durationMs, attributes });
    // SpanStatusCode.ERROR, which is a value of the package.
    if (problem !== undefined) span?.setStatus({ code: 2, message: problem });
    span?.end(endTime);
  }

  return (describe) => {
    if (!isMissing) void record(Date.now(), describe());
  };
}
