/**
 * The result of one step of the CI check: the numbers of passes and failures, and its text.
 * `skipped` counts tests that did not run, absent if all ran; `failedTests` has one line per failed
 * test, if the step reports them.
 */
export type Outcome = {
  passed: number;
  failed: number;
  skipped?: number;
  summary: string;
  failedTests?: readonly string[];
};

/**
 * One step of the CI check; `root` is the project folder. A step runs alone if it uses every
 * processor itself, or builds files that another step may build too.
 */
export type Step = { name: string; alone?: boolean; run(root: string): Promise<Outcome> };

export function pass(summary: string): Outcome {
  return { passed: 1, failed: 0, summary };
}

export function fail(summary: string): Outcome {
  return { passed: 0, failed: 1, summary };
}

/** The outcome's count of skipped tests; absent if all ran. */
export const toSkippedCount = (skipped: number): Pick<Outcome, 'skipped'> => (skipped === 0 ? {} : { skipped });

/**
 * Reports how many tests passed, and the reasons of skipped ones, which they print as `skipped: …`.
 */
export function formatTestCounts(passed: number, total: number, output: string): string {
  return [`${passed} of ${total} tests passed`, ...new Set(output.match(/skipped: .+/g))].join('; ');
}

/** Passes if there is no complaint; otherwise prints one per line. */
export function passUnlessComplaints(complaints: readonly string[], summary: string): Outcome {
  return complaints.length === 0 ? pass(summary) : fail(complaints.join('\n'));
}
