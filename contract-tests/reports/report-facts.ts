// What reports and comparisons of reports both state of a run.

/** What was tested: a deployment, unless its kind says otherwise. */
export interface Target {
  base_url: string;
  profile: string;
  kind?: 'receiver';
}

/** Requirements by outcome; `warned` counts drifting gaps, or the advice that a receiver does not follow. */
export interface Summary {
  passed: number;
  failed: number;
  partly: number;
  warned: number;
  not_verified: number;
  error: number;
}

/** So many answers, and how long they took in milliseconds: half of them no longer than the median, 95 of 100 no longer than `p95_ms`. */
export interface TimesReport {
  calls: number;
  median_ms: number;
  p95_ms: number;
}
