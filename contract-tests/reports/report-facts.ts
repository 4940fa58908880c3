/** What the run tested: a deployment unless `kind` is "receiver". */
export interface Target {
  base_url: string;
  profile: string;
  kind?: 'receiver';
}

/** Requirements by outcome. `warned` counts drifting gaps, or advice that a receiver does not follow. */
export interface Summary {
  passed: number;
  failed: number;
  partly: number;
  warned: number;
  not_verified: number;
  error: number;
}

/** Response times of accepted calls. */
export interface TimesReport {
  calls: number;
  median_ms: number;
  p95_ms: number;
}
