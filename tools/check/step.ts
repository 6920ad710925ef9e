/**
 * The result of one step of the CI check: the numbers of passes and failures, and its text.
 * `skipped` counts tests that did not run, absent if all ran; `failedTests` has one line per failed
 * test, if the step reports them.
 */
export type Outcome = {
  passed: number;
  failed: number;
  skipped?: number;
  says: string;
  failedTests?: readonly string[];
};

/**
 * One step of the CI check; `root` is the project folder. A step runs alone if it uses every
 * processor itself, or builds files that another step may build too.
 */
export type Step = { name: string; alone?: boolean; run(root: string): Promise<Outcome> };

export function pass(says: string): Outcome {
  return { passed: 1, failed: 0, says };
}

export function fail(says: string): Outcome {
  return { passed: 0, failed: 1, says };
}

/** The outcome's count of skipped tests; absent if all ran. */
export const skippedCount = (skipped: number): Pick<Outcome, 'skipped'> => (skipped === 0 ? {} : { skipped });

/**
 * Reports how many tests passed, and the reasons of skipped ones, which they print as `skipped: …`.
 */
export function formatTestCounts(passed: number, total: number, output: string): string {
  return [`${passed} of ${total} tests passed`, ...new Set(output.match(/skipped: .+/g))].join('; ');
}

/** Passes if there is no complaint; otherwise prints one per line. */
export function passUnlessComplaints(complaints: readonly string[], says: string): Outcome {
  return complaints.length === 0 ? pass(says) : fail(complaints.join('\n'));
}
